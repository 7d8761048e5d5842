"""Customers are asked whether they are ready, once and in time, and may say yes (RULE ready-question)."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from threading import Barrier
from typing import Any

import pytest
from sqlalchemy import Engine, update
from sqlmodel import Session, col, select

from marketplace_app import cash, clock, db, errors
from marketplace_app.adapters import live
from marketplace_app.jobs import timetable
from marketplace_app.limits import READY_ASKED_BEFORE
from marketplace_app.models import AuditEntry, Order, OrderDelivery, OrderStatus, OutboxMessage, Product, User
from marketplace_app.services import mails
from marketplace_app.services.admin import orders as admin_orders
from marketplace_app.services.buying import fulfilment, orders, own_orders
from marketplace_app.services.dispatch import ready
from marketplace_app.services.records import announcements
from tests.builders import make_window, make_zone, order_form, slot_id
from tests.conftest import Cast
from tests.services.buying.test_fulfilment import set_status, stock

CANCELLED, CONFIRMED, DELIVERED, OUT = (
    OrderStatus.CANCELLED,
    OrderStatus.CONFIRMED,
    OrderStatus.DELIVERED,
    OrderStatus.OUT_FOR_DELIVERY,
)


@pytest.fixture
def slot(session: Session) -> str:
    """Tomorrow or later, from five to seven."""
    window = make_window(session, make_zone(session, "97201"), capacity=30)
    session.commit()
    return slot_id(window)


@pytest.fixture
def announced(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The topics that were announced to open pages."""
    topics: list[str] = []
    monkeypatch.setattr(announcements, "publish", lambda _session, topic: topics.append(topic))
    return topics


def place(who: User, product: Product, quantity: int = 1, **fields: Any) -> dict[str, Any]:
    form = order_form((product, quantity), **fields)
    return dict(db.write(lambda s: orders.place(s, s.get(User, who.id), form, key=None)))


def begins(placed: dict[str, Any]) -> datetime:
    return datetime.fromisoformat(placed["delivery"]["windowStart"])


def ask(at: datetime) -> int:
    return db.write(lambda s: ready.ask(s, at))


def asked(placed: dict[str, Any]) -> dict[str, Any]:
    """Two hours before its window."""
    assert ask(begins(placed) - READY_ASKED_BEFORE) == 1
    return placed


def confirm(who: User, placed: dict[str, Any]) -> dict[str, Any]:
    return db.write(lambda s: ready.confirm(s, s.get(User, who.id), placed["id"])).wire()


def questions(engine: Engine) -> list[OutboxMessage]:
    with Session(engine) as session:
        kept = select(OutboxMessage).where(col(OutboxMessage.kind) == "ready_question")
        return [*session.execute(kept).scalars()]


def composed(engine: Engine, message: OutboxMessage) -> mails.Mail | None:
    with Session(engine) as session:
        return mails.compose(session, message.kind, message.payload)


def test_the_question_is_asked_two_hours_before_the_window_and_once(
    engine: Engine, cast: Cast, fern: Product, slot: str, announced: list[str]
) -> None:
    placed = place(cast.alice, fern, slotId=slot)
    before = begins(placed) - READY_ASKED_BEFORE
    assert ask(before - timedelta(seconds=1)) == 0
    assert [ask(before), ask(before), ask(before + timedelta(hours=1))] == [1, 0, 0]
    [message] = questions(engine)
    assert (message.recipient, message.payload) == (cast.alice.email, {"order_id": placed["id"]})
    shown = db.read(lambda s: orders.get(s, cast.alice, placed["id"])).wire()["delivery"]
    assert (shown["readyAskedAt"], shown["readyAt"]) == (clock.iso(before), None)
    assert {live.user(cast.alice.id), live.STAFF} <= {*announced}


def test_before_the_question_is_asked_an_order_shows_nothing_of_it(cast: Cast, fern: Product, slot: str) -> None:
    placed = place(cast.alice, fern, slotId=slot)
    names = ["windowStart", "windowEnd", "promisedBy", "zone", "attempts", "substitution", "doorPin"]
    assert list(placed["delivery"]) == names
    assert db.read(lambda s: orders.get(s, cast.alice, placed["id"])).wire() == placed


