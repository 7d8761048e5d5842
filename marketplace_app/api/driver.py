"""What drivers' phones show and report."""

from typing import Annotated

from fastapi import APIRouter, Body
from starlette.responses import Response

from marketplace_app.api.deps import CallerDep
from marketplace_app.api.responses import Json, problem
from marketplace_app.limits import MAX_DRIVER_EVENTS
from marketplace_app.schemas.dispatch.door import DriverRun, EventAnswer, StopEventForm
from marketplace_app.services.dispatch import door, driver_run

router = APIRouter(prefix="/driver", tags=["Driver"])

EventsBody = Annotated[list[StopEventForm], Body(max_length=MAX_DRIVER_EVENTS)]


@router.get("/run", response_model=DriverRun | None, responses=problem(401, 403))
def get_run(caller: CallerDep) -> Response:
    """The run that the caller is out on, without door PINs; `null` if there is none."""
    run = caller.read(driver_run.show)
    return Json(run.wire() if run else None)


@router.post("/events", response_model=list[EventAnswer], responses=problem(401, 403, 404, 409, 422))
def add_events(events: EventsBody, caller: CallerDep) -> Response:
    """Record what happened at the stops of the caller's run. Events may be sent repeatedly and in any order.

    Events of a stop are judged in the order of `seq`, so one whose predecessor is missing waits. A key that has arrived
    before is `known`. 404 if any stop is not on the run that the caller is out on; then nothing is stored. Each stop is
    stored by itself, so it is safe to send everything again after a failure.
    """
    stop_ids = dict.fromkeys(event.stop_id for event in events)
    caller.read(door.require_own, stop_ids)
    answers: dict[int, list[EventAnswer]] = {
        stop_id: list(caller.write(door.record, stop_id, [event for event in events if event.stop_id == stop_id]))
        for stop_id in stop_ids
    }
    return Json([answers[event.stop_id].pop(0).wire() for event in events])
