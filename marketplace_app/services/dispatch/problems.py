"""What waits for a dispatcher, in words that say what to do (RULE dispatch-board)."""

from datetime import datetime

from marketplace_app import clock, dispatch_messages
from marketplace_app.config import get_settings
from marketplace_app.models import FailureReason, RunStop, StopFlag, StopOutcome
from marketplace_app.schemas.dispatch.runs import OrderCard, Problem
from marketplace_app.services.dispatch import failures


def describe(stop: RunStop, card: OrderCard) -> Problem:
    return Problem(
        card=card,
        stop_id=stop.id,
        run_id=stop.run_id,
        message=_message(stop, card),
        needs_release=stop.flag is not None or stop.is_locked,
    )


def _message(stop: RunStop, card: OrderCard) -> str:
    if stop.flag is not None:
        return _flag_message(stop, stop.flag)
    if stop.outcome is StopOutcome.CANCELLED:
        return dispatch_messages.CANCELLED_ON_THE_WAY
    if card.is_recalled:
        return dispatch_messages.ORDER_RECALLED
    if stop.failure is not None and stop.ended_at is not None:
        return dispatch_messages.failed(*_failure(stop.failure, stop.ended_at))
    return dispatch_messages.STOP_LOCKED


def _flag_message(stop: RunStop, flag: StopFlag) -> str:
    """A PIN that was entered offline is found to be wrong when the phone sends it. By then the stop may be
    open, delivered or failed."""
    if flag is StopFlag.WRONG_PIN and stop.outcome is StopOutcome.DELIVERED:
        return dispatch_messages.DELIVERED_WITH_WRONG_PIN
    advice = dispatch_messages.FLAGS[flag]
    if stop.failure is not None and stop.ended_at is not None:
        return dispatch_messages.failed(*_failure(stop.failure, stop.ended_at), advice)
    return advice


def _failure(reason: FailureReason, ended_at: datetime) -> tuple[str, str]:
    return failures.RULES[reason].label, clock.show_time(ended_at, get_settings().timezone)
