"""What was reported at the stops of a run (RULE run-page)."""

from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.orm import selectinload
from sqlmodel import Session, col

from marketplace_app.models import Permission, Run, RunStop, StopEvent, User
from marketplace_app.models.base import related
from marketplace_app.schemas.dispatch.door import RefusalCode
from marketplace_app.schemas.dispatch.runs import PersonRef
from marketplace_app.schemas.dispatch.stop_events import StopEventView
from marketplace_app.services.accounts import require
from marketplace_app.services.dispatch import event_texts, run_views, steps
from marketplace_app.services.run_stops import RunNotFound, is_listed


def list_events(session: Session, actor: User | None, run_id: int) -> tuple[StopEventView, ...]:
    """The events of each stop in turn, in the order in which they were judged. Raises RunNotFound."""
    require(actor, Permission.SEE_DISPATCH)
    if session.get(Run, run_id) is None:
        raise RunNotFound()
    events = [event for stop in _load_stops(session, run_id) for event in steps.sorted_as_judged(stop.events)]
    actors = run_views.users_by_id(session, {event.actor_id for event in events})
    return tuple(_view(event, actors[event.actor_id]) for event in events)


def _load_stops(session: Session, run_id: int) -> Sequence[RunStop]:
    statement = (
        select(RunStop)
        .where(col(RunStop.run_id) == run_id)
        .order_by(col(RunStop.position), col(RunStop.id))
        .options(selectinload(related(RunStop.events)), selectinload(related(RunStop.order)))
    )
    stops = session.execute(statement).scalars()
    return [stop for stop in stops if is_listed(stop)]


def _view(event: StopEvent, reporter: PersonRef) -> StopEventView:
    return StopEventView(
        id=event.id,
        stop_id=event.stop_id,
        kind=event.kind,
        source=event.source,
        reporter=reporter,
        claimed_at=event.claimed_at,
        received_at=event.received_at,
        result=event.result,
        code=RefusalCode(event.code) if event.code else None,
        text=event_texts.describe(event),
    )
