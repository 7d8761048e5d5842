"""The page of states' rules for staff."""

from datetime import UTC, date, datetime, timedelta

import pytest

from marketplace_app.schemas.jurisdictions.jurisdictions import VersionForm, VersionView
from marketplace_app.services.admin.rules import Overview
from marketplace_app.states.admin.jurisdictions.rules import StateRow, _state_row

DAY = date(2026, 11, 2)
DRAFT = VersionView(
    id=7,
    state="CA",
    valid_from=DAY,
    rules=VersionForm.EXAMPLE["rules"],
    source="The law",
    checked_on=DAY,
    choices=None,
    reviewed_by=None,
    reviewed_at=None,
)


@pytest.fixture
def row() -> StateRow:
    found = Overview(versions=(DRAFT,), in_force=frozenset(), today=DAY, categories=(), is_enforced=True)
    return _state_row("California", found.versions, found)


def test_a_state_is_named_in_full_in_its_panel_and_in_the_rows_of_its_versions(row: StateRow) -> None:
    assert row.name == "California"
    assert [each.name for each in row.versions] == ["California, from Nov 02, 2026"]


def test_that_orders_are_refused_is_said_with_the_full_name(row: StateRow) -> None:
    assert row.refusal == "Orders to California are refused: none of these versions counts today."


def test_a_version_that_a_newer_one_of_the_same_day_replaces_is_not_said_to_count() -> None:
    later = {"valid_from": DAY + timedelta(days=9), "choices": {}, "reviewed_at": datetime(2026, 11, 1, tzinfo=UTC)}
    newer, older = (DRAFT.model_copy(update={"id": number, **later}) for number in (9, 8))
    found = Overview(versions=(newer, older), in_force=frozenset(), today=DAY, categories=(), is_enforced=True)
    statuses = [each.status for each in _state_row("California", found.versions, found).versions]
    assert statuses == ["Reviewed, counts from Nov 11, 2026", "Reviewed, replaced"]
