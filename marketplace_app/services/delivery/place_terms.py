"""What a quote or an order needs to know of a place: its zone, and the rules of its state. If it needs both, they are
read in one statement, unless PostgreSQL has to lock the zone."""

from datetime import datetime
from typing import NamedTuple

from sqlalchemy import true
from sqlmodel import Session

from marketplace_app.places import Place
from marketplace_app.services.delivery import zones
from marketplace_app.services.jurisdictions import versions

_ZONE = zones.ZONE_OF_ZIP.subquery("zone")
_FIELDS = {name: f"zone_{name}" for name in zones.ZoneTerms._fields}
# Built once, because a store with zones that enforces rules runs it for every cart.
_ZONE_COLUMNS = [_ZONE.c[name].label(label) for name, label in _FIELDS.items()]
_OF_PLACE = versions.OF_PLACE.add_columns(*_ZONE_COLUMNS).outerjoin(_ZONE, true())


class PlaceTerms(NamedTuple):
    """Each is None where it was not looked up; `zone` also if no zone has the ZIP code."""

    zone: zones.ZoneTerms | None = None
    rules: versions.PlaceRules | None = None


def find(
    session: Session, place: Place | None, at: datetime, *, has_zones: bool, enforces: bool, lock: bool = False
) -> PlaceTerms:
    """The zone in a store that has any, and the rules in one that enforces them.

    With `lock`, nobody removes the zone until the transaction ends.
    """
    if place is None:
        return PlaceTerms()
    # PostgreSQL cannot lock a row that an outer join may lack; SQLite has one writer at a time and needs no lock.
    locks_row = lock and session.get_bind().dialect.name == "postgresql"
    if not (has_zones and enforces) or locks_row:
        zone = zones.find(session, place.zip_code, lock=lock) if has_zones else None
        return PlaceTerms(zone, versions.find_at(session, place, at) if enforces else None)
    row = session.connection().execute(_OF_PLACE, versions.parameters_of(place, at)).one()
    zone = zones.ZoneTerms(*[getattr(row, label) for label in _FIELDS.values()]) if row.zone_id else None
    return PlaceTerms(zone, versions.found_in(place, row))
