"""Which version of a state's rules counts, and that it never changes (RULE state-rules, RULE rules-admin)."""

from datetime import date, timedelta

import pytest
from sqlalchemy import Engine, select, text
from sqlalchemy.exc import DatabaseError
from sqlmodel import Session, col

from marketplace_app import db
from marketplace_app.errors import InvalidInput
from marketplace_app.models import AuditEntry, Role, User
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.jurisdictions.jurisdictions import VersionForm, VersionView
from marketplace_app.services.jurisdictions import drafts, versions
from marketplace_app.services.jurisdictions.versions import AlreadyReviewed
from tests.builders import make_user
from tests.conftest import Cast
from tests.services.jurisdictions.test_drafts import (
    CHECKED,
    FIRST,
    OPEN,
    SECOND,
    STATES,
    VEHICLE,
    add,
    oregon,
    review,
    rules_in_force,
)
from tests.services.test_races import at_once


def id_in_force(state: str, on: date) -> int | None:
    version = db.read(lambda session: versions.find(session, state, on))
    return version.id if version else None


@pytest.mark.parametrize("state", STATES)
def test_a_review_without_its_choices_is_refused_by_line(engine: Engine, cast: Cast, state: str) -> None:
    version = add(cast.ada, drafts.read(state))
    with pytest.raises(InvalidInput) as refused:
        review(cast.ada, version, {})
    assert refused.value.fields == dict.fromkeys(OPEN[state], "Choose one of the 2 values.")
    for line in OPEN[state]:
        all_but_one = {name: 0 for name in OPEN[state] if name != line}
        with pytest.raises(InvalidInput) as refused:
            review(cast.ada, version, all_but_one)
        assert set(refused.value.fields) == {line}
    assert id_in_force(state, CHECKED) is None


CHANGES = {
    "state": "'NY'",
    "valid_from": "'2020-01-01'",
    "rules": "'{}'",
    "source": "'hearsay'",
    "checked_on": "'2020-01-01'",
    "created_at": "'2020-01-01 00:00:00'",
}


UNREVIEWED = "choices = NULL, reviewed_by_id = NULL, reviewed_at = NULL"


def refuse(engine: Engine, statement: str) -> None:
    with Session(engine) as session, pytest.raises(DatabaseError, match="append-only"):
        session.execute(text(statement))


def test_the_database_refuses_to_change_a_version(engine: Engine, cast: Cast) -> None:
    version = add(cast.ada, oregon())
    for column, value in CHANGES.items():
        refuse(engine, f"UPDATE jurisdiction_versions SET {column} = {value}")
    refuse(engine, "UPDATE jurisdiction_versions SET id = id + 1")
    review(cast.ada, version, FIRST["OR"])
    for column, value in CHANGES.items():
        refuse(engine, f"UPDATE jurisdiction_versions SET {column} = {value}")


@pytest.mark.parametrize(
    "change", [UNREVIEWED, "choices = '{}'", "reviewed_by_id = NULL", "reviewed_at = '2020-01-01'"]
)
def test_the_database_refuses_to_change_a_review(engine: Engine, cast: Cast, change: str) -> None:
    review(cast.ada, add(cast.ada, oregon()), FIRST["OR"])
    refuse(engine, f"UPDATE jurisdiction_versions SET {change}")


def test_the_database_refuses_to_delete_a_version(engine: Engine, cast: Cast) -> None:
    version = add(cast.ada, oregon())
    refuse(engine, "DELETE FROM jurisdiction_versions")
    review(cast.ada, version, FIRST["OR"])
    refuse(engine, "DELETE FROM jurisdiction_versions")
    if engine.dialect.name == "postgresql":
        refuse(engine, "TRUNCATE jurisdiction_versions CASCADE")


COPY = """INTO jurisdiction_versions (id, state, valid_from, rules, source, checked_on, created_at)
SELECT id, 'NY', valid_from, rules, source, checked_on, created_at FROM jurisdiction_versions WHERE true"""


