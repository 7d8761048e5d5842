"""Owners who review the same version at once (RULE rules-admin)."""

import pytest
from sqlalchemy import Engine, select
from sqlmodel import Session, col

from marketplace_app import db
from marketplace_app.models import AuditEntry, Role, User
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.jurisdictions import VersionForm, VersionView
from marketplace_app.services.jurisdictions import versions
from marketplace_app.services.jurisdictions.versions import AlreadyReviewed
from tests.builders import make_user
from tests.conftest import Cast
from tests.services.test_races import at_once

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
