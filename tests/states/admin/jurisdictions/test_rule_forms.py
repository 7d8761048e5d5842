"""The two dialogs that add a version of a state's rules (RULE rules-admin)."""

from datetime import date
from typing import Any

import pytest

from marketplace_app import clock, db, rule_messages
from marketplace_app.config import get_settings
from marketplace_app.models import User
from marketplace_app.schemas.jurisdictions.jurisdictions import VersionView
from marketplace_app.services.admin import rules
from marketplace_app.services.jurisdictions import versions
from marketplace_app.states.admin.jurisdictions.rule_forms import AdminRuleCopyState, AdminRuleDraftState
from marketplace_app.states.admin.jurisdictions.rules import AdminRulesState
from marketplace_app.states.events.arguments import UNREADABLE
from tests.conftest import ON_SQLITE, Cast
from tests.states.admin.conftest import Tab


def today() -> date:
    return clock.today(get_settings().timezone)


@pytest.fixture
def california(cast: Cast) -> VersionView:
    """With hours, amounts, limits and two taxes."""
    return db.write(lambda s: rules.add_draft(s, s.get(User, cast.ada.id), "CA", today()))


def copy(tab: Tab, version: VersionView) -> tuple[Any, dict[str, str]]:
    """The form of a copy, and its texts by their places in the rules."""
    state = tab.state(AdminRuleCopyState)
    tab.send(state, "open_copy", version.id)
    return state, {cell.id.removeprefix("cell-"): cell.value for group in state.groups for cell in group.cells}


def save(tab: Tab, state: Any, texts: dict[str, str], **changes: Any) -> None:
    form = {"copy_from": "2027-06-01", "copy_checked": "2026-11-20", "copy_source": "Law 9", "cell": [*texts.values()]}
    tab.send(state, "save", form | changes)


def errors(state: Any) -> dict[str, str]:
    """What is said beside the fields of the amounts."""
    return {cell.id.removeprefix("cell-"): cell.error for group in state.groups for cell in group.cells if cell.error}


@ON_SQLITE
def test_drafts_name_their_state_and_the_day_they_were_checked_on(tab: Tab) -> None:
    state = tab.state(AdminRuleDraftState)
    tab.send(state, "open_new")
    texts = {draft.state: draft.text for draft in state.drafts}
    assert (texts["CA"], state.valid_from) == ("California, checked on Nov 20, 2026", today().isoformat())
    assert tab.state(AdminRulesState).dialog == "draft"


@ON_SQLITE
def test_a_draft_that_was_added_is_opened_for_its_review(tab: Tab) -> None:
    state, page = tab.state(AdminRuleDraftState), tab.state(AdminRulesState)
    tab.send(state, "open_new")
    tab.send(state, "save", {"draft_us_state": "CA", "draft_from": ""})
    assert (bool(state.errors["validFrom"]), page.dialog, page.states) == (True, "draft", [])
    tab.send(state, "save", {"draft_us_state": "CA", "draft_from": "2027-01-01"})
    [added] = page.states[0].versions
    assert (added.name, page.opened, page.dialog) == ("California, from Jan 01, 2027", added.id, "")


@ON_SQLITE
def test_a_copy_has_the_other_texts_at_their_places(tab: Tab, cast: Cast, california: VersionView) -> None:
    state, texts = copy(tab, california)
    assert (state.title, state.values["source"]) == ("New version of California", california.source)
    assert (state.values["validFrom"], state.values["checkedOn"]) == (today().isoformat(), today().isoformat())
    save(tab, state, texts | {"hours.0.value.opens": "07:30", "buckets.1.limit.0.value": "8.5"})
    opened = tab.state(AdminRulesState).opened
    added = db.read(lambda s: versions.get(s, s.get(User, cast.ada.id), opened))
    assert (added.valid_from.isoformat(), added.source) == ("2027-06-01", "Law 9")
    assert added.rules["buckets"][1]["limit"][0]["value"] == 8_500
    assert added.rules["hours"][0]["value"] == {"opens": "07:30", "closes": "22:00"}
    assert added.rules["taxes"] == california.rules["taxes"]


@ON_SQLITE
@pytest.mark.parametrize(
    ("path", "text", "error"),
    [
        ("buckets.0.limit.0.value", "an ounce", rule_messages.GRAMS_EXPECTED),
        ("taxes.0.rate.1.source", "", rule_messages.SOURCE_EXPECTED),
        ("minimumDue.0.value", "a cent", "An amount such as 49.99 is expected"),
        ("hours.0.value.opens", "25:00", "A time such as 09:30 is expected."),
        ("hours.0.value.closes", "25:00", "A time such as 09:30 is expected."),
    ],
)
def test_what_cannot_be_read_is_said_beside_its_field(
    path: str, text: str, error: str, tab: Tab, california: VersionView
) -> None:
    state, texts = copy(tab, california)
    save(tab, state, texts | {path: text})
    assert (errors(state), state.is_saving, tab.state(AdminRulesState).dialog) == ({path: error}, False, "copy")


@ON_SQLITE
def test_hours_that_end_before_they_begin_are_marked_where_they_begin(tab: Tab, california: VersionView) -> None:
    state, texts = copy(tab, california)
    save(tab, state, texts | {"hours.0.value.opens": "23:00"})
    assert errors(state) == {"hours.0.value.opens": "The closing time must be later than the opening time"}


@ON_SQLITE
def test_taxes_that_are_more_than_what_is_sold_are_marked_beside_each_rate(tab: Tab, california: VersionView) -> None:
    state, texts = copy(tab, california)
    save(tab, state, texts | {"taxes.0.rate.1.value": "60", "taxes.1.rate.0.value": "60"})
    rates = ("taxes.0.rate.0.value", "taxes.0.rate.1.value", "taxes.1.rate.0.value")
    assert errors(state) == dict.fromkeys(
        rates, "Together these taxes come to more than the price of the goods and the delivery fee"
    )


@ON_SQLITE
@pytest.mark.parametrize(
    ("path", "text", "error"),
    [
        ("taxes.0.rate.1.value", "101", rule_messages.PERCENT_EXPECTED),
        ("buckets.0.limit.0.value", "100001", rule_messages.GRAMS_EXPECTED),
    ],
)
def test_what_is_too_large_is_refused_in_the_unit_that_was_typed(
    path: str, text: str, error: str, tab: Tab, california: VersionView
) -> None:
    state, texts = copy(tab, california)
    save(tab, state, texts | {path: text})
    assert errors(state) == {path: error}


@ON_SQLITE
def test_a_form_that_does_not_have_all_fields_of_the_version_is_not_read(tab: Tab, california: VersionView) -> None:
    state, texts = copy(tab, california)
    save(tab, state, texts, cell=[*texts.values()][1:])
    assert state.errors == {"validFrom": UNREADABLE, "checkedOn": "", "source": ""}
    assert len(db.read(versions.list_for_operator)) == 1
