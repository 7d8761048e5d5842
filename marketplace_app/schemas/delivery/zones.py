"""Delivery zones, as staff write and see them (RULE zones)."""

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar

from pydantic import AfterValidator, Field, field_validator

from marketplace_app import places
from marketplace_app.delivery_messages import not_zip_codes
from marketplace_app.limits import MAX_ZONE_CENTS, MAX_ZONE_NAME, MAX_ZONE_ZIPS
from marketplace_app.money import show_short
from marketplace_app.schemas.base import Cents, Form, Money, RowId, View
from marketplace_app.schemas.texts import one_line

_AMOUNT_EXPECTED = f"An amount from $0 to {show_short(MAX_ZONE_CENTS)}, or empty to use the shop's own."
ZoneAmount = Annotated[Cents, Field(ge=0, le=MAX_ZONE_CENTS)]


class ZoneForm(Form):
    """A whole zone. An amount that is left out, or null, is the shop's."""

    EXAMPLE: ClassVar[Mapping[str, Any]] = {
        "name": "East side",
        "fee": "15.00",
        "minimum": "150.00",
        "freeFrom": None,
        "zips": ["97201", "97202"],
    }
    MESSAGES: ClassVar[Mapping[str, str]] = {
        "name": f"Enter 1 to {MAX_ZONE_NAME} characters.",
        "fee": _AMOUNT_EXPECTED,
        "minimum": _AMOUNT_EXPECTED,
        "freeFrom": _AMOUNT_EXPECTED,
        "zips": f"Enter 1 to {MAX_ZONE_ZIPS:,} ZIP codes.",
    }

    name: Annotated[str, Field(min_length=1, max_length=MAX_ZONE_NAME), AfterValidator(one_line)]
    fee: ZoneAmount | None = None
    minimum: ZoneAmount | None = None
    free_from: ZoneAmount | None = None
    zips: Annotated[list[str], Field(min_length=1, max_length=MAX_ZONE_ZIPS)]

    @field_validator("zips")
    @classmethod
    def _five_digits_each(cls, zips: list[str]) -> list[str]:
        """In order, each once. `97201-1234` is in the zone of 97201."""
        read = {text: places.read_zip(text) for text in zips}
        if wrong := [text for text, found in read.items() if found is None]:
            raise ValueError(not_zip_codes(wrong))
        return sorted({found for found in read.values() if found is not None})

    def columns(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "fee_cents": self.fee,
            "minimum_cents": self.minimum,
            "free_from_cents": self.free_from,
        }


class ZoneRef(Form):
    """The id of a zone, as the buttons send it."""

    id: RowId


class ZoneView(View):
    id: int
    name: str = Field(examples=["East side"])
    fee_cents: Money | None = Field(examples=["15.00"])
    minimum_cents: Money | None = Field(examples=["150.00"])
    free_from_cents: Money | None = Field(examples=[None])
    zips: tuple[str, ...] = Field(examples=[["97201", "97202"]])

    def values(self) -> dict[str, Any]:
        """The fields of `ZoneForm`, by their wire names."""
        return {
            "name": self.name,
            "fee": self.fee_cents,
            "minimum": self.minimum_cents,
            "freeFrom": self.free_from_cents,
            "zips": [*self.zips],
        }
