"""Alerts for a product that is back in stock: in order, once, and limited by the stock."""

from threading import Thread
from typing import Any

import pytest
from sqlalchemy import Engine, select
from sqlmodel import Session, col

from marketplace_app import clock, db, errors
from marketplace_app.jobs.outbox_worker import queue_stock_mails
from marketplace_app.models import OrderStatus, OutboxMessage, Product, StockAlert, User
from marketplace_app.services import mails, privacy
from marketplace_app.services.buying import stock_alerts
from marketplace_app.services.records import outbox
from marketplace_app.states.buying.saved import row_of
from tests.builders import make_product, make_user
from tests.conftest import Cast
from tests.services.buying.test_fulfilment import place, set_status
from tests.services.test_races import at_once


@pytest.fixture
def sold_out(session: Session) -> Product:
    product = make_product(session, "Fern Hollow", price_cents=120_00, stock=0)
    session.commit()
    return product


def people(session: Session, count: int) -> list[User]:
    made = [make_user(session, f"person{number}") for number in range(count)]
    session.commit()
    return made


def ask(who: User, product: Product) -> None:
    db.write(lambda s: stock_alerts.ask(s, s.get(User, who.id), product.id))


def restock(product: Product, count: int) -> None:
    def write(session: Session) -> None:
        session.get_one(Product, product.id).stock = count

    db.write(write)


def addressees(engine: Engine) -> list[str]:
    with Session(engine) as session:
        mails = select(OutboxMessage).where(col(OutboxMessage.kind) == "back_in_stock").order_by(col(OutboxMessage.id))
        return [mail.recipient for mail in session.execute(mails).scalars()]


def test_alerts_go_to_the_first_in_line_at_most_two_per_unit(
    engine: Engine, session: Session, sold_out: Product
) -> None:
    waiting = people(session, 5)
    for who in (*waiting, waiting[0]):
        ask(who, sold_out)
    queue_stock_mails()
    assert addressees(engine) == []
    restock(sold_out, 2)
    queue_stock_mails()
    queue_stock_mails()
    assert addressees(engine) == [who.email for who in waiting[:4]]


def test_units_left_after_two_days_are_offered_to_the_next(
    engine: Engine, session: Session, sold_out: Product, monkeypatch: pytest.MonkeyPatch
) -> None:
    waiting = people(session, 3)
    for who in waiting:
        ask(who, sold_out)
    restock(sold_out, 1)
    queue_stock_mails()
    assert len(addressees(engine)) == 2
    later = clock.now() + stock_alerts.COUNTED_FOR
    monkeypatch.setattr(clock, "now", lambda: later)
    queue_stock_mails()
    assert addressees(engine) == [who.email for who in waiting]


def test_two_processes_alert_each_user_once(engine: Engine, session: Session, sold_out: Product) -> None:
    waiting = people(session, 12)
    for who in waiting:
        ask(who, sold_out)
    restock(sold_out, 3)
    at_once([queue_stock_mails] * 6)
    assert sorted(addressees(engine)) == sorted(who.email for who in waiting[:6])


@pytest.mark.race
def test_cancelling_an_alert_while_mails_are_queued_keeps_no_mail_back(
    engine: Engine, session: Session, sold_out: Product, monkeypatch: pytest.MonkeyPatch
) -> None:
    waiting = people(session, 2)
    first, expected = waiting[0].id, [who.email for who in waiting]
    for who in waiting:
        ask(who, sold_out)
    restock(sold_out, 9)
    cancel = Thread(target=lambda: db.write(lambda s: stock_alerts.cancel(s, s.get(User, first), sold_out.id)))
    add = outbox.add

    def add_after_the_cancel(*args: Any, **payload: Any) -> None:
        if cancel.ident is None:
            cancel.start()
            cancel.join(timeout=1)
        add(*args, **payload)

    monkeypatch.setattr(outbox, "add", add_after_the_cancel)
    queue_stock_mails()
    cancel.join()
    assert addressees(engine) == expected


def test_a_cancelled_order_triggers_alerts(engine: Engine, session: Session, cast: Cast) -> None:
    product = make_product(session, "Quiet Mint", price_cents=120_00, stock=1)
    session.commit()
    order_id = place(cast.alice, product, 1)
    ask(cast.bob, product)
    set_status(cast.ada, order_id, OrderStatus.CANCELLED)
    queue_stock_mails()
    assert addressees(engine) == [cast.bob.email]


def test_banned_and_deleted_users_get_no_alert(engine: Engine, session: Session, sold_out: Product) -> None:
    banned, erased, active = people(session, 3)
    for who in (banned, erased, active):
        ask(who, sold_out)
    person = session.get_one(User, banned.id)
    person.banned_at, person.ban_reason = clock.now(), "Resold products"
    session.commit()
    db.write(lambda s: privacy.erase(s, s.get(User, erased.id)))
    restock(sold_out, 9)
    queue_stock_mails()
    assert addressees(engine) == [active.email]
    with Session(engine) as after:
        left = select(col(StockAlert.user_id)).where(col(StockAlert.user_id) == erased.id)
        assert after.execute(left).first() is None


def test_alerts_are_for_sold_out_products_only(session: Session, cast: Cast, sold_out: Product) -> None:
    there = make_product(session, "Quiet Mint", stock=1)
    archived = make_product(session, "Old Oak", stock=0, is_active=False)
    session.commit()
    with pytest.raises(stock_alerts.InStock):
        ask(cast.alice, there)
    with pytest.raises(errors.NotFound):
        ask(cast.alice, archived)
    ask(cast.alice, sold_out)
    db.write(lambda s: stock_alerts.cancel(s, s.get(User, cast.alice.id), sold_out.id))
    assert db.read(lambda s: stock_alerts.list_own(s, s.get(User, cast.alice.id))) == ()


def test_an_awaited_product_that_is_no_longer_sold_has_no_link(session: Session, cast: Cast, sold_out: Product) -> None:
    """Its page says that it was not found."""

    def own() -> list[tuple[bool, str]]:
        awaited = db.read(lambda s: stock_alerts.list_own(s, s.get(User, cast.alice.id)))
        rows = [row_of(each.product, each.is_still_sold) for each in awaited]
        return [(row.is_still_sold, row.href) for row in rows]

    ask(cast.alice, sold_out)
    assert own() == [(True, f"/product/{sold_out.id}")]
    session.get_one(Product, sold_out.id).is_active = False
    session.commit()
    assert own() == [(False, "")]


def test_an_alert_is_sent_only_while_the_product_is_in_stock(session: Session, sold_out: Product) -> None:
    assert mails.compose(session, "back_in_stock", {"product_id": sold_out.id}) is None
    session.get_one(Product, sold_out.id).stock = 1
    letter = mails.compose(session, "back_in_stock", {"product_id": sold_out.id})
    assert letter is not None
    assert "Fern Hollow" not in letter.subject
    assert "Fern Hollow is back in stock." in letter.plain()
