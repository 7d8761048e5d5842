"""Delivery windows and days without deliveries, as staff write and see them (RULE windows)."""

import re
from collections.abc import Mapping
from datetime import date
from typing import Annotated, Any, ClassVar, Literal

from pydantic import AfterValidator, BeforeValidator, Field

from marketplace_app.clock import MINUTES_A_DAY
from marketplace_app.limits import MAX_CLOSURE_REASON, MAX_CUTOFF_MINUTES, MAX_WINDOW_CAPACITY
from marketplace_app.schemas.base import CalendarDay, Form, RowId, View
from marketplace_app.schemas.texts import one_line

_CLOCK = re.compile(r"([01]\d|2[0-4]):([0-5]\d)", re.ASCII)
_TIME_EXPECTED = "A time such as 09:30 is expected."
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def _minutes(value: object) -> int:
    """`09:30` -> 570; `24:00` is the end of the day."""
    found = _CLOCK.fullmatch(value) if isinstance(value, str) else None
    minutes = int(found[1]) * 60 + int(found[2]) if found else MINUTES_A_DAY + 1
    if minutes > MINUTES_A_DAY:
        raise ValueError(_TIME_EXPECTED)
    return minutes


def show_minutes(minutes: int) -> str:
    """570 -> `09:30`"""
    return f"{minutes // 60:02}:{minutes % 60:02}"


def minutes_between(opens: str, closes: str) -> int:
    """The length of a window by its times as they are typed; 0 if one cannot be read or they are in the wrong order."""
    try:
        return max(0, _minutes(closes.strip()) - _minutes(opens.strip()))
    except ValueError:
        return 0


ClockTime = Annotated[int, BeforeValidator(_minutes)]


class TimeCheck(Form):
    """One of the two times in a window's form, as it is when its field loses the focus."""

    name: Literal["opens", "closes"]
    value: Annotated[str, Field(max_length=200)]


class WindowForm(Form):
    """A whole window. Times are the store's."""

    EXAMPLE: ClassVar[Mapping[str, Any]] = {
        "zoneId": 1,
        "weekday": 4,
        "opens": "17:00",
        "closes": "19:00",
        "cutoffMinutes": 120,
        "capacity": 12,
    }
    MESSAGES: ClassVar[Mapping[str, str]] = {
        "zoneId": "The number of a zone is expected.",
        "weekday": "A number from 0 for Monday to 6 for Sunday is expected.",
        "cutoffMinutes": f"A number of minutes from 0 to {MAX_CUTOFF_MINUTES:,} is expected.",
        "capacity": f"A number of orders from 1 to {MAX_WINDOW_CAPACITY:,} is expected.",
    }

    zone_id: RowId
    weekday: Annotated[int, Field(ge=0, le=6)]
    opens: ClockTime
    closes: ClockTime
    cutoff_minutes: Annotated[int, Field(ge=0, le=MAX_CUTOFF_MINUTES)] = 0
    capacity: Annotated[int, Field(ge=1, le=MAX_WINDOW_CAPACITY)]

    def columns(self) -> dict[str, int]:
        return {
            "zone_id": self.zone_id,
            "weekday": self.weekday,
            "opens_minute": self.opens,
            "closes_minute": self.closes,
            "cutoff_minutes": self.cutoff_minutes,
            "capacity": self.capacity,
        }


class WindowRef(Form):
    """The id of a window, as the buttons send it."""

    id: RowId


class WindowView(View):
    id: int
    zone_id: int = Field(examples=[1])
    weekday: int = Field(examples=[4], description="Monday is 0.")
    opens: str = Field(examples=["17:00"])
    closes: str = Field(examples=["19:00"])
    cutoff_minutes: int = Field(examples=[120])
    capacity: int = Field(examples=[12])

    def values(self) -> dict[str, int]:
        """By the wire names of `WindowForm`, with times in minutes, as that form holds them."""
        return {
            "zoneId": self.zone_id,
            "weekday": self.weekday,
            "opens": _minutes(self.opens),
            "closes": _minutes(self.closes),
            "cutoffMinutes": self.cutoff_minutes,
            "capacity": self.capacity,
        }


class ClosureForm(Form):
    EXAMPLE: ClassVar[Mapping[str, Any]] = {"day": "2026-12-25", "reason": "Christmas"}
    MESSAGES: ClassVar[Mapping[str, str]] = {"reason": f"Enter at most {MAX_CLOSURE_REASON} characters."}

    day: CalendarDay
    reason: Annotated[str, Field(max_length=MAX_CLOSURE_REASON), AfterValidator(one_line)] = ""


class ClosureView(View):
    day: date = Field(examples=["2026-12-25"])
    reason: str = Field(examples=["Christmas"])
