"""A sequence in which the stops of a run could be driven to (RULE suggested-sequence)."""

import math
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import select
from sqlmodel import Session, col

from marketplace_app.models import Permission, User, ZipPlace
from marketplace_app.schemas.dispatch.runs import StopView, Suggestion
from marketplace_app.services.accounts import require
from marketplace_app.services.dispatch import run_views

NOTE = "By delivery window, then by the straight-line distance between ZIP codes."
EARTH_RADIUS_KM = 6_371


class Point(NamedTuple):
    latitude: float
    longitude: float


class RemainingStop(NamedTuple):
    stop_id: int
    starts_at: datetime
    """The start of its window or, without a window, the time by which it is promised."""
    point: Point | None
    """Where its ZIP code is, if that is known."""


def suggest(session: Session, actor: User | None, run_id: int) -> Suggestion:
    """A sequence of the stops that have not ended. Nothing is changed. Raises NotFound."""
    require(actor, Permission.SEE_DISPATCH)
    run = run_views.make_one(session, run_id)
    left = [stop for stop in run.stops if stop.outcome is None]
    points = _points(session, {stop.card.zip_code for stop in left})
    return Suggestion(stop_ids=sequence_of([_remaining(stop, points) for stop in left]), note=NOTE)


def sequence_of(stops: Sequence[RemainingStop]) -> tuple[int, ...]:
    """Window after window; within one, always the nearest to the stop before. A stop whose place is not known comes at
    the end of its window, and stops at equal distance stay in the order in which they were given."""
    found: list[int] = []
    here: Point | None = None
    for starts_at in sorted({each.starts_at for each in stops}):
        left = [each for each in stops if each.starts_at == starts_at]
        while left:
            nearest = min(left, key=lambda each: _distance(here, each.point))
            left.remove(nearest)
            found.append(nearest.stop_id)
            here = nearest.point or here
    return tuple(found)


def _distance(here: Point | None, there: Point | None) -> float:
    """In kilometres along the surface: infinite to a place that is not known, else 0 if there is no stop before."""
    if there is None:
        return math.inf
    if here is None:
        return 0
    (lat1, lon1), (lat2, lon2) = (tuple(map(math.radians, point)) for point in (here, there))
    haversine = math.sin((lat2 - lat1) / 2) ** 2 + math.cos(lat1) * math.cos(lat2) * math.sin((lon2 - lon1) / 2) ** 2
    return 2 * EARTH_RADIUS_KM * math.asin(math.sqrt(haversine))


def _remaining(stop: StopView, points: Mapping[str, Point]) -> RemainingStop:
    card = stop.card
    return RemainingStop(stop.id, card.window_starts_at or card.promised_by, points.get(card.zip_code))


def _points(session: Session, zip_codes: set[str]) -> dict[str, Point]:
    columns = (col(ZipPlace.zip_code), col(ZipPlace.latitude), col(ZipPlace.longitude))
    rows = session.execute(select(*columns).where(col(ZipPlace.zip_code).in_(zip_codes)))
    return {zip_code: Point(latitude, longitude) for zip_code, latitude, longitude in rows}
