"""What waits for a dispatcher, in words that say what to do (RULE dispatch-board)."""

from marketplace_app import clock
from marketplace_app.config import get_settings
from marketplace_app.models import RunStop, StopFlag, StopOutcome
from marketplace_app.schemas.runs import OrderCard, Problem
from marketplace_app.services.dispatch import failures

_FLAGS = {
    StopFlag.WRONG_PIN: "Delivered, but the PIN was wrong. Ask the driver and the customer, then say what you found.",
    StopFlag.NO_PIN: "Entered from paper without a PIN. Ask the driver, then say what you found.",
}


def describe(stop: RunStop, card: OrderCard) -> Problem:
    return Problem(
        card=card,
        stop_id=stop.id,
        run_id=stop.run_id,
        message=_message(stop),
        needs_release=stop.flag is not None or stop.is_locked,
    )


def _message(stop: RunStop) -> str:
    if stop.flag is not None:
        return _FLAGS[stop.flag]
    if stop.outcome is StopOutcome.CANCELLED:
        return "Cancelled while it is out. The driver brings it back."
    if stop.failure is not None and stop.ended_at is not None:
        when = clock.show_time(stop.ended_at, get_settings().timezone)
        return f"{failures.RULES[stop.failure].label}, {when}. Call the customer, then plan it again or cancel it."
    return "Locked after too many wrong PINs. Talk to the driver and the customer, then unlock it."
