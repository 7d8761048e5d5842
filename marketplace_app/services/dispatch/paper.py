"""Entering what drivers wrote on the sheet of a run while the store could not be reached (RULE paper)."""

from collections.abc import Iterator
from datetime import UTC, datetime, time, timedelta

from sqlmodel import Session

from marketplace_app import clock, money
from marketplace_app.config import get_settings
from marketplace_app.dispatch_messages import REFUSALS
from marketplace_app.errors import InvalidInput, NotFound
from marketplace_app.limits import LONGEST_RUN
from marketplace_app.models import EventSource, Permission, Run, StopEventKind, User
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.dispatch.door import AnswerResult, DriverStop, EventData
from marketplace_app.schemas.dispatch.paper import COUNT_EXPECTED, PaperForm
from marketplace_app.services.accounts import require
from marketplace_app.services.dispatch import door, driver_run, reports
from marketplace_app.services.run_stops import RunNotFound

_FIELDS = {
    StopEventKind.ID_CHECKED: "idChecked",
    StopEventKind.PIN_ENTERED: "pin",
    StopEventKind.CASH_COUNTED: "counted",
}
"""The field beside which the refusal of a step is shown; for all other steps, it is `outcome`."""


def list_open(session: Session, actor: User | None, run_id: int) -> tuple[DriverStop, ...]:
    """The stops whose end nobody has recorded, in the order of the sheet, with the steps that are done. A run that is
    not out has none. Raises NotFound."""
    require(actor, Permission.PLAN_RUNS)
    run = session.get(Run, run_id)
    if run is None:
        raise RunNotFound()
    return tuple(stop for stop in driver_run.stops_of(session, run) if _is_open(stop)) if run.is_out else ()


def enter(session: Session, actor: User | None, run_id: int, stop_id: int, form: PaperForm) -> None:
    """Enter what the sheet says about one stop.

    Steps that a phone has reported already are left out, and the others are judged as if a phone had reported them, so
    that paper and phone lead to the same records. If a step is refused, nothing is entered.

    Raises NotFound, OwnOrder, and InvalidInput with what is wrong beside its field.
    """
    require(actor, Permission.PLAN_RUNS)
    run = session.get(Run, run_id)
    if run is None:
        raise RunNotFound()
    reports.lock(session, stop_id)  # before reading what is done: a phone may report at the same moment
    stop = next((each for each in driver_run.stops_of(session, run) if each.id == stop_id), None)
    if stop is None:
        raise NotFound("This stop is not on the run any more. Please reload the page.")
    if not _is_open(stop):
        raise InvalidInput({"outcome": REFUSALS["stop_ended"]})
    at = _moment(run, form)
    for kind, data in _steps(stop, form):
        answer = door.enter(session, actor, run_id, stop_id, kind, data, EventSource.PAPER, at)
        if answer.result is AnswerResult.REFUSED:
            raise InvalidInput({_FIELDS.get(kind, "outcome"): answer.message})


def _is_open(stop: DriverStop) -> bool:
    """A driver sees a recalled stop as cancelled, but nobody has recorded its end yet."""
    return stop.outcome is None or stop.is_recalled


def _steps(stop: DriverStop, form: PaperForm) -> Iterator[tuple[StopEventKind, EventData]]:
    is_failed = form.outcome == "failed"
    if StopEventKind.ARRIVED not in stop.done and not (is_failed and stop.is_recalled):
        yield StopEventKind.ARRIVED, EventData()
    if is_failed:
        yield StopEventKind.FAILED, EventData(reason=form.reason, note=form.note)
        return
    if StopEventKind.ID_CHECKED not in stop.done and not form.id_checked:
        raise InvalidInput(
            {"idChecked": "It can only be delivered if the ID was accepted: all three boxes are ticked."}
        )
    if StopEventKind.CASH_COUNTED not in stop.done and form.counted is None:
        raise InvalidInput({"counted": COUNT_EXPECTED})
    counted = None if form.counted is None else money.decimal(form.counted)
    reported = {
        StopEventKind.ID_CHECKED: EventData(ofAge=True, nameMatches=True, notExpired=True),
        StopEventKind.PIN_ENTERED: EventData(pin=form.pin or None),
        StopEventKind.CASH_COUNTED: parse(EventData, {"counted": counted, "keepChange": form.change_as_credit}),
        StopEventKind.SIGNED: EventData(),
        StopEventKind.BAG_PLACED: EventData(),
    }
    left_out = {StopEventKind.PIN_ENTERED: not stop.needs_pin, StopEventKind.SIGNED: not stop.needs_signature}
    for kind, data in reported.items():
        if kind not in stop.done and not left_out.get(kind):
            yield kind, data


def _moment(run: Run, form: PaperForm) -> datetime | None:
    """The time on the paper, on the day of the run; never in the future.

    A time before the departure is taken as the next day's if that day has begun and the run would then have been out
    for at most LONGEST_RUN. Otherwise it stays: the departure was recorded too late.
    """
    if form.at is None:
        return None
    timezone, tomorrow = get_settings().timezone, run.day + timedelta(days=1)
    since_midnight = timedelta(minutes=form.at)  # 24:00 is allowed: midnight at the end of the day
    moment = (datetime.combine(run.day, time(), timezone) + since_midnight).astimezone(UTC)
    next_day = (datetime.combine(tomorrow, time(), timezone) + since_midnight).astimezone(UTC)
    left_at = run.departed_at or moment
    if moment < left_at and next_day - left_at <= LONGEST_RUN and tomorrow <= clock.today(timezone):
        moment = next_day
    return min(moment, clock.now())
