"""A quote reads the zone and the rules of a place in one SQL statement, with the same result as one by one."""

from datetime import timedelta

import pytest
from sqlalchemy import Engine
from sqlmodel import Session

from marketplace_app import clock, db
from marketplace_app.models import ZipPlace
from marketplace_app.places import Place
from marketplace_app.services.delivery import place_terms, zones
from marketplace_app.services.jurisdictions import versions
from tests.builders import make_rules, make_zone
from tests.counting import count_statements

PORTLAND, SEATTLE, NOWHERE = "97201", "98101", "97999"
PLACES = [
    Place(PORTLAND, "OR"),
    Place(PORTLAND),
    Place(PORTLAND, "WA"),  # contradicts its ZIP code
    Place(SEATTLE, "WA"),  # in a zone, but in a state without rules
    Place(SEATTLE),
    Place(NOWHERE, "OR"),  # in no zone
    Place(NOWHERE),
]


@pytest.fixture(autouse=True)
def area(session: Session) -> None:
    make_zone(session, PORTLAND, name="East side", fee_cents=12_00, minimum_cents=80_00)
    make_zone(session, SEATTLE, name="North")
    session.add_all(
        ZipPlace(zip_code=zip_code, state=state, latitude=45.5, longitude=-122.7)
        for zip_code, state in ((PORTLAND, "OR"), (SEATTLE, "WA"))
    )
    make_rules(session, "OR")
    session.commit()


@pytest.mark.parametrize("place", PLACES, ids=lambda place: f"{place.zip_code}{place.state}")
def test_zone_and_rules_read_together_are_those_read_separately(place: Place) -> None:
    def compare(session: Session) -> None:
        for at in (clock.now(), clock.now() - timedelta(days=20_000)):  # before the rules were in force too
            expected = place_terms.PlaceTerms(zones.find(session, place.zip_code), versions.find_at(session, place, at))
            for lock in (False, True):
                assert place_terms.find(session, place, at, has_zones=True, enforces=True, lock=lock) == expected

    db.write(compare)


def test_only_what_the_store_uses_is_looked_up(engine: Engine) -> None:
    def look_up(session: Session, place: Place | None, **uses: bool) -> tuple[place_terms.PlaceTerms, int]:
        with count_statements(engine) as statements:
            found = place_terms.find(session, place, clock.now(), **uses)
        return found, len(statements)

    def compare(session: Session) -> None:
        portland = Place(PORTLAND, "OR")
        nothing = place_terms.PlaceTerms()
        both, statements = look_up(session, portland, has_zones=True, enforces=True)
        assert (both.zone is None, both.rules is None, statements) == (False, False, 1)
        assert look_up(session, portland, has_zones=True, enforces=False) == (both._replace(rules=None), 1)
        assert look_up(session, portland, has_zones=False, enforces=True) == (both._replace(zone=None), 1)
        assert look_up(session, portland, has_zones=False, enforces=False) == (nothing, 0)
        assert look_up(session, None, has_zones=True, enforces=True) == (nothing, 0)

    db.read(compare)
