"""What staff see of all versions of rules (RULE rules-admin)."""

from datetime import date, timedelta

import pytest
from sqlmodel import Session

from marketplace_app import clock
from marketplace_app.config import get_settings
from marketplace_app.errors import NotAllowed, NotFound
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.jurisdictions.jurisdictions import VersionForm
from marketplace_app.services.admin import rules
from marketplace_app.services.jurisdictions import drafts, versions
from tests.conftest import Cast


def add(session: Session, cast: Cast, state: str, valid_from: date, *, is_reviewed: bool = True) -> int:
    form = parse(VersionForm, {**VersionForm.EXAMPLE, "state": state, "validFrom": valid_from.isoformat()})
    added = versions.add(session, cast.ada, form)
    if is_reviewed:
        versions.review(session, cast.ada, added.id, {})
    return added.id


def test_of_each_state_the_latest_reviewed_version_that_counts_today_is_in_force(session: Session, cast: Cast) -> None:
    today = clock.today(get_settings().timezone)
    long_ago, yesterday, tomorrow = today - timedelta(days=90), today - timedelta(days=1), today + timedelta(days=1)
    replaced = add(session, cast, "OR", long_ago)
    oregon = add(session, cast, "OR", yesterday)
    later = add(session, cast, "OR", tomorrow)
    draft = add(session, cast, "OR", today, is_reviewed=False)
    california = add(session, cast, "CA", today)
    add(session, cast, "NY", today, is_reviewed=False)
    found = rules.show(session, cast.ada)
    assert found.in_force == {oregon, california}
    assert [each.id for each in found.versions if each.state == "OR"] == [later, draft, oregon, replaced]
    assert [each.state for each in found.versions] == ["CA", "NY", "OR", "OR", "OR", "OR"]
    assert (found.today, found.is_enforced) == (today, False)


def test_a_draft_is_added_unchanged_but_for_the_day_from_which_it_counts(session: Session, cast: Cast) -> None:
    state = drafts.list_states()[0]
    shipped, day = drafts.read(state), date(2031, 5, 4)
    added = rules.add_draft(session, cast.ada, shipped.state, day)
    assert (added.state, added.valid_from, added.reviewed_at) == (shipped.state, day, None)
    assert (added.checked_on, added.source, added.rules) == (shipped.checked_on, shipped.source, shipped.rules.wire())


def test_a_state_without_a_draft_is_not_found(session: Session, cast: Cast) -> None:
    with pytest.raises(NotFound):
        rules.add_draft(session, cast.ada, "ZZ", date(2031, 5, 4))


def test_customers_see_neither_rules_nor_drafts(session: Session, cast: Cast) -> None:
    for reading in (rules.show, rules.list_drafts):
        with pytest.raises(NotAllowed):
            reading(session, cast.alice)
    with pytest.raises(NotAllowed):
        rules.add_draft(session, cast.alice, "CA", date(2031, 5, 4))
