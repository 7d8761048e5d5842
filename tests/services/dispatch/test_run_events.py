"""A run's page says what was reported at each stop (RULE run-page)."""

import re

import pytest
from sqlmodel import Session

from marketplace_app import clock, errors
from marketplace_app.config import get_settings
from marketplace_app.models import (
    EventResult,
    EventSource,
    Order,
    Product,
    Role,
    RunStop,
    StopEvent,
    StopEventKind,
    StopOutcome,
    User,
)
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.dispatch.door import RefusalCode
from marketplace_app.schemas.dispatch.paper import PaperForm
from marketplace_app.schemas.dispatch.runs import ReleaseForm
from marketplace_app.services.dispatch import departures, door, event_texts, paper, run_events
from tests.builders import make_user
from tests.conftest import Cast
from tests.services.dispatch.test_paper import ANSWERS, DELIVERED, a_run, by_phone
from tests.services.dispatch.test_runs import call

pytestmark = pytest.mark.usefixtures("zone")


def descriptions(actor: User, run_id: int, stop_id: int) -> list[str]:
    return [event.text for event in call(actor, run_events.list_events, run_id) if event.stop_id == stop_id]


def test_each_report_is_described_with_what_became_of_it(
    session: Session, cast: Cast, dora: User, fern: Product
) -> None:
    run_id, ((one, _, pin), (two, _, _)) = a_run(session, cast, dora, fern)
    by_phone(
        dora,
        one,
        ("arrived", {}),
        ("id_checked", ANSWERS | {"ofAge": False, "notExpired": False}),
        ("cash_counted", {"counted": "115.00"}),
        ("id_checked", ANSWERS),
        ("pin_entered", {"pin": f"{(int(pin) + 1) % 10_000:04}"}),
        ("pin_entered", {"pin": pin}),
        ("cash_counted", {"counted": "10.00"}),
        ("cash_counted", {"counted": "120.00"}),
        ("bag_placed", {}),
    )
    by_phone(dora, two, ("arrived", {}), ("failed", {"reason": "not_home", "note": "Rang twice"}))
    call(cast.ada, departures.close, run_id)
    assert descriptions(cast.ada, run_id, one) == [
        "Arrived",
        "ID not accepted: under 21, expired (refused)",
        "Cash counted: $115.00 (refused: a step before it was missing)",
        "ID accepted",
        "Wrong PIN (refused)",
        "Right PIN",
        "Cash counted: $10.00 (refused: not enough)",
        "Cash counted: $120.00",
        "Bag placed",
    ]
    assert descriptions(cast.ada, run_id, two) == [
        "Arrived",
        "Couldn't deliver: Not home. Rang twice",
        "Back in the shop",
    ]


def test_a_report_names_its_sender_and_both_times(session: Session, cast: Cast, dora: User, fern: Product) -> None:
    run_id, ((one, _, _), (two, _, pin)) = a_run(session, cast, dora, fern)
    by_phone(dora, one, ("arrived", {}))
    call(cast.ada, paper.enter, run_id, two, parse(PaperForm, DELIVERED | {"at": "00:00", "pin": pin}))
    first, second, *_ = call(cast.ada, run_events.list_events, run_id)
    assert [(event.reporter.name, event.source) for event in (first, second)] == [("Dora", "phone"), ("Ada", "paper")]
    timezone = get_settings().timezone
    assert second.claimed_at == clock.start_of_day(clock.today(timezone), timezone) <= second.received_at


def test_a_report_from_paper_says_whether_its_pin_was_checked(
    session: Session, cast: Cast, dora: User, fern: Product
) -> None:
    run_id, ((one, _, pin), (two, _, _)) = a_run(session, cast, dora, fern)
    call(cast.ada, paper.enter, run_id, one, parse(PaperForm, DELIVERED | {"pin": pin}))
    call(cast.ada, paper.enter, run_id, two, parse(PaperForm, DELIVERED))
    call(cast.ada, door.release, run_id, two, ReleaseForm(reason="Called the customer"))
    assert descriptions(cast.ada, run_id, one)[2] == "Right PIN, checked afterwards"
    assert descriptions(cast.ada, run_id, two) == [
        "Arrived",
        "ID accepted",
        "No PIN",
        "Cash counted: $115.00",
        "Bag placed",
        "Released: Called the customer",
    ]


def test_a_pin_is_in_no_report(session: Session, cast: Cast, dora: User, fern: Product) -> None:
    run_id, ((one, _, pin), (two, _, other)) = a_run(session, cast, dora, fern)
    by_phone(dora, one, ("arrived", {}), ("id_checked", ANSWERS), ("pin_entered", {"pin": pin}))
    call(cast.ada, paper.enter, run_id, two, parse(PaperForm, DELIVERED | {"pin": other}))
    shown = " ".join(f"{event.text} {event.code}" for event in call(cast.ada, run_events.list_events, run_id))
    assert not any(re.search(rf"(?<!\d){each}(?!\d)", shown) for each in (pin, other))


def test_stops_that_were_taken_off_are_left_out(session: Session, cast: Cast, dora: User, fern: Product) -> None:
    run_id, ((one, _, _), (two, two_order, _)) = a_run(session, cast, dora, fern)
    for stop_id in (one, two):
        by_phone(dora, stop_id, ("arrived", {}))
    stop = session.get_one(RunStop, one)
    stop.outcome, stop.ended_at = StopOutcome.REMOVED, clock.now()
    session.commit()
    assert [event.stop_id for event in call(cast.ada, run_events.list_events, run_id)] == [two]
    session.get_one(Order, two_order).deleted_at = clock.now()
    session.commit()
    assert call(cast.ada, run_events.list_events, run_id) == ()


def test_whoever_may_see_dispatch_sees_the_reports(session: Session, cast: Cast, dora: User, fern: Product) -> None:
    run_id, ((one, _, _), _) = a_run(session, cast, dora, fern)
    by_phone(dora, one, ("arrived", {}))
    viewer = make_user(session, "vera", role=Role.VIEWER)
    session.commit()
    assert descriptions(viewer, run_id, one) == ["Arrived"]
    for person in (dora, cast.alice):
        with pytest.raises(errors.NotAllowed):
            call(person, run_events.list_events, run_id)
    with pytest.raises(errors.NotFound):
        call(cast.ada, run_events.list_events, run_id + 1)


@pytest.mark.parametrize("source", EventSource)
@pytest.mark.parametrize("kind", StopEventKind)
def test_every_report_can_be_described_even_after_its_data_was_erased(kind: StopEventKind, source: EventSource) -> None:
    event = StopEvent(kind=kind, source=source, data={}, result=EventResult.WAITING)
    assert event_texts.describe(event).endswith(" (waits for the report before it)")


@pytest.mark.parametrize("code", RefusalCode)
def test_every_refusal_is_described(code: RefusalCode) -> None:
    event = StopEvent(
        kind=StopEventKind.BAG_PLACED, source=EventSource.PHONE, data={}, result=EventResult.REFUSED, code=code.value
    )
    assert event_texts.describe(event).startswith("Bag placed (refused")


def test_a_refusal_is_described_with_what_was_reported() -> None:
    event = StopEvent(
        kind=StopEventKind.CASH_COUNTED, data={"cents": 130_00}, result=EventResult.REFUSED, code="cash_short"
    )
    assert event_texts.describe(event) == "Cash counted: $130.00 (refused: not enough)"
