"""The lines of a version of rules in words (RULE rules-admin)."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

from marketplace_app.display.rule_lines import first_day, lines, unknown_categories, unlimited_categories
from marketplace_app.schemas.jurisdictions.jurisdictions import RulesForm, VersionView

ALLOWED = [{"value": True, "source": "Law 1"}]
CATEGORIES = ("THC Flower", "Edibles", "Vapes")


def rules(**more: Any) -> RulesForm:
    return RulesForm.model_validate({"delivery": ALLOWED, "cashOnDelivery": ALLOWED} | more)


def one(value: object) -> list[dict[str, object]]:
    return [{"value": value, "source": "Law 2"}]


def bucket(limit: int, days: int, *counts: dict[str, object]) -> dict[str, object]:
    return {"code": "flower", "label": "Flower", "days": days, "limit": one(limit), "counts": [*counts]}


def tax(rate: int, base: list[str], **more: object) -> dict[str, object]:
    return {"code": "excise", "label": "Excise tax", "rate": one(rate), "base": base} | more


@pytest.mark.parametrize(
    ("more", "path", "label", "words"),
    [
        ({"cashOnDelivery": one(False)}, "cashOnDelivery", "Cash on delivery", "Not allowed"),
        ({"hours": one({"opens": "09:00", "closes": "21:00"})}, "hours", "Hours of delivery", "9 AM to 9 PM"),
        ({"hours": one({"opens": "00:30", "closes": "24:00"})}, "hours", "Hours of delivery", "12:30 AM to 12 AM"),
        ({"orderBy": one("18:05")}, "orderBy", "Order by, for the same day", "6:05 PM"),
        ({"addressKinds": one(["residence"])}, "addressKinds", "Addresses", "Only homes"),
        (
            {"addressKinds": one(["residence", "business", "hotel"])},
            "addressKinds",
            "Addresses",
            "Only homes, businesses and hotels",
        ),
        ({"minimumDue": one("1.00")}, "minimumDue", "Due at least", "$1.00"),
        ({"vehicleValue": one("5000.00")}, "vehicleValue", "Products in one vehicle", "At most $5,000.00"),
        (
            {"record": one({"items": ["birth_date", "signature"], "keepDays": 730})},
            "record",
            "Record of an order",
            "Birth date and signature, kept for 730 days",
        ),
        (
            {"record": one({"items": ["birth_date"], "keepDays": 1})},
            "record",
            "Record of an order",
            "Birth date, kept for 1 day",
        ),
        (
            {"buckets": [bucket(28_500, 1, {"category": "Vapes"})]},
            "buckets.flower.limit",
            "Limit: Flower",
            "28.5 g a day",
        ),
        (
            {"buckets": [bucket(1_134_000, 14, {"category": "Vapes"})]},
            "buckets.flower.limit",
            "Limit: Flower",
            "1,134 g in 14 days",
        ),
        (
            {"buckets": [bucket(5, 0, {"category": "Vapes"})]},
            "buckets.flower.limit",
            "Limit: Flower",
            "0.005 g an order",
        ),
        (
            {"taxes": [tax(1_500, ["items"])]},
            "taxes.excise.rate",
            "Tax: Excise tax",
            "15% on items, added, rounded half up",
        ),
        (
            {"taxes": [tax(725, ["items", "delivery"], kind="included", rounding="up")]},
            "taxes.excise.rate",
            "Tax: Excise tax",
            "7.25% on items and delivery, included in prices, rounded up to the next cent",
        ),
    ],
)
def test_a_value_is_said_in_words_with_its_source(more: dict[str, Any], path: str, label: str, words: str) -> None:
    found = {line.path: line for line in lines(rules(**more))}
    assert found[path].label == label
    assert found[path].values == ((words, "Law 2"),)


def test_every_line_of_the_rules_is_shown_in_their_order() -> None:
    full = rules(
        vehicleValue=[*one("5000.00"), *one("10000.00")],
        buckets=[bucket(1_000, 1, {"category": "Vapes"})],
        taxes=[
            tax(100, ["items"]),
            tax(200, ["excise"], code="sales", label="CA sales tax"),
            tax(300, ["sales"], code="x"),
        ],
    )
    assert [line.path for line in lines(full)] == list(full.lines())
    assert [len(line.values) for line in lines(full)] == [1, 1, 2, 1, 1, 1, 1]
    assert lines(full)[-2].values == (("2% on excise tax, added, rounded half up", "Law 2"),)
    assert lines(full)[-1].values == (("3% on CA sales tax, added, rounded half up", "Law 2"),)


def test_a_limit_says_what_counts_and_how() -> None:
    counts: tuple[dict[str, object], ...] = (
        {"category": "THC Flower"},
        {"category": "Edibles", "measure": "thc"},
        {"category": "Vapes", "measure": "thc", "perMille": 250},
    )
    line = lines(rules(buckets=[bucket(28_500, 1, *counts)]))[-1]
    assert line.note == "Counts THC Flower, Edibles (by THC) and Vapes (by THC, 25%)."


def test_a_tax_says_of_which_categories_it_is_and_whether_credit_reduces_it() -> None:
    line = lines(rules(taxes=[tax(100, ["items"], categories=["Vapes", "Edibles"], creditReducesBase=True)]))[-1]
    assert line.note == "Only Vapes and Edibles. Credit reduces its base."


TODAY = date(2026, 11, 25)


@pytest.mark.parametrize(
    ("days", "newer", "first"),
    [
        (-9, [], 0),
        (9, [], 9),
        (-9, [(-5, {})], None),
        (-9, [(5, {})], 0),
        (9, [(9, {})], None),
        (-9, [(-9, {"id": 6})], 0),
        (-9, [(-5, {"reviewed_at": None})], 0),
        (-9, [(-5, {"state": "CA"})], 0),
    ],
    ids=["at once", "later", "replaced", "until then", "of the same day", "older", "a draft", "another state"],
)
def test_a_version_that_newer_ones_replace_never_counts(
    days: int, newer: list[tuple[int, dict[str, Any]]], first: int | None
) -> None:
    def version(valid_in: int, **facts: Any) -> VersionView:
        day = TODAY + timedelta(days=valid_in)
        known = {"checked_on": TODAY, "source": "Law 1", "rules": {}, "choices": {}, "reviewed_by": "Ada"}
        reviewed = {"id": 8, "state": "OR", "reviewed_at": datetime(2026, 11, 20, tzinfo=UTC)}
        return VersionView(valid_from=day, **known | reviewed | facts)

    draft = version(days, id=7, reviewed_at=None)
    found = first_day(draft, [draft, *(version(valid_in, **facts) for valid_in, facts in newer)], TODAY)
    assert found == (None if first is None else TODAY + timedelta(days=first))


def test_categories_that_no_limit_counts_are_named() -> None:
    assert unlimited_categories(rules(), CATEGORIES) == CATEGORIES
    limited = rules(buckets=[bucket(1, 1, {"category": "Edibles"})])
    assert unlimited_categories(limited, CATEGORIES) == ("THC Flower", "Vapes")


def test_categories_that_the_store_does_not_have_are_named_once() -> None:
    named = rules(
        buckets=[bucket(1, 1, {"category": "Flour"}, {"category": "Edibles"})],
        taxes=[tax(100, ["items"], categories=["Flour", "Vape", "Vapes"])],
    )
    assert unknown_categories(named, CATEGORIES) == ("Flour", "Vape")
