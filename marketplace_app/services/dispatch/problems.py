"""What waits for a dispatcher, in words that say what to do (RULE dispatch-board)."""

from marketplace_app import clock, dispatch_messages
from marketplace_app.config import get_settings
from marketplace_app.models import RunStop, StopOutcome
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
        return dispatch_messages.FLAGS[stop.flag]
    if stop.outcome is StopOutcome.CANCELLED:
        return dispatch_messages.CANCELLED_ON_THE_WAY
    if card.is_recalled:
        return dispatch_messages.ORDER_RECALLED
    if stop.failure is not None and stop.ended_at is not None:
        when = clock.show_time(stop.ended_at, get_settings().timezone)
        return dispatch_messages.failed(failures.RULES[stop.failure].label, when)
    return dispatch_messages.STOP_LOCKED
