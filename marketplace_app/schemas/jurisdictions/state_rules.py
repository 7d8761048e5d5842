"""The rules of a state as they are applied: a reviewed version with the options that were chosen (RULE state-rules)."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, NamedTuple, Self

from pydantic import AfterValidator, Field, PlainSerializer, model_validator
from typing_extensions import TypeAliasType

from marketplace_app.models import TaxKind
from marketplace_app.schemas.base import Form
from marketplace_app.schemas.delivery.windows import ClockTime, show_minutes
from marketplace_app.schemas.texts import one_line

# A TypeAliasType has a name, from which the API's documentation makes the name of `Choice[TimeOfDay]` (in
# `schemas/jurisdictions/jurisdictions.py`).
TimeOfDay = TypeAliasType("TimeOfDay", Annotated[ClockTime, PlainSerializer(show_minutes)])
"""A time at the store, in minutes since midnight."""
Label = Annotated[str, Field(min_length=1, max_length=60), AfterValidator(one_line)]


class AddressKind(StrEnum):
    RESIDENCE = "residence"
    BUSINESS = "business"
    HOTEL = "hotel"
    DORMITORY = "dormitory"

    @property
    def plural(self) -> str:
        return _PLURALS[self]


_PLURALS = {
    AddressKind.RESIDENCE: "homes",
    AddressKind.BUSINESS: "businesses",
    AddressKind.HOTEL: "hotels",
    AddressKind.DORMITORY: "dormitories",
}


class RecordItem(StrEnum):
    """What the record of an order must have beyond what every order has."""

    BIRTH_DATE = "birth_date"
    SIGNATURE = "signature"


class Measure(StrEnum):
    """How a product counts towards a limit."""

    WEIGHT = "weight"
    """Its net weight."""
    THC = "thc"
    """The THC in it."""


class Rounding(StrEnum):
    HALF_UP = "half_up"
    UP = "up"
    """To the next cent."""


class TaxBase(StrEnum):
    """What a tax is computed from. Codes of earlier components may be named beside these."""

    ITEMS = "items"
    DELIVERY = "delivery"


class Hours(Form):
    """When deliveries may arrive."""

    opens: TimeOfDay
    closes: TimeOfDay

    @model_validator(mode="after")
    def _opens_first(self) -> Self:
        if self.closes <= self.opens:
            raise ValueError("the closing time must be later than the opening time")
        return self


class RecordRule(Form):
    """What an order's record must have, and how many days it is kept after the order has ended."""

    items: Annotated[list[Annotated[RecordItem, Field(strict=False)]], Field(min_length=1, max_length=10)]
    keep_days: Annotated[int, Field(ge=1, le=3_660)]

    @property
    def asks_birth_date(self) -> bool:
        return RecordItem.BIRTH_DATE in self.items

    @property
    def asks_signature(self) -> bool:
        return RecordItem.SIGNATURE in self.items

    @property
    def asked_at_checkout(self) -> tuple[str, ...]:
        """What the customer is asked for at the checkout. A signature is given at the door."""
        return (RecordItem.BIRTH_DATE.value,) if self.asks_birth_date else ()


class CategoryCount(Form):
    """How the products of a category count towards a limit."""

    category: Label
    measure: Annotated[Measure, Field(strict=False)] = Measure.WEIGHT
    per_mille: Annotated[int, Field(ge=1, le=100_000)] = 1_000
    """1,000 counts the measure as it is, 250 a quarter of it."""


@dataclass(frozen=True)
class LimitBucket:
    """A limit of what one person may buy."""

    code: str
    label: str
    days: int
    """0: each order by itself. 1: today, in the store's time zone. 30: the last 30 days, today included."""
    limit_mg: int
    counts: tuple[CategoryCount, ...]


@dataclass(frozen=True)
class TaxComponent:
    code: str
    label: str
    basis_points: int
    base: tuple[str, ...]
    rounding: Rounding
    kind: TaxKind
    categories: frozenset[str]
    """Empty for all."""
    credit_reduces_base: bool


@dataclass(frozen=True)
class StateRules:
    """What applies in a state. The defaults restrict nothing."""

    delivers: bool = True
    cash_on_delivery: bool = True
    hours: Hours | None = None
    order_until: int | None = None
    """By when an order must be placed to be delivered on the same day, in minutes since midnight."""
    address_kinds: tuple[AddressKind, ...] | None = None
    minimum_due_cents: int = 0
    vehicle_value_cents: int | None = None
    """The most that the goods in a vehicle may be worth."""
    record: RecordRule | None = None
    buckets: tuple[LimitBucket, ...] = ()
    taxes: tuple[TaxComponent, ...] = ()

    @property
    def birth_date_record(self) -> RecordRule | None:
        """The rule for the record of an order, if the record must have a birth date."""
        return self.record if self.record and self.record.asks_birth_date else None


class Version(NamedTuple):
    """The rules of a version that is in force."""

    id: int
    rules: StateRules
    state: str
    """The state's two letters: `OR` for Oregon."""
