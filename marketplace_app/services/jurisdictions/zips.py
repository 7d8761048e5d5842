"""Where ZIP codes are (RULE zip-places)."""

from collections.abc import Sequence
from itertools import islice
from typing import NamedTuple

from sqlalchemy import delete, insert
from sqlmodel import Session

from marketplace_app.models import ZipPlace
from marketplace_app.models.base import table_of
from marketplace_app.services.records import counters

_BATCH = 5_000


class Location(NamedTuple):
    """Where a ZIP code is."""

    zip_code: str
    state: str
    latitude: float
    longitude: float


def replace(session: Session, locations: Sequence[Location]) -> None:
    """Make these the only ZIP codes that are known."""
    counters.lock(session, counters.SETTINGS)  # two at once would both insert
    table = table_of(ZipPlace)
    session.execute(delete(table))
    remaining = iter(locations)
    while batch := list(islice(remaining, _BATCH)):
        session.connection().execute(insert(table), [location._asdict() for location in batch])
