"""The table of ZIP codes is replaced as a whole (RULE zip-places)."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from time import sleep

import pytest
from sqlalchemy import Engine
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, select

from marketplace_app import db
from marketplace_app.models import ZipPlace
from marketplace_app.services.jurisdictions import zips
from marketplace_app.services.records import counters

EAST, SOUTH = zips.Location("97201", "OR", 45.4988, -122.6878), zips.Location("97301", "OR", 44.9498, -123.0036)


def replace(locations: Sequence[zips.Location]) -> None:
    db.write(lambda session: zips.replace(session, locations))


def zip_codes(engine: Engine) -> list[str]:
    with Session(engine) as session:
        return sorted(place.zip_code for place in session.exec(select(ZipPlace)))


def load_while_another_loads() -> None:
    """Raises what the second one raises."""
    has_written = Event()

    def write_and_wait(session: Session) -> None:
        zips.replace(session, [EAST, SOUTH])
        has_written.set()
        sleep(0.5)

    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(db.write, write_and_wait)
        assert has_written.wait(10)
        second = pool.submit(replace, [SOUTH])
        first.result(20)
        second.result(20)


def test_what_is_loaded_replaces_what_was_there(engine: Engine) -> None:
    replace([EAST, SOUTH])
    replace([SOUTH])
    assert zip_codes(engine) == ["97301"]


@pytest.mark.race
def test_of_two_loads_at_once_the_later_one_counts(engine: Engine) -> None:
    load_while_another_loads()
    assert zip_codes(engine) == ["97301"]


@pytest.mark.race
@pytest.mark.parametrize("engine", ["postgresql"], indirect=True)
def test_without_the_lock_the_later_load_fails(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    """The negative control. SQLite has one writer at a time anyway."""
    monkeypatch.setattr(counters, "lock", lambda *_: None)
    with pytest.raises(IntegrityError):
        load_while_another_loads()


@pytest.mark.parametrize(
    "location",
    [
        EAST._replace(zip_code="9720"),
        EAST._replace(zip_code="9720x"),
        EAST._replace(state="Oregon"),
        EAST._replace(state="or"),
        EAST._replace(latitude=90.1),
        EAST._replace(longitude=-180.1),
    ],
)
def test_the_database_refuses_an_impossible_location(engine: Engine, location: zips.Location) -> None:
    with pytest.raises(IntegrityError):
        replace([location])
    assert zip_codes(engine) == []
