"""What drivers report from a door, and what their phones are shown (RULE driver-events, RULE door)."""

import re
from collections.abc import Mapping
from datetime import UTC, date, datetime
from enum import StrEnum
from typing import Annotated, Any, ClassVar, Self

from pydantic import AfterValidator, BeforeValidator, Field, WithJsonSchema, model_validator

from marketplace_app.dispatch_messages import (
    DATA_EXPECTED,
    KEY_EXPECTED,
    KIND_EXPECTED,
    MOMENT_EXPECTED,
    PIN_EXPECTED,
    SIGNATURE_EXPECTED,
)
from marketplace_app.limits import MAX_COUNTED_CENTS, MAX_SIGNATURE, MAX_STOP_NOTE, MAX_STOP_SEQUENCE
from marketplace_app.models import FailureReason, StopEventKind, StopOutcome
from marketplace_app.schemas.base import Cents, Form, Moment, Money, RowId, View
from marketplace_app.schemas.texts import one_line

REQUIRED_FIELDS: Mapping[StopEventKind, tuple[str, ...]] = {
    StopEventKind.ARRIVED: (),
    StopEventKind.ID_CHECKED: ("of_age", "name_matches", "not_expired"),
    StopEventKind.PIN_ENTERED: ("pin",),
    StopEventKind.CASH_COUNTED: ("counted",),
    StopEventKind.SIGNED: ("signature",),
    StopEventKind.BAG_PLACED: (),
    StopEventKind.FAILED: ("reason",),
}
"""What must be reported with each kind of event that drivers report."""
OPTIONAL_FIELDS: Mapping[StopEventKind, tuple[str, ...]] = {
    StopEventKind.PIN_ENTERED: ("offline",),
    StopEventKind.CASH_COUNTED: ("change_as_credit",),
    StopEventKind.FAILED: ("note",),
}
PIN = re.compile(r"[0-9]{4}")
_PATH = re.compile(r"M[MLHVmlhv0-9 ,.-]+")
_ULID = re.compile(r"[0-7][0-9A-HJKMNP-TV-Z]{25}")
_EARLIEST, _LATEST = datetime(2000, 1, 1, tzinfo=UTC), datetime(2999, 12, 31, tzinfo=UTC)


class RefusalCode(StrEnum):
    """Why an event was refused."""

    STEP_MISSING = "step_missing"
    ID_NOT_ACCEPTED = "id_not_accepted"
    PIN_WRONG = "pin_wrong"
    CASH_SHORT = "cash_short"
    CHANGE_NOT_KEPT = "change_not_kept"
    STOP_LOCKED = "stop_locked"
    STOP_ENDED = "stop_ended"
    DO_NOT_HAND_OVER = "do_not_hand_over"
    SEQUENCE_TAKEN = "sequence_taken"


class AnswerResult(StrEnum):
    APPLIED = "applied"
    WAITING = "waiting"
    """An earlier event of the stop has not arrived yet."""
    KNOWN = "known"
    REFUSED = "refused"


def _claimed_time(value: object) -> datetime:
    """A phone's clock may be years off: a time before 2001 becomes 2000-01-01, one after 2998 becomes 2999-12-31."""
    if isinstance(value, str):
        try:
            value = datetime.fromisoformat(value)
        except ValueError:
            raise ValueError(MOMENT_EXPECTED) from None
    if not isinstance(value, datetime) or value.tzinfo is None:
        raise ValueError(MOMENT_EXPECTED)
    if value.year <= _EARLIEST.year:
        return _EARLIEST
    if value.year >= _LATEST.year:
        return _LATEST
    return value.astimezone(UTC)


def _reported_by_drivers(kind: StopEventKind) -> StopEventKind:
    if kind not in REQUIRED_FIELDS:
        raise ValueError(KIND_EXPECTED)
    return kind


def _four_digits(text: str) -> str:
    return _matching(PIN, text, PIN_EXPECTED)


def _svg_path(text: str) -> str:
    return _matching(_PATH, text, SIGNATURE_EXPECTED)


def _ulid(text: str) -> str:
    return _matching(_ULID, text, KEY_EXPECTED)


def _matching(pattern: re.Pattern[str], text: str, expected: str) -> str:
    if not pattern.fullmatch(text):
        raise ValueError(expected)
    return text


ClaimedTime = Annotated[
    datetime,
    BeforeValidator(_claimed_time),
    WithJsonSchema({"type": "string", "format": "date-time", "examples": ["2026-11-27T17:42:10Z"]}),
]
DriverEventKind = Annotated[
    StopEventKind,
    Field(strict=False),
    AfterValidator(_reported_by_drivers),
    WithJsonSchema({"type": "string", "enum": [kind.value for kind in REQUIRED_FIELDS]}),
]


