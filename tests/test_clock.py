"""How old somebody is, and how times, hours and delivery windows are shown."""

from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import pytest

from marketplace_app import clock

ZONE = ZoneInfo("America/Los_Angeles")


@pytest.mark.parametrize(
    ("born", "today", "is_of_age"),
    [
        (date(2005, 11, 20), date(2026, 11, 20), True),
        (date(2005, 11, 21), date(2026, 11, 20), False),
        (date(2004, 2, 29), date(2025, 2, 28), False),
        (date(2004, 2, 29), date(2025, 3, 1), True),
        (date(1926, 1, 1), date(2026, 11, 20), True),
        (date(2030, 1, 1), date(2026, 11, 20), False),
    ],
)
def test_age_is_counted_in_calendar_years(born: date, today: date, is_of_age: bool) -> None:
    assert clock.is_of_age(born, today) is is_of_age


@pytest.mark.parametrize(
    ("start", "touches"),
    [
        ("2026-11-16T20:00Z", False),
        ("2026-11-19T20:00Z", True),
        ("2026-11-22T20:00Z", True),
        ("2026-11-23T08:30Z", False),
    ],
)
def test_a_window_that_touches_a_weekend_at_the_store(start: str, touches: bool) -> None:
    begin = datetime.fromisoformat(start)
    assert clock.touches_weekend(begin, begin.replace(day=begin.day + 2), ZONE) is touches


def test_times_are_shown_in_the_stores_zone() -> None:
    moment = datetime(2026, 11, 21, 3, 5, 9, tzinfo=UTC)
    assert clock.iso(moment) == "2026-11-21T03:05:09Z"
    assert clock.show_date(moment, ZONE) == "Nov 20, 2026"
    assert clock.show_time(moment, ZONE) == "Nov 20, 2026, 7:05 PM"


@pytest.mark.parametrize(
    ("hour", "shown"),
    [(0, "12 AM"), (1, "1 AM"), (9, "9 AM"), (12, "12 PM"), (21, "9 PM"), (23, "11 PM"), (24, "12 AM")],
)
def test_hours_are_shown_in_twelve_hour_form(hour: int, shown: str) -> None:
    assert clock.show_hour(hour) == shown


@pytest.mark.parametrize(
    ("start", "end", "shown"),
    [
        ("2026-11-27T17:00", "2026-11-27T19:30", "Fri, Nov 27, 5:00 PM to 7:30 PM"),
        ("2026-11-27T20:00", "2026-11-28T00:00", "Fri, Nov 27, 8:00 PM to 12:00 AM"),
        ("2026-11-27T00:00", "2026-11-28T00:00", "Fri, Nov 27, all day"),
        ("2026-11-01T00:00", "2026-11-02T00:00", "Sun, Nov 01, all day"),  # 25 hours: clocks are set back
        ("2026-11-27T00:00", "2026-11-29T00:00", "Fri, Nov 27, 12:00 AM to 12:00 AM"),
    ],
)
def test_a_span_is_shown_as_times_of_its_first_day_or_as_all_day(start: str, end: str, shown: str) -> None:
    begins, ends = (datetime.fromisoformat(each).replace(tzinfo=ZONE) for each in (start, end))
    assert clock.show_span(begins.astimezone(UTC), ends.astimezone(UTC), ZONE) == shown