def test_the_mail_names_the_time_and_the_cash_and_no_product(
    engine: Engine, cast: Cast, fern: Product, slot: str
) -> None:
    placed = asked(place(cast.alice, fern, slotId=slot))
    mail = composed(engine, questions(engine)[0])
    assert mail is not None
    assert mail.subject == f"Order {placed['number']}: are you ready?"
    assert "5:00 PM to 7:00 PM" in mail.paragraphs[0]
    assert f"${placed['total']}" in mail.paragraphs[1]
    assert mail.paragraphs[2].startswith(cash.advice(115_00)[0])
    assert mail.link.endswith(f"/orders/{placed['id']}")
    assert "Fern Hollow" not in mail.html()


def test_an_order_that_is_out_ended_or_without_a_slot_is_not_asked_about(cast: Cast, fern: Product, slot: str) -> None:
    for status in (OUT, DELIVERED, CANCELLED):
        set_status(cast.ada, place(cast.alice, fern, slotId=slot)["id"], status)
    placed = place(cast.alice, fern, slotId=slot)
    db.write(lambda s: admin_orders.delete(s, cast.ada, placed["id"]))
    place(cast.alice, fern)
    assert ask(begins(placed) - timedelta(hours=1)) == 0


def test_nobody_is_asked_once_the_window_has_begun(cast: Cast, fern: Product, slot: str) -> None:
    assert ask(begins(place(cast.alice, fern, slotId=slot))) == 0


def test_whoever_ordered_less_than_two_hours_before_is_not_asked(
    session: Session, cast: Cast, fern: Product, slot: str
) -> None:
    late, early = (place(cast.alice, fern, slotId=slot) for _ in range(2))
    for placed, hours in ((late, 1), (early, 3)):
        at = begins(placed) - timedelta(hours=hours)
        session.execute(update(Order).where(col(Order.id) == placed["id"]).values(created_at=at))
    session.commit()
    assert ask(begins(late) - timedelta(minutes=30)) == 1
    with Session(session.get_bind()) as after:
        row = after.execute(select(OrderDelivery).where(col(OrderDelivery.ready_asked_at).is_not(None))).scalar_one()
        assert row.order_id == early["id"]


@pytest.mark.parametrize("change", [{"banned_at": clock.now(), "ban_reason": "x"}, {"deleted_at": clock.now()}])
def test_a_customer_who_is_banned_or_deleted_is_not_asked(
    session: Session, cast: Cast, fern: Product, slot: str, change: dict[str, Any]
) -> None:
    """They cannot sign in to answer."""
    placed = place(cast.alice, fern, slotId=slot)
    session.execute(update(User).where(col(User.id) == cast.alice.id).values(change))
    session.commit()
    assert ask(begins(placed) - timedelta(hours=1)) == 0


def test_the_task_asks_everybody_some_at_a_time(
    engine: Engine, cast: Cast, fern: Product, slot: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    placed = [place(cast.alice, fern, slotId=slot) for _ in range(7)]
    monkeypatch.setattr(ready, "MOST_AT_ONCE", 3)
    monkeypatch.setattr(clock, "now", lambda: begins(placed[0]) - timedelta(hours=1))
    for _ in range(2):
        timetable.ask_ready()
    assert len(questions(engine)) == 7


def ask_in_four_processes(engine: Engine, placed: dict[str, Any]) -> int:
    """Each of them twice. Returns how many questions were sent."""
    at, together = begins(placed) - timedelta(hours=1), Barrier(4)

    def run(_: int) -> int:
        together.wait(10)
        return ask(at) + ask(at)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(run, range(4)))
    return len(questions(engine))


@pytest.mark.race
def test_of_several_processes_one_asks(engine: Engine, cast: Cast, fern: Product, slot: str) -> None:
    assert ask_in_four_processes(engine, place(cast.alice, fern, slotId=slot)) == 1


