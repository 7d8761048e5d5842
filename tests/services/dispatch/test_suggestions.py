"""A suggested sequence of stops: window after window, then the nearest ZIP code (RULE suggested-sequence)."""

from datetime import UTC, datetime

import pytest

from marketplace_app.services.dispatch.suggestions import Point, RemainingStop, sequence_of

NOON, ONE = datetime(2026, 11, 27, 12, tzinfo=UTC), datetime(2026, 11, 27, 13, tzinfo=UTC)
WEST, MIDDLE, EAST = Point(45.5, -122.8), Point(45.5, -122.6), Point(45.5, -122.4)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ([], ()),
        ([(1, NOON, EAST), (2, NOON, WEST), (3, NOON, MIDDLE)], (1, 3, 2)),
        ([(1, ONE, WEST), (2, NOON, EAST)], (2, 1)),
        ([(1, NOON, EAST), (2, ONE, WEST), (3, ONE, EAST)], (1, 3, 2)),
        ([(1, NOON, None), (2, NOON, WEST), (3, NOON, MIDDLE)], (2, 3, 1)),
        ([(1, NOON, None), (2, NOON, None)], (1, 2)),
        ([(1, NOON, WEST), (2, ONE, None), (3, ONE, WEST), (4, ONE, EAST)], (1, 3, 4, 2)),
    ],
)
def test_stops_are_ordered_by_window_then_by_the_nearest_known_place(
    given: list[tuple[int, datetime, Point | None]], expected: tuple[int, ...]
) -> None:
    assert sequence_of([RemainingStop(*each) for each in given]) == expected
