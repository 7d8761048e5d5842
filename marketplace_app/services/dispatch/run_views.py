"""Runs with their stops, as staff see them."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import ColumnElement, select
from sqlalchemy.orm import selectinload
from sqlmodel import Session, col

from marketplace_app import clock
from marketplace_app.models import Run, RunStop, StopOutcome, User
from marketplace_app.models.base import related
from marketplace_app.schemas.dispatch.runs import OrderCard, PersonRef, RunState, RunView, StopView
from marketplace_app.services.accounts import author_name
from marketplace_app.services.dispatch import cards
from marketplace_app.services.dispatch.cards import PlaceOnRun
from marketplace_app.services.run_stops import RunNotFound, open_stops


def load(session: Session, condition: ColumnElement[bool]) -> Sequence[Run]:
    """The earliest day first."""
    statement = (
        select(Run).where(condition).order_by(col(Run.day), col(Run.id)).options(selectinload(related(Run.stops)))
    )
    return session.execute(statement.execution_options(populate_existing=True)).scalars().all()


def make_one(session: Session, run_id: int) -> RunView:
    """Raises NotFound."""
    found = make(session, load(session, col(Run.id) == run_id), clock.now())
    if not found:
        raise RunNotFound()
    return found[0]


def make(session: Session, runs: Sequence[Run], at: datetime) -> tuple[RunView, ...]:
    """Two statements for any number of runs. Stops that were taken off and orders that were deleted are left out."""
    order_ids = [stop.order_id for run in runs for stop in run.stops]
    places = {order_id: place for run in runs for order_id, place in _places(run).items()}
    shown = cards.of_orders(session, at, order_ids, places)
    drivers = users_by_id(session, {run.driver_id for run in runs})
    return tuple(_view(run, shown, drivers[run.driver_id]) for run in runs)


def users_by_id(session: Session, user_ids: set[int]) -> dict[int, PersonRef]:
    found = session.execute(select(User).where(col(User.id).in_(user_ids))).scalars() if user_ids else ()
    return {user.id: PersonRef(id=user.id, name=author_name(user)) for user in found}


def state_of(run: Run) -> RunState:
    if run.closed_at is not None:
        return RunState.CLOSED
    return RunState.OUT if run.is_out else RunState.PLANNED


def _places(run: Run) -> dict[str, PlaceOnRun]:
    return {stop.order_id: PlaceOnRun(run.is_out, before) for before, stop in enumerate(open_stops(run))}


def _view(run: Run, shown: dict[str, OrderCard], driver: PersonRef) -> RunView:
    listed = [stop for stop in run.stops if stop.outcome is not StopOutcome.REMOVED and stop.order_id in shown]
    stops = tuple(_stop(stop, shown[stop.order_id]) for stop in listed)
    return RunView(
        id=run.id,
        day=run.day,
        driver=driver,
        vehicle=run.vehicle,
        state=state_of(run),
        planned_at=run.planned_at,
        departed_at=run.departed_at,
        closed_at=run.closed_at,
        stops=stops,
        cash_cents=sum(stop.card.cash_cents for stop in stops if stop.ended_at is None),
    )


def _stop(stop: RunStop, card: OrderCard) -> StopView:
    return StopView(
        id=stop.id,
        position=stop.position,
        card=card,
        outcome=stop.outcome,
        failure=stop.failure,
        ended_at=stop.ended_at,
        is_locked=stop.is_locked,
        flag=stop.flag,
    )