def test_the_database_refuses_to_replace_a_version(engine: Engine, cast: Cast) -> None:
    review(cast.ada, add(cast.ada, oregon()), FIRST["OR"])
    refuse(engine, f"INSERT {COPY} ON CONFLICT (id) DO UPDATE SET state = 'NY'")
    if engine.dialect.name == "sqlite":
        refuse(engine, f"INSERT OR REPLACE {COPY}")
    assert rules_in_force("OR")
    add(cast.ada, oregon())


def test_a_version_can_be_reviewed_once(engine: Engine, cast: Cast) -> None:
    version = add(cast.ada, oregon())
    review(cast.ada, version, FIRST["OR"])
    with pytest.raises(versions.AlreadyReviewed):
        review(cast.ada, version, SECOND["OR"])
    assert rules_in_force("OR").vehicle_value_cents == VEHICLE["OR"][0]


@pytest.mark.parametrize("is_newer_added_first", [True, False])
def test_a_newer_version_counts_from_its_day_on(engine: Engine, cast: Cast, is_newer_added_first: bool) -> None:
    """In whichever order they are added and reviewed."""
    day = timedelta(days=1)
    change = CHECKED + 30 * day
    added = {on: add(cast.ada, oregon(on)) for on in sorted((CHECKED, change), reverse=is_newer_added_first)}
    old, new = added[CHECKED], added[change]
    for version in (new, old):
        review(cast.ada, version, FIRST["OR"])
    assert id_in_force("OR", CHECKED - day) is None
    days = (CHECKED, change - day, change, change + day)
    assert [id_in_force("OR", on) for on in days] == [old.id, old.id, new.id, new.id]
    assert id_in_force("CA", change) is None


def test_of_two_versions_from_the_same_day_the_one_added_later_counts(engine: Engine, cast: Cast) -> None:
    first, second = add(cast.ada, oregon()), add(cast.ada, oregon())
    for version in (second, first):
        review(cast.ada, version, FIRST["OR"])
    assert id_in_force("OR", CHECKED) == second.id


def test_an_unreviewed_version_never_counts(engine: Engine, cast: Cast) -> None:
    add(cast.ada, oregon())
    assert id_in_force("OR", CHECKED + timedelta(days=400)) is None
    reviewed = add(cast.ada, oregon())
    add(cast.ada, oregon(CHECKED + timedelta(days=1)))
    review(cast.ada, reviewed, FIRST["OR"])
    assert id_in_force("OR", CHECKED + timedelta(days=400)) == reviewed.id


ALLOWED = [{"value": True, "source": "Law 1"}]


TWO_VALUES = [{"value": "5000.00", "source": "Law 2"}, {"value": "10000.00", "source": "Law 3"}]


@pytest.mark.race
def test_of_many_reviews_at_once_one_counts_and_the_others_are_told(
    engine: Engine, session: Session, cast: Cast
) -> None:
    rules = {"delivery": ALLOWED, "cashOnDelivery": ALLOWED, "vehicleValue": TWO_VALUES}
    added = versions.add(session, cast.ada, parse(VersionForm, {**VersionForm.EXAMPLE, "rules": rules}))
    owners = [cast.ada, make_user(session, "olga", role=Role.OWNER)]
    session.commit()

    def review(number: int) -> VersionView:
        owner = owners[number % 2].id
        return db.write(lambda s: versions.review(s, s.get(User, owner), added.id, {"vehicleValue": number % 2}))

    answers = at_once([lambda number=number: review(number) for number in range(20)])  # type: ignore[misc]
    [counted] = [each for each in answers if isinstance(each, VersionView)]
    assert [type(each) for each in answers if each is not counted] == [AlreadyReviewed] * 19
    with Session(engine) as check:
        assert versions.get(check, cast.ada, added.id) == counted
        reviews = select(col(AuditEntry.actor_id)).where(col(AuditEntry.action) == "rules.reviewed")
        assert check.execute(reviews).scalars().all() == [owners[(counted.choices or {})["vehicleValue"]].id]