class EventData(Form):
    """What is reported with an event. Which fields belong to it depends on its kind (RULE driver-events)."""

    of_age: bool | None = None
    """The ID says 21 or older."""
    name_matches: bool | None = None
    not_expired: bool | None = None
    pin: Annotated[str, Field(max_length=4), AfterValidator(_four_digits)] | None = Field(None, repr=False)
    offline: bool = False
    """Whether the PIN was entered without a connection, so that it could not be checked at the door."""
    counted: Annotated[Cents, Field(ge=0, le=MAX_COUNTED_CENTS)] | None = None
    change_as_credit: Annotated[bool, Field(alias="keepChange")] = False
    """The customer gets the change as store credit, if the shop offers it (RULE change-as-credit)."""
    signature: Annotated[str, Field(max_length=MAX_SIGNATURE), AfterValidator(_svg_path)] | None = None
    """The path of an SVG."""
    reason: Annotated[FailureReason, Field(strict=False)] | None = None
    note: Annotated[str, Field(max_length=MAX_STOP_NOTE), AfterValidator(one_line)] = ""

    def missing(self, kind: StopEventKind) -> list[str]:
        """What an event of this kind needs and does not have."""
        return [name for name in REQUIRED_FIELDS[kind] if getattr(self, name) is None]


class StopEventForm(Form):
    """Something that happened at a stop, as a driver's phone reports it."""

    EXAMPLE: ClassVar[Mapping[str, Any]] = {
        "key": "01KB2Q3Y5ZJ8M4T7N6R9V1W2X3",
        "seq": 2,
        "stopId": 31,
        "kind": "id_checked",
        "at": "2026-11-27T17:42:10Z",
        "data": {"ofAge": True, "nameMatches": True, "notExpired": True},
    }

    key: Annotated[str, Field(max_length=26, description="A ULID."), AfterValidator(_ulid)]
    seq: Annotated[int, Field(ge=1, le=MAX_STOP_SEQUENCE, description="1 for the first event of this stop.")]
    stop_id: RowId
    kind: DriverEventKind
    at: ClaimedTime
    data: EventData = EventData()

    @model_validator(mode="after")
    def _data_of_its_kind(self) -> Self:
        allowed = {*REQUIRED_FIELDS[self.kind], *OPTIONAL_FIELDS.get(self.kind, ())}
        if self.data.missing(self.kind) or not self.data.model_fields_set <= allowed:
            raise ValueError(DATA_EXPECTED[self.kind])
        return self


class EventAnswer(View):
    """What became of an event. `known`: it had arrived before, and `code` is why it was refused then, if it was."""

    key: str = Field(examples=["01KB2Q3Y5ZJ8M4T7N6R9V1W2X3"])
    result: AnswerResult
    code: RefusalCode | None = None
    message: str = Field("", examples=["Ask for the ID first."], description="What to do; empty if nothing.")


class DriverItem(View):
    name: str
    quantity: int


class DriverStop(View):
    """A stop as its driver sees it: without the door PIN and the customer's email."""

    id: int
    position: int = Field(examples=[1])
    order_number: int = Field(examples=[1042])
    customer_name: str
    address: str = Field(examples=["214 Larch Street, Portland, OR 97201"])
    delivery_instructions: str
    payment_instructions: str
    contact_phone: str = Field(alias="phone", examples=["503 555 0142"])
    window_starts_at: Moment | None = Field(alias="windowStart")
    window_ends_at: Moment | None = Field(alias="windowEnd")
    cash_cents: Money = Field(examples=["152.50"], description="What is to be collected.")
    needs_pin: bool
    needs_signature: bool
    items: tuple[DriverItem, ...]
    done: tuple[StopEventKind, ...] = Field(description="The steps that are done.")
    next_sequence: int = Field(alias="nextSeq", examples=[3], description="The first number that has not arrived.")
    is_locked: bool = Field(description="A wrong PIN was entered too often.")
    outcome: StopOutcome | None
    is_recalled: bool = Field(description="Its order has units of a recalled batch, so its outcome is cancelled.")
    failure: FailureReason | None


class DriverRun(View):
    """The run that a driver is out on."""

    id: int
    day: date
    vehicle: str = Field(examples=["White van"])
    departed_at: Moment
    time_zone: str = Field(examples=["America/Los_Angeles"], description="The store's, for its delivery windows.")
    offers_change_as_credit: bool = Field(
        alias="keepsChange", description="Whether customers may get the change as store credit."
    )
    stops: tuple[DriverStop, ...]
