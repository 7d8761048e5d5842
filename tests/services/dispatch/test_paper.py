"""A run that was finished on paper ends in the same books as one that was reported by phone (RULE paper)."""

from datetime import UTC, datetime, time, timedelta
from typing import Any

import pytest
from sqlalchemy import Engine, text
from sqlmodel import Session

from marketplace_app import clock, errors
from marketplace_app.config import get_settings
from marketplace_app.models import Order, OrderDelivery, OrderStatus, Product, Run, User
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.batches.recalls import RecallForm
from marketplace_app.schemas.dispatch.door import StopEventForm
from marketplace_app.schemas.dispatch.paper import PaperForm
from marketplace_app.services import invariants
from marketplace_app.services.batches import recalls
from marketplace_app.services.dispatch import board, departures, door, paper, run_events, runs
from tests.builders import make_batch, make_product, make_run
from tests.conftest import Cast
from tests.services.dispatch.test_runs import call, place

pytestmark = pytest.mark.usefixtures("zone")
ANSWERS = {"ofAge": True, "nameMatches": True, "notExpired": True}
DELIVERED = {"outcome": "delivered", "idChecked": True, "counted": "115.00"}


def a_run(session: Session, cast: Cast, dora: User, fern: Product) -> tuple[int, list[tuple[int, str, str]]]:
    """That is out with two orders: its number, and of each stop the number, the order and the PIN."""
    order_ids = [place(who, fern) for who in (cast.alice, cast.bob)]
    orders = [session.get_one(Order, order_id) for order_id in order_ids]
    run = make_run(session, dora, *orders, is_out=True)
    pins = [session.get_one(OrderDelivery, order_id).door_pin for order_id in order_ids]
    session.commit()
    stops = [stop.id for stop in call(cast.ada, runs.get, run.id).stops]
    return run.id, list(zip(stops, order_ids, pins, strict=True))


def enter_paper(actor: User, run_id: int, stop_id: int, **given: Any) -> None:
    call(actor, paper.enter, run_id, stop_id, parse(PaperForm, given))


def books(engine: Engine) -> dict[str, list[Any]]:
    """Orders, stock, stops, attempts and mails, without what differs from run to run: ids, times and who wrote it."""
    queries = {
        "orders": "SELECT status, COUNT(*), SUM(total_cents) FROM orders GROUP BY status ORDER BY status",
        "stock": "SELECT SUM(stock) FROM products",
        "stops": (
            "SELECT outcome, failure, flag, COUNT(*) FROM run_stops GROUP BY outcome, failure, flag ORDER BY outcome"
        ),
        "attempts": "SELECT SUM(attempts) FROM order_deliveries",
        "mails": "SELECT kind, COUNT(*) FROM outbox GROUP BY kind ORDER BY kind",
    }
    with Session(engine) as session:
        assert [result.name for result in invariants.check(session) if not result.holds] == []
        return {name: [tuple(row) for row in session.execute(text(query))] for name, query in queries.items()}


def by_phone(dora: User, stop_id: int, *events: tuple[str, dict[str, Any]]) -> None:
    at = clock.now().isoformat()
    forms = [
        parse(
            StopEventForm,
            {
                "key": f"{stop_id:013}{number:013}",
                "seq": number,
                "stopId": stop_id,
                "kind": kind,
                "at": at,
                "data": data,
            },
        )
        for number, (kind, data) in enumerate(events, start=1)
    ]
    call(dora, door.record, stop_id, forms)


def test_paper_and_phone_end_in_the_same_books(
    engine: Engine, session: Session, cast: Cast, dora: User, fern: Product
) -> None:
    run_id, ((one, _, pin), (two, _, _)) = a_run(session, cast, dora, fern)
    before = books(engine)
    enter_paper(cast.ada, run_id, one, pin=pin, at="17:42", **DELIVERED)
    enter_paper(cast.ada, run_id, two, outcome="failed", reason="not_home")
    call(cast.ada, departures.close, run_id)
    on_paper = books(engine)
    run_id, ((one, _, pin), (two, _, _)) = a_run(session, cast, dora, fern)
    delivery = (
        ("arrived", {}),
        ("id_checked", ANSWERS),
        ("pin_entered", {"pin": pin}),
        ("cash_counted", {"counted": "145.00"}),  # without the discount on Alice's first order
        ("bag_placed", {}),
    )
    by_phone(dora, one, *delivery)
    by_phone(dora, two, ("arrived", {}), ("failed", {"reason": "not_home"}))
    call(cast.ada, departures.close, run_id)
    both = books(engine)
    assert before != on_paper
    for name in ("stops", "attempts", "mails"):
        assert both[name] == [(*row[:-1], row[-1] * 2) for row in on_paper[name]], name


