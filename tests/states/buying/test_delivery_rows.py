"""Delivery times as the checkout and an order's page offer them (RULE choose-time)."""

import pytest

from marketplace_app.schemas.delivery.slots import OfferedSlot
from marketplace_app.states.buying.delivery_rows import delivery_times, slot_times
from tests.states.buying.views import WINDOW


def slot(left: int) -> OfferedSlot:
    return OfferedSlot(id="12-2026-11-27", starts_at=WINDOW[0], ends_at=WINDOW[1], left=left)


@pytest.mark.parametrize(
    ("left", "note", "is_full"),
    [(10, "", False), (4, "", False), (3, "3 left", False), (1, "1 left", False), (0, "Full", True)],
)
def test_from_three_places_on_a_time_says_how_many_are_left(left: int, note: str, is_full: bool) -> None:
    [time] = slot_times([slot(left)])
    assert (time.text, time.note, time.is_full) == ("Fri, Nov 27, 5:00 PM to 7:00 PM", note, is_full)


def test_the_checkout_offers_any_time_first_and_nothing_where_there_are_no_times() -> None:
    """An order that has a slot can only be moved to another one."""
    offered = delivery_times([slot(10)], "48 hours")
    assert [(time.key, time.text) for time in offered][0] == ("", "Any time within 48 hours")
    assert offered[1:] == slot_times([slot(10)])
    assert delivery_times([], "48 hours") == []
