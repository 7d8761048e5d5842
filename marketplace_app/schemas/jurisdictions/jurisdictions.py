"""Versions of the rules of states, as they are written down (RULE state-rules).

Each line of a version has one value or, where sources disagree, several, each with its source. An owner reviews the
version and chooses one value for each line; the result is a `StateRules`.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from fractions import Fraction
from typing import Annotated, Any, ClassVar, Generic, TypeVar

from pydantic import AfterValidator, Field, PlainSerializer, RootModel, field_validator
from typing_extensions import TypeAliasType

from marketplace_app import money
from marketplace_app.errors import InvalidInput
from marketplace_app.models import TaxKind
from marketplace_app.places import STATE_NAMES
from marketplace_app.rule_messages import SOURCE_EXPECTED
from marketplace_app.schemas.base import CalendarDay, Cents, Form, Moment, View
from marketplace_app.schemas.jurisdictions.state_rules import (
    AddressKind,
    CategoryCount,
    Hours,
    Label,
    LimitBucket,
    RecordRule,
    Rounding,
    StateRules,
    TaxBase,
    TaxComponent,
    TimeOfDay,
)
from marketplace_app.schemas.texts import one_line

T = TypeVar("T")


def _state(text: str) -> str:
    if text not in STATE_NAMES:
        raise ValueError("a state such as CA is expected")
    return text


StateCode = Annotated[str, AfterValidator(_state)]
# Aliases with names of their own, because the API's documentation names a `Choice` after the type in it.
Amount = TypeAliasType("Amount", Annotated[Cents, Field(ge=0, le=10_000_000_00), PlainSerializer(money.decimal)])
Milligrams = TypeAliasType("Milligrams", Annotated[int, Field(ge=1, le=100_000_000)])
BasisPoints = TypeAliasType("BasisPoints", Annotated[int, Field(ge=1, le=10_000)])
AddressKinds = TypeAliasType(
    "AddressKinds", Annotated[list[Annotated[AddressKind, Field(strict=False)]], Field(min_length=1)]
)
Code = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,39}$")]
Source = Annotated[str, Field(min_length=1, max_length=300), AfterValidator(one_line)]
_SINGLE_LINES = (
    "delivery",
    "cash_on_delivery",
    "hours",
    "order_until",
    "address_kinds",
    "minimum_due",
    "vehicle_value",
    "record",
)


class Option(Form, Generic[T]):
    """A value and its legal source."""

    value: T
    source: Source


class Choice(RootModel[Annotated[list[Option[T]], Field(min_length=1, max_length=5)]], Generic[T]):
    """One value, or several of which an owner chooses one."""

    @property
    def options(self) -> list[Option[T]]:
        return self.root


class BucketForm(Form):
    """A limit of what one person may buy, in milligrams."""

    code: Code
    label: Label
    days: Annotated[int, Field(ge=0, le=366)]
    """0: each order by itself. 1: today, in the store's time zone. 30: the last 30 days, today included."""
    limit: Choice[Milligrams]
    counts: Annotated[list[CategoryCount], Field(min_length=1, max_length=50)]


class TaxForm(Form):
    code: Code
    label: Label
    rate: Choice[BasisPoints]
    """1,500 is 15%."""
    base: Annotated[list[Code], Field(min_length=1, max_length=10)]
    """`items`, `delivery`, or the codes of components before this one."""
    rounding: Annotated[Rounding, Field(strict=False)] = Rounding.HALF_UP
    kind: Annotated[TaxKind, Field(strict=False)] = TaxKind.ADDED
    categories: Annotated[list[Label], Field(max_length=50)] = []
    """The categories of the products that are taxed; empty for all."""
    credit_reduces_base: bool = False
    """If False, credit is a way to pay, and the tax is computed as if there were none."""


