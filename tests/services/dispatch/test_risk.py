"""When a promise is at risk (RULE at-risk)."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from marketplace_app.services.dispatch import risk
from marketplace_app.services.dispatch.risk import Progress

PROMISED = datetime(2026, 11, 28, 3, 0, tzinfo=UTC)
BY = "Nov 27, 2026, 7:00 PM"
NOT_PLANNED, NOT_OUT, LATE = (
    f"Not planned, and promised by {BY}.",
    f"Not out, and promised by {BY}.",
    f"Late: it was promised by {BY}.",
)


@pytest.mark.parametrize(
    ("minutes_left", "progress", "reason"),
    [
        (121, {}, ""),
        (120, {}, NOT_PLANNED),
        (1, {}, NOT_PLANNED),
        (0, {}, LATE),
        (-30, {}, LATE),
        (120, {"is_planned": True}, ""),
        (61, {"is_planned": True}, ""),
        (60, {"is_planned": True}, NOT_OUT),
        (60, {"is_planned": True, "stops_before": 9}, NOT_OUT),
        (0, {"is_planned": True}, LATE),
        (12, {"is_planned": True, "is_out": True}, ""),
        (11, {"is_planned": True, "is_out": True}, f"No stop before it, and promised by {BY}."),
        (24, {"is_planned": True, "is_out": True, "stops_before": 1}, ""),
        (23, {"is_planned": True, "is_out": True, "stops_before": 1}, f"1 stop before it, and promised by {BY}."),
        (71, {"is_planned": True, "is_out": True, "stops_before": 5}, f"5 stops before it, and promised by {BY}."),
        (0, {"is_planned": True, "is_out": True}, LATE),
    ],
)
def test_the_reason_follows_from_the_time_left_and_how_far_the_order_is(
    configure: Callable[..., None], minutes_left: int, progress: dict[str, Any], reason: str
) -> None:
    configure(TIMEZONE="America/Los_Angeles")
    at = PROMISED - timedelta(minutes=minutes_left)
    assert risk.find_reason(Progress(PROMISED, **progress), at) == reason
