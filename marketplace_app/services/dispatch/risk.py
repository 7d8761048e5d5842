"""Whether an order's promise is at risk: a pure function of what is known about it now (RULE at-risk)."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from marketplace_app import clock
from marketplace_app.config import get_settings
from marketplace_app.limits import MINUTES_A_STOP, OUT_BEFORE, PLANNED_BEFORE


@dataclass(frozen=True)
class Progress:
    """How far the delivery of one order has come."""

    promised_by: datetime
    is_planned: bool = False
    is_out: bool = False
    stops_before: int = 0
    """Stops of its run that come before it and have not ended."""


def find_reason(progress: Progress, at: datetime) -> str:
    """Why the promise is at risk, as a sentence; empty if it is not."""
    left = progress.promised_by - at
    by = clock.show_time(progress.promised_by, get_settings().timezone)
    if left <= timedelta():
        return f"Late: it was promised by {by}."
    if progress.is_out:
        needed = timedelta(minutes=MINUTES_A_STOP) * (progress.stops_before + 1)
        return f"{_stops(progress.stops_before)} before it, and promised by {by}." if needed > left else ""
    if not progress.is_planned:
        return f"Not planned, and promised by {by}." if left <= PLANNED_BEFORE else ""
    return f"Not out, and promised by {by}." if left <= OUT_BEFORE else ""


def _stops(count: int) -> str:
    return {0: "No stop", 1: "1 stop"}.get(count, f"{count} stops")
