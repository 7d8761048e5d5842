"""The drafts that ship with the store (RULE rule-drafts)."""

from datetime import date
from typing import Any

import pytest
from sqlalchemy import Engine

from marketplace_app import db
from marketplace_app.errors import InvalidInput
from marketplace_app.jobs import seed
from marketplace_app.models import TaxKind, User
from marketplace_app.schemas.jurisdictions.jurisdictions import VersionForm, VersionView
from marketplace_app.schemas.jurisdictions.state_rules import (
    AddressKind,
    Hours,
    Measure,
    RecordItem,
    Rounding,
    StateRules,
)
from marketplace_app.services.jurisdictions import drafts, versions
from tests.conftest import Cast

CHECKED = date(2026, 11, 20)
CANNABIS = frozenset({"THC Flower", "Pre-Rolls", "Concentrates", "Vapes", "Edibles", "Topicals"})
STATES = ("CA", "NY", "OR")
OPEN = {
    "CA": {"vehicleValue": 2, "taxes.excise.rate": 2},
    "NY": {"vehicleValue": 2},
    "OR": {"vehicleValue": 2, "record": 2, "buckets.flower.limit": 2, "buckets.concentrate.limit": 2},
}
FIRST = {state: dict.fromkeys(lines, 0) for state, lines in OPEN.items()}
SECOND = {state: dict.fromkeys(lines, 1) for state, lines in OPEN.items()}

RULES = {
    # delivers, cash, opens, closes, order by, kinds of address, minimum due
    "CA": (True, True, 6 * 60, 22 * 60, None, None, 1),
    "NY": (True, False, 8 * 60, 24 * 60, None, None, 0),
    "OR": (True, True, 8 * 60, 21 * 60, 20 * 60, (AddressKind.RESIDENCE,), 1),
}
VEHICLE = {"CA": (5_000_00, 10_000_00), "NY": (5_000_00, 20_000_00), "OR": (3_000_00, 10_000_00)}
RECORD: dict[str, tuple[Any, Any]] = {
    "CA": (([RecordItem.SIGNATURE], 2_557),) * 2,
    "NY": (None, None),
    "OR": (
        ([RecordItem.BIRTH_DATE, RecordItem.SIGNATURE], 365),
        ([RecordItem.BIRTH_DATE, RecordItem.SIGNATURE], 730),
    ),
}
FLOWER = {"THC Flower": Measure.WEIGHT, "Pre-Rolls": Measure.WEIGHT}
PURE = {"Concentrates": Measure.WEIGHT, "Vapes": Measure.WEIGHT}
WITH_PRODUCTS = PURE | {"Edibles": Measure.THC, "Topicals": Measure.THC}
LIMITS: dict[str, dict[str, tuple[Any, ...]]] = {
    # milligrams a day, with the first values and with the second
    "CA": {"flower": (28_500, 28_500, FLOWER), "concentrate": (8_000, 8_000, WITH_PRODUCTS)},
    "NY": {"flower": (85_048, 85_048, FLOWER), "concentrate": (24_000, 24_000, WITH_PRODUCTS)},
    "OR": {
        "flower": (28_349, 56_699, FLOWER),
        "concentrate": (5_000, 10_000, PURE),
        "products": (453_592, 453_592, {"Edibles": Measure.WEIGHT, "Topicals": Measure.WEIGHT}),
    },
}
TAXES: dict[str, dict[str, tuple[Any, ...]]] = {
    # basis points with the first values and with the second, base, rounding, categories
    "CA": {
        "excise": (1_500, 1_900, ("items",), Rounding.HALF_UP, CANNABIS),
        "sales": (725, 725, ("items", "excise"), Rounding.HALF_UP, frozenset()),
    },
    "NY": {
        "state": (900, 900, ("items",), Rounding.HALF_UP, CANNABIS),
        "local": (400, 400, ("items",), Rounding.HALF_UP, CANNABIS),
    },
    "OR": {
        "state": (1_700, 1_700, ("items",), Rounding.UP, CANNABIS),
        "local": (300, 300, ("items",), Rounding.UP, CANNABIS),
    },
}


def add(who: User, form: VersionForm) -> VersionView:
    return db.write(lambda session: versions.add(session, session.get(User, who.id), form))


def review(who: User, version: VersionView, choices: dict[str, int]) -> VersionView:
    return db.write(lambda session: versions.review(session, session.get(User, who.id), version.id, choices))


def rules_in_force(state: str) -> StateRules:
    version = db.read(lambda session: versions.find(session, state, CHECKED))
    assert version
    return version.rules