class RulesForm(Form):
    """What a version says. What it leaves out is not restricted."""

    delivery: Choice[bool]
    cash_on_delivery: Choice[bool]
    hours: Choice[Hours] | None = None
    order_until: Annotated[Choice[TimeOfDay] | None, Field(alias="orderBy")] = None
    """The time by which something that arrives on the same day must have been ordered."""
    address_kinds: Choice[AddressKinds] | None = None
    """The only kinds of addresses that may be delivered to."""
    minimum_due: Choice[Amount] | None = None
    """What an order must cost at least after its discounts."""
    vehicle_value: Choice[Amount] | None = None
    """The value of the products that one vehicle may carry."""
    record: Choice[RecordRule] | None = None
    """What is recorded about an order, and how long the record is kept."""
    buckets: Annotated[list[BucketForm], Field(max_length=30)] = []
    taxes: Annotated[list[TaxForm], Field(max_length=20)] = []

    @field_validator("buckets")
    @classmethod
    def _require_separate_buckets(cls, buckets: list[BucketForm]) -> list[BucketForm]:
        _require_different(bucket.code for bucket in buckets)
        counted = Counter((each.category, bucket.days, each.measure) for bucket in buckets for each in bucket.counts)
        if overlap := [category for (category, *_), times in counted.items() if times > 1]:
            raise ValueError(f"two limits of the same period count '{overlap[0]}'")
        return buckets

    @field_validator("taxes")
    @classmethod
    def _based_on_earlier_ones(cls, taxes: list[TaxForm]) -> list[TaxForm]:
        _require_different([*TaxBase, *(tax.code for tax in taxes)])
        known = {base.value for base in TaxBase}
        for tax in taxes:
            if repeated := _first_repeated(tax.base):
                raise ValueError(f"'{repeated}' is listed twice")
            if unknown := [name for name in tax.base if name not in known]:
                raise ValueError(f"'{unknown[0]}' is neither items, delivery nor a tax before '{tax.code}'")
            known.add(tax.code)
        if _highest_total_rate(taxes) > money.HUNDRED_PERCENT:
            raise ValueError("together these taxes come to more than the price of the goods and the delivery fee")
        return taxes

    def wire(self) -> dict[str, Any]:
        """As it is stored, and as REST shows it: `RulesForm` reads it back."""
        return self.model_dump(mode="json", by_alias=True, exclude_none=True)

    def lines(self) -> dict[str, Sequence[Option[Any]]]:
        """The options of each line, by its path: `vehicleValue`, `buckets.flower.limit`, `taxes.excise.rate`."""
        single = {str(RulesForm.model_fields[name].alias): getattr(self, name) for name in _SINGLE_LINES}
        limits = {f"buckets.{bucket.code}.limit": bucket.limit for bucket in self.buckets}
        rates = {f"taxes.{tax.code}.rate": tax.rate for tax in self.taxes}
        return {path: choice.options for path, choice in (single | limits | rates).items() if choice}

    def open_choices(self) -> dict[str, Sequence[Option[Any]]]:
        """The lines of which an owner must choose an option."""
        return {path: options for path, options in self.lines().items() if len(options) > 1}

    def chosen(self, choices: Mapping[str, int]) -> StateRules:
        """The rules with the chosen option (0 is the first) of each line that has several.

        Raises InvalidInput, by path, for a choice that is missing or does not exist.
        """
        open_choices = self.open_choices()
        wrong = {
            path: f"Choose one of the {len(options)} values."
            for path, options in open_choices.items()
            if not 0 <= choices.get(path, -1) < len(options)
        }
        wrong |= {path: "There is nothing to choose here." for path in choices if path not in open_choices}
        if wrong:
            raise InvalidInput(wrong)
        values = {path: options[choices.get(path, 0)].value for path, options in self.lines().items()}
        kinds = values.get("addressKinds")
        return StateRules(
            delivers=values["delivery"],
            cash_on_delivery=values["cashOnDelivery"],
            hours=values.get("hours"),
            order_until=values.get("orderBy"),
            address_kinds=None if kinds is None else tuple(kinds),
            minimum_due_cents=values.get("minimumDue", 0),
            vehicle_value_cents=values.get("vehicleValue"),
            record=values.get("record"),
            buckets=tuple(
                LimitBucket(each.code, each.label, each.days, values[f"buckets.{each.code}.limit"], tuple(each.counts))
                for each in self.buckets
            ),
            taxes=tuple(_component(each, values[f"taxes.{each.code}.rate"]) for each in self.taxes),
        )


class VersionForm(Form):
    """A version of a state's rules. It counts from `valid_from`, once an owner has reviewed it."""

    EXAMPLE: ClassVar[Mapping[str, Any]] = {
        "state": "OR",
        "validFrom": "2026-12-01",
        "checkedOn": "2026-11-20",
        "source": "OAR 845-025-2880",
        "rules": {
            "delivery": [{"value": True, "source": "OAR 845-025-2880(1)"}],
            "cashOnDelivery": [{"value": True, "source": "OAR 845-025-2880(3)"}],
        },
    }
    MESSAGES: ClassVar[Mapping[str, str]] = {"source": SOURCE_EXPECTED}

    state: StateCode
    valid_from: CalendarDay
    checked_on: CalendarDay
    source: Source
    rules: RulesForm


class ReviewForm(Form):
    """The option that is chosen for each line with several: 0 is the first."""

    EXAMPLE: ClassVar[Mapping[str, Any]] = {"choices": {"vehicleValue": 0}}

    choices: Annotated[dict[str, Annotated[int, Field(ge=0, le=9)]], Field(max_length=100)] = {}


class VersionView(View):
    id: int
    state: str = Field(examples=["OR"])
    valid_from: date
    checked_on: date
    source: str = Field(examples=["OAR 845-025-2880"])
    rules: dict[str, Any] = Field(examples=[VersionForm.EXAMPLE["rules"]])
    choices: dict[str, int] | None = Field(examples=[{}])
    reviewed_by: str | None = Field(examples=["Ada Owner"])
    """None until an owner has reviewed the version; it counts for nothing before that."""
    reviewed_at: Moment | None


def _require_different(codes: Iterable[str]) -> None:
    if repeated := _first_repeated(codes):
        raise ValueError(f"two are named '{repeated}'")


def _first_repeated(names: Iterable[str]) -> str | None:
    return next((name for name, times in Counter(names).items() if times > 1), None)


def _highest_total_rate(taxes: Sequence[TaxForm]) -> Fraction:
    """What all taxes come to at most, in basis points of the goods and the fee. This has a limit because taxes on taxes
    can multiply beyond what an amount may be."""
    shares: dict[str, Fraction] = {}
    for tax in taxes:
        of_sale = money.HUNDRED_PERCENT if any(base in tax.base for base in TaxBase) else 0
        base = of_sale + sum(shares[code] for code in tax.base if code in shares)
        shares[tax.code] = base * Fraction(max(option.value for option in tax.rate.options), money.HUNDRED_PERCENT)
    return sum(shares.values(), Fraction())


def _component(tax: TaxForm, basis_points: int) -> TaxComponent:
    return TaxComponent(
        code=tax.code,
        label=tax.label,
        basis_points=basis_points,
        base=tuple(tax.base),
        rounding=tax.rounding,
        kind=tax.kind,
        categories=frozenset(tax.categories),
        credit_reduces_base=tax.credit_reduces_base,
    )
