"""The lines of a version of rules in words (RULE rules-admin): `28.5 g a day`, `Only homes`."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from typing import Any, NamedTuple

from marketplace_app import clock, money
from marketplace_app.display.paging import counted
from marketplace_app.models import TaxKind
from marketplace_app.rule_messages import grams, listed, within_sentence
from marketplace_app.schemas.jurisdictions.jurisdictions import BucketForm, Option, RulesForm, TaxForm, VersionView
from marketplace_app.schemas.jurisdictions.state_rules import (
    AddressKind,
    CategoryCount,
    Hours,
    Measure,
    RecordRule,
    Rounding,
)

_ROUNDINGS = {Rounding.HALF_UP: "rounded half up", Rounding.UP: "rounded up to the next cent"}

_Wording = tuple[str, str, Callable[[Any], str]]
"""The label of a line, its note, and a function that puts one of its values into words."""


class Line(NamedTuple):
    path: str
    """As in `RulesForm.lines`."""
    label: str
    note: str
    """What holds for each of the values."""
    values: tuple[tuple[str, str], ...]
    """Each value in words, with its legal source."""


def lines(rules: RulesForm) -> tuple[Line, ...]:
    labels = {each.code: each.label for each in rules.taxes}
    buckets = {f"buckets.{each.code}.limit": _bucket_wording(each) for each in rules.buckets}
    taxes = {f"taxes.{each.code}.rate": _tax_wording(each, labels) for each in rules.taxes}
    wordings = {**_OTHER_WORDINGS, **buckets, **taxes}
    return tuple(_line(path, wordings[path], options) for path, options in rules.lines().items())


def _line(path: str, wording: _Wording, options: Sequence[Option[Any]]) -> Line:
    label, note, show = wording
    return Line(path, label, note, tuple((show(each.value), each.source) for each in options))


def unlimited_categories(rules: RulesForm, categories: Iterable[str]) -> tuple[str, ...]:
    """The store's categories of which anybody may buy as much as they like."""
    limited = {each.category for bucket in rules.buckets for each in bucket.counts}
    return tuple(category for category in categories if category not in limited)


def unknown_categories(rules: RulesForm, categories: Sequence[str]) -> tuple[str, ...]:
    """Categories that the rules name but the store does not have: a rule for one of them applies to no product."""
    limited = [each.category for bucket in rules.buckets for each in bucket.counts]
    taxed = [category for tax in rules.taxes for category in tax.categories]
    return tuple(category for category in dict.fromkeys(limited + taxed) if category not in categories)


def period(days: int) -> str:
    return {0: "an order", 1: "a day"}.get(days) or f"in {days} days"


def _allowed(value: bool) -> str:
    return "Allowed" if value else "Not allowed"


def first_day(version: VersionView, versions: Iterable[VersionView], today: date) -> date | None:
    """From which day a version counts once it is reviewed: its own first day, or today if that is past.

    None if it never counts, because a newer version among `versions`, already reviewed, has replaced it by then.
    """
    first = max(version.valid_from, today)
    is_replaced = any(
        each.state == version.state
        and each.reviewed_at is not None
        and (each.valid_from, each.id) > (version.valid_from, version.id)
        and each.valid_from <= first
        for each in versions
    )
    return None if is_replaced else first


def _hours(hours: Hours) -> str:
    return f"{clock.show_minutes_of_day(hours.opens)} to {clock.show_minutes_of_day(hours.closes)}"


def _address_kinds(kinds: Sequence[AddressKind]) -> str:
    return f"Only {listed([each.plural for each in kinds])}"


def _record(record: RecordRule) -> str:
    items = listed([each.value.replace("_", " ") for each in record.items])
    return f"{items[:1].upper()}{items[1:]}, kept for {counted(record.keep_days, 'day')}"


def _at_most(cents: int) -> str:
    return f"At most {money.show(cents)}"


_OTHER_WORDINGS: Mapping[str, _Wording] = {
    "delivery": ("Delivery", "", _allowed),
    "cashOnDelivery": ("Cash on delivery", "", _allowed),
    "hours": ("Hours of delivery", "", _hours),
    "orderBy": ("Order by, for the same day", "", clock.show_minutes_of_day),
    "addressKinds": ("Addresses", "", _address_kinds),
    "minimumDue": ("Due at least", "After all discounts.", money.show),
    "vehicleValue": ("Products in one vehicle", "", _at_most),
    "record": ("Record of an order", "", _record),
}
"""Of everything but the buckets and the taxes, of which rules may have any number."""


def _bucket_wording(bucket: BucketForm) -> _Wording:
    counts = listed([_counted_category(each) for each in bucket.counts])
    return f"Limit: {bucket.label}", f"Counts {counts}.", lambda mg: f"{grams(mg)} {period(bucket.days)}"


def _counted_category(count: CategoryCount) -> str:
    """`Vapes`, `Vapes (25%)`, `Edibles (by THC)`"""
    details = []
    if count.measure is Measure.THC:
        details.append("by THC")
    if count.per_mille != 1_000:
        details.append(money.show_rate(count.per_mille * 10))
    return f"{count.category} ({', '.join(details)})" if details else count.category


def _tax_wording(tax: TaxForm, labels: Mapping[str, str]) -> _Wording:
    base = listed([within_sentence(labels.get(name, name)) for name in tax.base])
    kind = "added" if tax.kind is TaxKind.ADDED else "included in prices"
    notes = [f"Only {listed(tax.categories)}."] if tax.categories else []
    notes += ["Credit reduces its base."] if tax.credit_reduces_base else []
    ending = f"on {base}, {kind}, {_ROUNDINGS[tax.rounding]}"
    return f"Tax: {tax.label}", " ".join(notes), lambda rate: f"{money.show_rate(rate)} {ending}"