def test_what_the_phone_had_reported_already_is_not_entered_twice(
    engine: Engine, session: Session, cast: Cast, dora: User, fern: Product
) -> None:
    run_id, ((one, order_id, pin), _) = a_run(session, cast, dora, fern)
    by_phone(dora, one, ("arrived", {}), ("id_checked", ANSWERS))
    enter_paper(cast.ada, run_id, one, pin=pin, **DELIVERED)
    with pytest.raises(errors.InvalidInput, match="ended already"):
        enter_paper(cast.ada, run_id, one, pin=pin, **DELIVERED)
    with Session(engine) as fresh:
        kinds = [row.kind for row in fresh.execute(text("SELECT kind FROM stop_events ORDER BY id"))]
        assert kinds == ["arrived", "id_checked", "pin_entered", "cash_counted", "bag_placed"]
        assert fresh.get_one(Order, order_id).status is OrderStatus.DELIVERED


def test_what_the_phone_had_reported_is_not_asked_again(
    engine: Engine, session: Session, cast: Cast, dora: User, fern: Product
) -> None:
    run_id, ((one, order_id, pin), (two, _, _)) = a_run(session, cast, dora, fern)
    counted = ("cash_counted", {"counted": "115.00"})
    by_phone(dora, one, ("arrived", {}), ("id_checked", ANSWERS), ("pin_entered", {"pin": pin}), counted)
    first, second = call(cast.ada, paper.list_open, run_id)
    assert (first.id, [*first.done]) == (one, ["arrived", "id_checked", "pin_entered", "cash_counted"])
    assert (second.id, second.done) == (two, ())
    enter_paper(cast.ada, run_id, one, outcome="delivered")
    assert [stop.id for stop in call(cast.ada, paper.list_open, run_id)] == [two]
    with Session(engine) as fresh:
        assert fresh.get_one(Order, order_id).status is OrderStatus.DELIVERED
        assert fresh.execute(text("SELECT COUNT(*) FROM stop_events")).scalar_one() == 5


def test_an_id_that_was_refused_last_is_asked_again(session: Session, cast: Cast, dora: User, fern: Product) -> None:
    run_id, ((one, _, pin), _) = a_run(session, cast, dora, fern)
    by_phone(dora, one, ("arrived", {}), ("id_checked", ANSWERS), ("id_checked", ANSWERS | {"notExpired": False}))
    with pytest.raises(errors.InvalidInput) as refused:
        enter_paper(cast.ada, run_id, one, outcome="delivered", pin=pin, counted="115.00")
    assert list(refused.value.fields) == ["idChecked"]


def test_what_the_phone_sends_after_the_paper_changes_nothing(
    engine: Engine, session: Session, cast: Cast, dora: User, fern: Product
) -> None:
    run_id, ((one, _, pin), _) = a_run(session, cast, dora, fern)
    enter_paper(cast.ada, run_id, one, pin=pin, **DELIVERED)
    entered = books(engine)
    by_phone(dora, one, ("arrived", {}), ("id_checked", ANSWERS), ("failed", {"reason": "not_home"}))
    assert books(engine) == entered
    assert [event.code for event in call(cast.ada, run_events.list_events, run_id)][-1] == "stop_ended"


def test_only_a_run_that_is_out_is_entered(session: Session, cast: Cast, dora: User, fern: Product) -> None:
    order = session.get_one(Order, place(cast.alice, fern))
    run = make_run(session, dora, order)
    session.commit()
    [stop] = call(cast.ada, runs.get, run.id).stops
    assert call(cast.ada, paper.list_open, run.id) == ()
    for run_id, stop_id in ((run.id, stop.id), (run.id, stop.id + 1), (run.id + 1, stop.id)):
        with pytest.raises(errors.NotFound):
            enter_paper(cast.ada, run_id, stop_id, **DELIVERED)


