"""The store's clock, the only place that calls `datetime.now`. Dates and times as text."""

from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

from marketplace_app.limits import MINIMUM_AGE_YEARS

MINUTES_A_DAY = 24 * 60


def now() -> datetime:
    return datetime.now(UTC)


def today(timezone: ZoneInfo) -> date:
    """Today's date at the store."""
    return now().astimezone(timezone).date()


def in_milliseconds(duration: timedelta) -> str:
    """For an attribute that a script of the browser reads."""
    return str(duration // timedelta(milliseconds=1))


def is_of_age(birth_date: date, today: date, years: int = MINIMUM_AGE_YEARS) -> bool:
    """By calendar age: in a common year, somebody born on 29 February is of age on 1 March (RULE age-of-majority)."""
    return (today.year - birth_date.year, today.month, today.day) >= (years, birth_date.month, birth_date.day)


def touches_weekend(start: datetime, end: datetime, timezone: ZoneInfo) -> bool:
    """Whether any day from start to end is a Saturday or Sunday at the store."""
    day, last = start.astimezone(timezone).date(), end.astimezone(timezone).date()
    while day <= last:
        if day.weekday() >= 5:
            return True
        day += timedelta(days=1)
    return False


@lru_cache(maxsize=1_000)
def start_of_day(day: date, timezone: ZoneInfo) -> datetime:
    """The first moment of a day at the store, in UTC. Cached, because every quote with a legal limit asks for it."""
    return datetime(day.year, day.month, day.day, tzinfo=timezone).astimezone(UTC)


def iso(moment: datetime) -> str:
    """ISO 8601 in UTC, to the second: `2026-11-20T11:40:00Z`."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def show_date(moment: datetime, timezone: ZoneInfo) -> str:
    """`Nov 20, 2026` at the store."""
    return show_day(moment.astimezone(timezone).date())


def show_day(day: date) -> str:
    """`Nov 20, 2026`"""
    return day.strftime("%b %d, %Y")


def show_time(moment: datetime, timezone: ZoneInfo) -> str:
    """`Nov 20, 2026, 3:40 PM` at the store."""
    local = moment.astimezone(timezone)
    return f"{show_day(local.date())}, {_show_time_of_day(local)}"


def show_span(start: datetime, end: datetime, timezone: ZoneInfo) -> str:
    """`Fri, Nov 27, 5:00 PM to 7:00 PM` at the store; `Fri, Nov 27, all day` from midnight to midnight."""
    starts, ends = start.astimezone(timezone), end.astimezone(timezone)
    if starts.time() == ends.time() == time() and ends.date() - starts.date() == timedelta(days=1):
        return f"{show_weekday(starts.date())}, all day"
    return f"{show_weekday_and_time(start, timezone)} to {_show_time_of_day(ends)}"


def show_weekday_and_time(moment: datetime, timezone: ZoneInfo) -> str:
    """`Fri, Nov 27, 5:00 PM` at the store: for days so near that nobody needs the year."""
    local = moment.astimezone(timezone)
    return f"{show_weekday(local.date())}, {_show_time_of_day(local)}"


def _show_time_of_day(local: datetime) -> str:
    """`5:00 PM`"""
    return local.strftime("%I:%M %p").lstrip("0")


def show_weekday(day: date) -> str:
    """`Fri, Nov 27`"""
    return day.strftime("%a, %b %d")


def show_hour(hour: int) -> str:
    """`9 AM`, `12 PM`; 24 is midnight again, `12 AM`."""
    return f"{hour % 12 or 12} {'AM' if hour % 24 < 12 else 'PM'}"


def show_minutes_of_day(minutes: int) -> str:
    """`9 PM`, `9:30 PM`"""
    hour, minute = divmod(minutes, 60)
    shown = show_hour(hour)
    return shown.replace(" ", f":{minute:02} ") if minute else shown