@pytest.mark.race
def test_control_without_the_condition_several_would(
    engine: Engine, cast: Cast, fern: Product, slot: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    placed = place(cast.alice, fern, slotId=slot)
    monkeypatch.setattr(ready, "_is_due", lambda _at: col(OrderDelivery.order_id) == placed["id"])
    assert ask_in_four_processes(engine, placed) > 1


def test_an_order_that_is_being_changed_is_asked_about_the_next_time(
    engine: Engine, cast: Cast, fern: Product, slot: str
) -> None:
    if engine.dialect.name == "sqlite":
        pytest.skip("SQLite has one writer at a time")
    placed = place(cast.alice, fern, slotId=slot)
    at = begins(placed) - timedelta(hours=1)
    with Session(engine) as other:
        other.execute(select(OrderDelivery).with_for_update())
        assert ask(at) == 0
    assert ask(at) == 1


def test_yes_may_be_said_twice_and_is_recorded_once(
    engine: Engine, cast: Cast, fern: Product, slot: str, announced: list[str]
) -> None:
    placed = asked(place(cast.alice, fern, slotId=slot))
    announced.clear()
    first, second = confirm(cast.alice, placed), confirm(cast.alice, placed)
    assert first == second
    assert first["delivery"]["readyAt"] is not None
    assert {live.user(cast.alice.id), live.STAFF} <= {*announced}
    with Session(engine) as session:
        entries = session.execute(select(AuditEntry).where(col(AuditEntry.action) == "order.ready")).scalars().all()
        assert [(entry.actor_id, entry.subject) for entry in entries] == [(cast.alice.id, f"order:{placed['id']}")]
    assert composed(engine, questions(engine)[0]) is None


def test_nobody_answers_a_question_that_was_not_asked(cast: Cast, fern: Product, slot: str) -> None:
    for placed in (place(cast.alice, fern, slotId=slot), place(cast.alice, fern)):
        with pytest.raises(ready.NotAsked):
            confirm(cast.alice, placed)


@pytest.mark.parametrize("status", [OUT, DELIVERED, CANCELLED])
def test_nobody_answers_once_the_order_is_out(
    engine: Engine, cast: Cast, fern: Product, slot: str, status: OrderStatus
) -> None:
    placed = asked(place(cast.alice, fern, slotId=slot))
    set_status(cast.ada, placed["id"], status)
    with pytest.raises(own_orders.OrderAlreadyOut):
        confirm(cast.alice, placed)
    assert composed(engine, questions(engine)[0]) is None


def test_nobody_answers_for_others(cast: Cast, fern: Product, slot: str) -> None:
    placed = asked(place(cast.alice, fern, slotId=slot))
    for who in (cast.bob, cast.ada):
        with pytest.raises(errors.NotFound):
            confirm(who, placed)
    with pytest.raises(errors.NotSignedIn):
        db.write(lambda s: ready.confirm(s, None, placed["id"]))


def cancel(who: User, placed: dict[str, Any]) -> Callable[[], OrderStatus]:
    return lambda: db.write(lambda s: own_orders.cancel(s, s.get(User, who.id), placed["id"])).status


def test_a_confirmed_order_may_be_cancelled_once_its_customer_was_asked(
    engine: Engine, cast: Cast, fern: Product, slot: str
) -> None:
    placed = place(cast.alice, fern, 2, slotId=slot)
    set_status(cast.ada, placed["id"], CONFIRMED)
    with pytest.raises(own_orders.NotPending):
        cancel(cast.alice, placed)()
    asked(placed)
    assert cancel(cast.alice, placed)() is CANCELLED
    assert stock(engine, fern) == 500
    with pytest.raises(fulfilment.CannotReopen):
        set_status(cast.ada, placed["id"], CONFIRMED)


def test_an_order_that_is_out_is_not_cancelled_though_its_customer_was_asked(
    cast: Cast, fern: Product, slot: str
) -> None:
    placed = asked(place(cast.alice, fern, slotId=slot))
    set_status(cast.ada, placed["id"], OUT)
    with pytest.raises(own_orders.NotPending):
        cancel(cast.alice, placed)()