@pytest.mark.parametrize(("pin", "words"), [("", "without a PIN"), ("wrong", "the PIN was wrong")])
def test_a_pin_that_is_missing_or_wrong_is_for_a_dispatcher_to_look_at(
    session: Session, cast: Cast, dora: User, fern: Product, pin: str, words: str
) -> None:
    run_id, ((one, _, right), _) = a_run(session, cast, dora, fern)
    wrong = f"{(int(right) + 1) % 10_000:04}"
    enter_paper(cast.ada, run_id, one, pin=wrong if pin else "", **DELIVERED)
    [problem] = call(cast.ada, board.show).problems
    assert problem.needs_release
    assert words in problem.message


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"outcome": "delivered", "idChecked": False, "counted": "115.00"}, "idChecked"),
        ({"outcome": "delivered", "idChecked": True}, "counted"),
        ({"outcome": "delivered", "idChecked": True, "counted": "114.99"}, "counted"),
    ],
)
def test_what_the_rules_of_the_door_refuse_is_not_entered_in_part(
    engine: Engine, session: Session, cast: Cast, dora: User, fern: Product, given: dict[str, Any], field: str
) -> None:
    run_id, ((one, _, pin), _) = a_run(session, cast, dora, fern)
    with pytest.raises(errors.InvalidInput) as refused:
        enter_paper(cast.ada, run_id, one, pin=pin, **given)
    assert list(refused.value.fields) == [field]
    with Session(engine) as fresh:
        assert fresh.execute(text("SELECT COUNT(*) FROM stop_events")).scalar_one() == 0


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"outcome": "failed"}, "reason"),
        ({"outcome": "failed", "reason": None}, "reason"),
        ({"outcome": "lost"}, "outcome"),
        (DELIVERED | {"pin": "12a4"}, "pin"),
        (DELIVERED | {"at": "25:00"}, "at"),
    ],
)
def test_what_cannot_stand_on_a_sheet_is_refused_beside_its_field(given: dict[str, Any], field: str) -> None:
    with pytest.raises(errors.InvalidInput) as refused:
        parse(PaperForm, given)
    assert list(refused.value.fields) == [field]


@pytest.mark.parametrize(
    ("written", "now", "expected"),
    [
        ("22:30", "1 00:45", "0 22:30"),
        ("00:40", "1 00:45", "1 00:40"),
        ("24:00", "1 00:45", "1 00:00"),
        ("00:50", "1 00:45", "1 00:45"),  # the driver's watch is fast
        ("21:50", "1 00:45", "0 21:50"),  # the departure was recorded late
        ("21:50", "2 09:00", "0 21:50"),
        ("00:40", "0 23:00", "0 00:40"),  # nothing can be of a day that has not begun
    ],
)
def test_a_time_before_the_departure_is_of_the_next_day_where_that_can_be(
    session: Session,
    cast: Cast,
    dora: User,
    fern: Product,
    monkeypatch: pytest.MonkeyPatch,
    written: str,
    now: str,
    expected: str,
) -> None:
    run_id, ((one, _, _), _) = a_run(session, cast, dora, fern)
    run = session.get_one(Run, run_id)

    def moment(text: str) -> datetime:
        days, _, at = text.partition(" ")
        day = run_day + timedelta(days=int(days))
        return datetime.combine(day, time.fromisoformat(at), get_settings().timezone).astimezone(UTC)

    run_day = run.day
    run.departed_at = moment("0 22:00")
    session.commit()
    monkeypatch.setattr(clock, "now", lambda: moment(now))
    enter_paper(cast.ada, run_id, one, outcome="failed", reason="not_home", at=written)
    events = call(cast.ada, run_events.list_events, run_id)
    assert {event.claimed_at for event in events} == {moment(expected)}


def test_only_planners_enter_paper(session: Session, cast: Cast, dora: User, fern: Product) -> None:
    run_id, ((one, _, pin), _) = a_run(session, cast, dora, fern)
    for person in (dora, cast.alice):
        with pytest.raises(errors.NotAllowed):
            enter_paper(person, run_id, one, pin=pin, **DELIVERED)
        with pytest.raises(errors.NotAllowed):
            call(person, paper.list_open, run_id)


def test_a_recalled_order_can_only_be_entered_as_failed(
    engine: Engine, session: Session, cast: Cast, dora: User, fern: Product
) -> None:
    """Otherwise its stop stays open, and the run with it."""
    amber = make_product(session, "Amber Road", price_cents=120_00, stock=0)
    batch_id = make_batch(session, amber, units=5).id
    session.commit()
    order_id = place(cast.alice, amber)
    run = make_run(session, dora, session.get_one(Order, order_id), is_out=True)
    session.commit()
    call(cast.ada, recalls.recall, parse(RecallForm, {"batchId": batch_id, "reason": "Mould"}))
    [stop] = call(cast.ada, paper.list_open, run.id)
    with pytest.raises(errors.InvalidInput, match="Do not hand over") as refusal:
        enter_paper(cast.ada, run.id, stop.id, **DELIVERED)
    assert [*refusal.value.fields] == ["outcome"]
    enter_paper(cast.ada, run.id, stop.id, outcome="failed", reason="refused")
    assert call(cast.ada, paper.list_open, run.id) == ()
    assert call(cast.ada, departures.close, run.id).stops[0].failure == "refused"
    with pytest.raises(errors.InvalidInput, match="ended already"):
        enter_paper(cast.ada, run.id, stop.id, outcome="failed", reason="refused")
    books(engine)
