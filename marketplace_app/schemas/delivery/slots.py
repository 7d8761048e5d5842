"""Slots, as shoppers choose among them, and how an order is delivered (RULE delivery-slots)."""

import re
from collections.abc import Mapping
from contextlib import suppress
from datetime import date
from typing import Annotated, Any, ClassVar, Literal, NamedTuple

from pydantic import AfterValidator, ConfigDict, Field

from marketplace_app import places
from marketplace_app.messages import FIELD_MESSAGES
from marketplace_app.models import Substitution
from marketplace_app.schemas.base import Form, Moment, View

_ID = re.compile(r"([1-9]\d{0,8})-(\d{4}-\d\d-\d\d)", re.ASCII)


class SlotId(NamedTuple):
    """A window on one of its days."""

    window_id: int
    day: date

    @property
    def text(self) -> str:
        """`12-2026-11-27`"""
        return f"{self.window_id}-{self.day.isoformat()}"


def read_slot_id(text: str) -> SlotId:
    """Raises ValueError for text that names no window and day."""
    if found := _ID.fullmatch(text):
        with suppress(ValueError):  # such as 30 February
            return SlotId(int(found[1]), date.fromisoformat(found[2]))
    raise ValueError("one of the delivery times is expected")


def _checked(text: str) -> str:
    return read_slot_id(text).text


SlotIdText = Annotated[str, Field(max_length=24), AfterValidator(_checked)]
"""Kept as text, so that the fingerprint of a draft does not depend on how the id is parsed."""


class SlotForm(Form):
    """Another delivery time for an order."""

    EXAMPLE: ClassVar[Mapping[str, Any]] = {"slotId": "12-2026-11-27"}

    slot_id: SlotIdText


class ReadyForm(Form):
    """The customer's answer to 'Ready for your delivery?'. It can only be yes: choosing another time and cancelling
    are calls of their own."""

    EXAMPLE: ClassVar[Mapping[str, Any]] = {"answer": "yes"}
    MESSAGES: ClassVar[Mapping[str, str]] = {"answer": "The only answer is 'yes'."}

    answer: Literal["yes"]


class OfferedSlot(View):
    id: str = Field(examples=["12-2026-11-27"])
    starts_at: Moment
    ends_at: Moment
    left: int = Field(examples=[3], description="How many orders it still takes; 0 if it is full.")


def five_digits(zip_code: str) -> str:
    """`97201` of `97201-1234`. Raises ValueError for anything that is not a ZIP code."""
    if (read := places.read_zip(zip_code)) is None:
        raise ValueError(FIELD_MESSAGES["zipCode"])
    return read


class OfferQuery(Form):
    model_config = ConfigDict(strict=False, extra="ignore")
    MESSAGES: ClassVar[Mapping[str, str]] = {"zip": FIELD_MESSAGES["zipCode"], "state": FIELD_MESSAGES["state"]}

    zip: Annotated[str, Field(max_length=12), AfterValidator(five_digits)] | None = None
    state: Annotated[str, Field(max_length=80)] = ""

    def read_place(self) -> places.Place | None:
        return places.read(self.zip, self.state) if self.zip else None


class OrderDeliveryView(View):
    window_starts_at: Moment | None = Field(alias="windowStart")
    window_ends_at: Moment | None = Field(alias="windowEnd")
    promised_by: Moment
    zone_name: str = Field(alias="zone", examples=["East side"])
    attempts: int = Field(examples=[0], description="Failed attempts to deliver.")
    substitution: Substitution = Field(
        examples=["ask"], description="What the customer wants if it is packed from another batch."
    )
    door_pin: str | None = Field(None, examples=["4071"], description="Only in answers to the customer.")
    ready_asked_at: Moment | None = Field(None, description="Left out until the customer was asked.")
    ready_at: Moment | None = Field(None, description="Left out with `readyAskedAt`; null until the customer says yes.")

    def wire(self) -> dict[str, Any]:
        wire = super().wire()
        if not self.door_pin:
            del wire["doorPin"]
        if not self.ready_asked_at:
            del wire["readyAskedAt"], wire["readyAt"]
        return wire
