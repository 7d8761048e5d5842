"""What happens at a door, as drivers and dispatchers report it (RULE door, RULE driver-events).

`steps` judges a report, `reports` does what follows from it. A stop is changed by whoever has locked the customer of
its order: so of two phones, or of a phone and a dispatcher, one waits for the other (RULE lock-order).
"""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from itertools import count

from sqlalchemy import func, select
from sqlmodel import Session, col
from ulid import ULID

from marketplace_app import clock, dispatch_messages
from marketplace_app.adapters import live
from marketplace_app.errors import Conflict, InvalidInput, NotFound
from marketplace_app.models import (
    EventResult,
    EventSource,
    Order,
    OrderStatus,
    Permission,
    Run,
    RunStop,
    StopEvent,
    StopEventKind,
    StopOutcome,
    User,
)
from marketplace_app.schemas.dispatch.door import AnswerResult, EventAnswer, EventData, RefusalCode, StopEventForm
from marketplace_app.schemas.dispatch.runs import ReleaseForm
from marketplace_app.services.accounts import require
from marketplace_app.services.buying import fulfilment
from marketplace_app.services.dispatch import reports, steps
from marketplace_app.services.records import announcements, audit_log
from marketplace_app.services.run_stops import is_listed


class NothingToRelease(Conflict):
    code = "nothing_to_release"
    message = dispatch_messages.NOTHING_TO_RELEASE


def require_own(session: Session, actor: User | None, stop_ids: Collection[int]) -> None:
    """Raises NotFound unless all are stops of the run that the acting driver is out on, and were not taken off it."""
    driver = require(actor, Permission.DRIVE)
    wanted = set(stop_ids)
    own = (
        select(func.count())
        .select_from(RunStop)
        .join(Run, col(Run.id) == col(RunStop.run_id))
        .join(Order, col(Order.id) == col(RunStop.order_id))
        .where(
            col(RunStop.id).in_(wanted),
            col(RunStop.outcome).is_distinct_from(StopOutcome.REMOVED),
            col(Run.driver_id) == driver.id,
            col(Run.departed_at).is_not(None),
            col(Run.closed_at).is_(None),
            col(Order.deleted_at).is_(None),
        )
    )
    if wanted and session.execute(own).scalar_one() < len(wanted):
        raise NotFound(dispatch_messages.STOP_NOT_FOUND)


def record(
    session: Session, actor: User | None, stop_id: int, events: Sequence[StopEventForm]
) -> tuple[EventAnswer, ...]:
    """Record what a driver's phone reports of one stop, in any order and perhaps repeatedly (RULE driver-events).

    Events are judged in the phone's order. An event whose predecessor has not arrived waits for it; an event that is
    sent again does nothing. Raises NotFound, and Conflict for a key that has just arrived for another stop.
    """
    driver = require(actor, Permission.DRIVE)
    stop, customer = reports.lock(session, stop_id)
    if stop.run.driver_id != driver.id or not stop.run.is_out or not is_listed(stop):
        raise NotFound(dispatch_messages.STOP_NOT_FOUND)
    known = _find_known(session, events)
    taken = {event.sequence for event in stop.events}
    new: dict[str, StopEvent] = {}
    for form in events:
        if form.key not in known and form.key not in new and form.seq not in taken:
            new[form.key] = reports.new_event(
                stop, driver, form.kind, form.data, key=form.key, sequence=form.seq, at=form.at
            )
            taken.add(form.seq)
    reports.store(session, stop, list(new.values()))
    judgements = _judge_waiting(session, driver, stop, customer)
    reports.forget_if_erased(customer, new.values())
    if new:
        announcements.publish(session, live.STAFF)
    return _answers(events, known, new, judgements)