def oregon(valid_from: date = CHECKED) -> VersionForm:
    return drafts.read("OR").model_copy(update={"valid_from": valid_from})


def test_there_are_drafts_for_three_states() -> None:
    assert drafts.list_states() == STATES
    assert [drafts.read(state).state for state in STATES] == list(STATES)


@pytest.mark.parametrize("state", STATES)
def test_a_draft_says_that_it_is_no_legal_advice_and_when_it_was_checked(state: str) -> None:
    assert f"Not legal advice. Checked on {CHECKED}." in drafts.text(state).splitlines()[0]
    form = drafts.read(state)
    assert (form.checked_on, form.valid_from) == (CHECKED, CHECKED)


@pytest.mark.parametrize("state", STATES)
def test_every_value_of_a_draft_has_a_source_of_its_own(state: str) -> None:
    """Each source names a law, a rule or an authority. The form refuses a value without a source."""
    for line, options in drafts.read(state).rules.lines().items():
        sources = [option.source for option in options]
        assert len(set(sources)) == len(sources), line
        for source in sources:
            assert any(place in source for place in ("Code", "OAR", "ORS", "NYCRR", "Law", "Office of")), source


def test_a_line_without_source_is_refused_by_its_path() -> None:
    toml = drafts.text("OR").replace('source = "OAR 845-025-2880(3)(a)"\n', "", 1)
    with pytest.raises(InvalidInput) as refused:
        drafts.read_text(toml)
    assert refused.value.fields == {"rules.orderBy.0.source": "This field is required."}


def test_a_file_that_is_not_toml_is_refused_with_the_place() -> None:
    with pytest.raises(InvalidInput) as refused:
        drafts.read_text("state = CA")
    assert refused.value.fields["file"].startswith("This is not TOML: ")
    assert "line 1" in refused.value.fields["file"]


@pytest.mark.parametrize("state", STATES)
def test_the_categories_of_a_draft_are_those_of_the_demo_catalogue(state: str) -> None:
    rules = drafts.read(state).rules
    named = {each.category for bucket in rules.buckets for each in bucket.counts}
    named |= {name for tax in rules.taxes for name in tax.categories}
    assert named == CANNABIS
    assert named <= {name for name, _, _ in seed.CATEGORIES}
    assert {entry["category"] for entry in seed.read_demo()} <= named


@pytest.mark.parametrize("state", STATES)
def test_lines_on_which_sources_disagree_are_open(state: str) -> None:
    open_choices = drafts.read(state).rules.open_choices()
    assert {line: len(options) for line, options in open_choices.items()} == OPEN[state]


@pytest.mark.parametrize("choices", [FIRST, SECOND], ids=["first", "second"])
@pytest.mark.parametrize("state", STATES)
def test_a_reviewed_draft_has_the_values_of_this_table(
    engine: Engine, cast: Cast, state: str, choices: dict[str, dict[str, int]]
) -> None:
    reviewed = review(cast.ada, add(cast.ada, drafts.read(state)), choices[state])
    assert (reviewed.choices, reviewed.reviewed_by) == (choices[state], "Ada")
    rules, which = rules_in_force(state), 0 if choices is FIRST else 1
    hours = rules.hours or Hours(opens="00:00", closes="24:00")  # type: ignore[arg-type]
    single = (rules.delivers, rules.cash_on_delivery, hours.opens, hours.closes, rules.order_until)
    assert (*single, rules.address_kinds, rules.minimum_due_cents) == RULES[state]
    assert rules.vehicle_value_cents == VEHICLE[state][which]
    record = (rules.record.items, rules.record.keep_days) if rules.record else None
    assert record == RECORD[state][which]
    limits = {
        bucket.code: (bucket.limit_mg, {each.category: each.measure for each in bucket.counts})
        for bucket in rules.buckets
    }
    assert limits == {code: (row[which], row[2]) for code, row in LIMITS[state].items()}
    assert {bucket.days for bucket in rules.buckets} == {1}
    assert {each.per_mille for bucket in rules.buckets for each in bucket.counts} == {1_000}
    taxes = {tax.code: (tax.basis_points, tax.base, tax.rounding, tax.categories) for tax in rules.taxes}
    assert taxes == {code: (row[which], *row[2:]) for code, row in TAXES[state].items()}
    assert list(taxes) == list(TAXES[state])
    assert {(tax.kind, tax.credit_reduces_base) for tax in rules.taxes} == {(TaxKind.ADDED, False)}
