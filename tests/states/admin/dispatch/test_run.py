"""What a run's own page and its sheet show (RULE run-page, RULE run-sheet)."""

from datetime import timedelta
from typing import Any

import pytest

from marketplace_app.models import EventResult, EventSource, StopEventKind, StopOutcome
from marketplace_app.schemas.dispatch.runs import PersonRef, RunState, RunView
from marketplace_app.schemas.dispatch.stop_events import StopEventView
from marketplace_app.states.admin.dispatch import run as run_page
from marketplace_app.states.admin.dispatch.run import AdminRunState
from tests.states.admin.dispatch.test_dispatch_rows import NOON, card, run, stop

DORA = 3
"""Who drives the run of `run`."""


def report(stop_id: int, **changes: Any) -> StopEventView:
    facts: dict[str, Any] = {
        "id": 1,
        "stop_id": stop_id,
        "kind": StopEventKind.CASH_COUNTED,
        "source": EventSource.PHONE,
        "reporter": PersonRef(id=DORA, name="Dora"),
        "claimed_at": NOON,
        "received_at": NOON,
        "result": EventResult.APPLIED,
        "code": None,
        "text": "Cash counted: $152.50",
    }
    return StopEventView(**facts | changes)


def page(shown: RunView, *events: StopEventView) -> Any:
    state = AdminRunState()
    state._show(shown, events)
    return state


@pytest.fixture(autouse=True)
def tab_of_dora(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_page, "tab_user_id", lambda _state: DORA)


@pytest.mark.parametrize(
    ("minutes", "when"), [(0, "Nov 27, 2026, 12:00 PM"), (28, "Nov 27, 2026, 12:00 PM, arrived Nov 27, 2026, 12:28 PM")]
)
def test_a_report_that_arrived_later_than_it_was_made_says_when(minutes: int, when: str) -> None:
    event = report(1, received_at=NOON + timedelta(minutes=minutes, seconds=20))
    [shown] = page(run(stop(1)), event).stops[0].reports
    assert (shown.text, shown.facts) == ("Cash counted: $152.50", f"{when} · Dora, by phone")


def test_each_stop_has_the_reports_that_are_about_it() -> None:
    shown = page(run(stop(1), stop(2)), report(2, id=1), report(1, id=2), report(2, id=3))
    assert [[each.id for each in row.reports] for row in shown.stops] == [[2], [1, 3]]


def test_a_stop_has_its_number_on_the_sheet_also_when_an_earlier_one_was_taken_off() -> None:
    assert [row.place for row in page(run(stop(2), stop(3))).stops] == ["2", "3"]


@pytest.mark.parametrize(
    ("state", "open_count"), [(RunState.PLANNED, 0), (RunState.OUT, 2), (RunState.CLOSED, 0)], ids=str
)
def test_open_stops_are_counted_only_while_the_run_is_out(state: RunState, open_count: int) -> None:
    stops = (stop(1, StopOutcome.DELIVERED), stop(2), stop(3))
    assert page(run(*stops, state=state)).open_count == open_count


@pytest.mark.parametrize(
    ("stops", "has_labels"),
    [
        ([stop(1, StopOutcome.DELIVERED), stop(2)], True),
        ([stop(1, StopOutcome.DELIVERED)], False),
        ([stop(1, card=card(is_recalled=True))], False),
    ],
    ids=["an open stop", "all ended", "recalled"],
)
def test_only_bags_that_are_still_to_be_handed_over_have_labels(stops: list[Any], has_labels: bool) -> None:
    assert page(run(*stops)).has_labels is has_labels


@pytest.mark.parametrize(
    ("state", "driver", "is_driving"),
    [(RunState.OUT, DORA, True), (RunState.OUT, 4, False), (RunState.PLANNED, DORA, False)],
)
def test_only_the_driver_who_is_out_is_driving(state: RunState, driver: int, is_driving: bool) -> None:
    assert page(run(state=state, driver=PersonRef(id=driver, name="Dora"))).is_driving is is_driving


def test_a_run_says_when_it_left_and_when_it_was_closed() -> None:
    assert page(run()).times == ""
    assert page(run(departed_at=NOON)).times == "Left Nov 27, 2026, 12:00 PM"
    closed = page(run(departed_at=NOON, closed_at=NOON + timedelta(hours=3)))
    assert closed.times == "Left Nov 27, 2026, 12:00 PM · Closed Nov 27, 2026, 3:00 PM"