def enter(
    session: Session,
    actor: User | None,
    run_id: int,
    stop_id: int,
    kind: StopEventKind,
    data: EventData,
    source: EventSource,
    at: datetime | None = None,
) -> EventAnswer:
    """Record what staff report of a stop, from paper or for a driver who called. Judged at once, by the same steps.

    A PIN from paper is checked like one that was entered without a connection, and may be missing; a signature is on
    the paper itself. Raises NotFound, InvalidInput and OwnOrder.
    """
    staff = require(actor, Permission.PLAN_RUNS)
    stop, customer = reports.lock(session, stop_id)
    if stop.run_id != run_id or not stop.run.is_out:
        raise NotFound(dispatch_messages.NOT_OUT)
    fulfilment.require_no_conflict_of_interest(staff, stop.order, OrderStatus.DELIVERED)
    may_be_missing = kind in (StopEventKind.PIN_ENTERED, StopEventKind.SIGNED) and source is EventSource.PAPER
    if data.missing(kind) and not may_be_missing:
        raise InvalidInput({"data": dispatch_messages.DATA_EXPECTED[kind]})
    event = reports.new_event(stop, staff, kind, data, key=str(ULID()), source=source, at=at or clock.now())
    reports.store(session, stop, [event])
    judgement = reports.judge(session, staff, stop, customer, event)
    reports.forget_if_erased(customer, [event])
    announcements.publish(session, live.STAFF)
    return _answer(event, judgement)


def release(session: Session, actor: User | None, run_id: int, stop_id: int, form: ReleaseForm) -> None:
    """Unlock a stop or clear its flag, and record why. Raises NotFound, NothingToRelease and OwnOrder."""
    staff = require(actor, Permission.PLAN_RUNS)
    stop, customer = reports.lock(session, stop_id)
    if stop.run_id != run_id:
        raise NotFound(dispatch_messages.STOP_NOT_FOUND)
    fulfilment.require_no_conflict_of_interest(staff, stop.order, OrderStatus.DELIVERED)
    if not stop.is_locked and stop.flag is None:
        raise NothingToRelease()
    stop.wrong_pins, stop.flag = 0, None
    released = StopEvent(
        key=str(ULID()),
        stop_id=stop.id,
        kind=StopEventKind.RELEASED,
        source=EventSource.DISPATCH,
        actor_id=staff.id,
        claimed_at=clock.now(),
        received_at=clock.now(),
        data={"reason": form.reason},
        result=EventResult.APPLIED,
    )
    reports.forget_if_erased(customer, [released])
    session.add_all((stop, released))
    audit_log.append(session, staff, "stop.released", f"order:{stop.order_id}", run=stop.run_id)
    announcements.publish(session, live.STAFF)


def _find_known(session: Session, events: Sequence[StopEventForm]) -> dict[str, StopEvent]:
    """The events that have arrived before, by key."""
    keys = {form.key for form in events}
    found = session.execute(select(StopEvent).where(col(StopEvent.key).in_(keys))).scalars()
    return {event.key: event for event in found}


def _judge_waiting(session: Session, actor: User, stop: RunStop, customer: User) -> dict[str, steps.Judgement]:
    """Judge all events whose predecessors have arrived. Returns the judgements by the key of the event."""
    arrived = {event.sequence: event for event in stop.events if event.sequence}
    judgements: dict[str, steps.Judgement] = {}
    for sequence in count(1):
        event = arrived.get(sequence)
        if event is None:
            break
        if event.result is EventResult.WAITING:
            judgements[event.key] = reports.judge(session, actor, stop, customer, event)
    return judgements


def _answers(
    events: Sequence[StopEventForm],
    known: dict[str, StopEvent],
    new: dict[str, StopEvent],
    judgements: Mapping[str, steps.Judgement],
) -> tuple[EventAnswer, ...]:
    """In the order of the request. An event that is in the request twice is answered as known the second time."""
    answers = []
    for form in events:
        if (event := new.pop(form.key, None)) is not None:
            known[form.key] = event
            answers.append(_answer(event, judgements.get(form.key)))
        elif (event := known.get(form.key)) is not None:
            answers.append(_answer_with_code(form.key, AnswerResult.KNOWN, event.code))
        else:
            answers.append(_answer_with_code(form.key, AnswerResult.REFUSED, RefusalCode.SEQUENCE_TAKEN))
    return tuple(answers)


def _answer(event: StopEvent, judgement: steps.Judgement | None) -> EventAnswer:
    if judgement is None:
        return EventAnswer(key=event.key, result=AnswerResult.WAITING)
    result = AnswerResult.REFUSED if judgement.code else AnswerResult.APPLIED
    return EventAnswer(key=event.key, result=result, code=judgement.code, message=judgement.message)


def _answer_with_code(key: str, result: AnswerResult, code: str | None) -> EventAnswer:
    message = dispatch_messages.REFUSALS[code] if code else ""
    return EventAnswer(key=key, result=result, code=RefusalCode(code) if code else None, message=message)
