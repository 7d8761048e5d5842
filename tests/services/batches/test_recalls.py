"""Recalls: what is set aside, who is written to, and what is not handed over (RULE recalls)."""

import csv
import io
from collections.abc import Callable
from time import perf_counter

import pytest
from sqlalchemy import Engine, select, text
from sqlmodel import Session, col

from marketplace_app import clock, db, dispatch_messages, errors
from marketplace_app.adapters import live
from marketplace_app.jobs.commands import main
from marketplace_app.jobs.commands import recalls as recall_command
from marketplace_app.models import (
    Batch,
    LineBatch,
    Order,
    OrderLine,
    OrderStatus,
    OutboxMessage,
    Product,
    Role,
    User,
)
from marketplace_app.models.base import insert_rows, table_of
from marketplace_app.models.orders import new_order_id
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.batches.recalls import DrillView, RecallForm, RecallView
from marketplace_app.schemas.buying.order_forms import OrderEditForm
from marketplace_app.services import mails
from marketplace_app.services.admin import orders as admin_orders
from marketplace_app.services.batches import keeping, of_orders, recalls
from marketplace_app.services.buying import fulfilment
from marketplace_app.services.dispatch import board, departures, door, driver_run, sheet_texts
from tests.builders import make_batch, make_order, make_product, make_run, make_user
from tests.conftest import Cast
from tests.counting import count_statements
from tests.doors import Phone, forms
from tests.services.batches.test_of_orders import at_once, broken, counts, place, placing, set_status, shoppers


@pytest.fixture
def fern(session: Session) -> Product:
    product = make_product(session, "Fern Hollow", price_cents=100_00, stock=0)
    make_batch(session, product, "A1", units=20)
    session.commit()
    return product


def form(engine: Engine, code: str = "A1") -> RecallForm:
    with Session(engine) as session:
        batch_id = session.execute(select(col(Batch.id)).where(col(Batch.code) == code)).scalar_one()
    return parse(RecallForm, {"batchId": batch_id, "reason": "The laboratory found mould"})


def recall(engine: Engine, cast: Cast, code: str = "A1") -> RecallView:
    wanted = form(engine, code)
    return db.write(lambda s: recalls.recall(s, s.get(User, cast.ada.id), wanted))


def letters(engine: Engine) -> list[str]:
    with Session(engine) as session:
        found = select(col(OutboxMessage.recipient)).where(col(OutboxMessage.kind) == "recall")
        return sorted(session.execute(found).scalars())


def test_a_recall_sets_aside_lists_open_orders_and_writes_to_each_buyer_once(
    engine: Engine, cast: Cast, fern: Product
) -> None:
    delivered, opened, again = place(cast.alice, (fern, 2)), place(cast.bob, (fern, 3)), place(cast.bob, (fern, 1))
    cancelled = place(cast.ada, (fern, 4))
    set_status(cast, delivered, OrderStatus.DELIVERED)
    set_status(cast, cancelled, OrderStatus.CANCELLED)
    view = recall(engine, cast)
    assert (view.orders, view.buyers, view.units, view.set_aside, view.not_handed_over) == (3, 2, 6, 14, 2)
    assert [(each.order_id, each.units) for each in view.do_not_hand_over] == [(opened, 3), (again, 1)]
    assert counts(engine) == {"A1": (0, 14)}
    assert letters(engine) == ["alice@example.org", "bob@example.org"]
    assert broken(engine) == []
    with pytest.raises(keeping.BatchRecalled):
        recall(engine, cast)


def test_a_recall_is_announced_to_the_staff_and_to_each_buyer(engine: Engine, cast: Cast, fern: Product) -> None:
    place(cast.alice, (fern, 2))
    place(cast.alice, (fern, 1))
    set_status(cast, place(cast.bob, (fern, 4)), OrderStatus.CANCELLED)
    wanted = form(engine)

    def announced(act: Callable[..., object]) -> set[str]:
        def carry_out(s: Session) -> set[str]:
            act(s, s.get(User, cast.ada.id), wanted)
            return set(s.info.get(live.TOPICS, ()))

        return db.write(carry_out)

    assert announced(recalls.drill) == set()
    assert announced(recalls.recall) == {live.STAFF, live.OUTBOX, live.user(cast.alice.id), live.product(fern.id)}


def test_a_letter_says_what_was_recalled_and_why_below_a_subject_without_products(
    engine: Engine, session: Session, cast: Cast, fern: Product
) -> None:
    place(cast.alice, (fern, 2))
    recall(engine, cast)
    message = session.execute(select(OutboxMessage).where(col(OutboxMessage.kind) == "recall")).scalar_one()
    mail = mails.compose(session, message.kind, message.payload)
    assert mail is not None
    assert "batch A1 of Fern Hollow" in mail.plain()
    assert "The reason: The laboratory found mould." in mail.plain()
    assert "Fern" not in mail.subject


def test_a_recalled_order_is_not_sent_out_and_can_be_cancelled(engine: Engine, cast: Cast, fern: Product) -> None:
    order = place(cast.alice, (fern, 2))
    recall(engine, cast)
    for status in (OrderStatus.OUT_FOR_DELIVERY, OrderStatus.DELIVERED):
        with pytest.raises(of_orders.OrderRecalled):
            set_status(cast, order, status)
    set_status(cast, order, OrderStatus.CANCELLED)
    assert counts(engine) == {"A1": (0, 20)}
    assert broken(engine) == []
    edit = parse(OrderEditForm, {"status": "pending"})
    with pytest.raises(errors.OutOfStock):
        db.write(lambda s: fulfilment.edit(s, s.get(User, cast.ada.id), order, edit))


def test_what_was_handed_over_before_its_recall_can_still_be_recorded(
    engine: Engine, cast: Cast, fern: Product
) -> None:
    order = place(cast.alice, (fern, 2))
    set_status(cast, order, OrderStatus.OUT_FOR_DELIVERY)
    recall(engine, cast)
    set_status(cast, order, OrderStatus.DELIVERED)
    assert broken(engine) == []


@pytest.mark.parametrize("status", [OrderStatus.CONFIRMED, OrderStatus.OUT_FOR_DELIVERY])
def test_a_run_does_not_leave_with_a_recalled_order_whatever_its_status(
    engine: Engine, session: Session, cast: Cast, fern: Product, status: OrderStatus
) -> None:
    order = place(cast.alice, (fern, 2))
    run = make_run(session, make_user(session, "dora", role=Role.DRIVER), session.get_one(Order, order))
    session.commit()
    set_status(cast, order, status)
    recall(engine, cast)
    with pytest.raises(of_orders.OrderRecalled):
        db.write(lambda s: departures.depart(s, s.get(User, cast.ada.id), run.id))


def test_the_board_the_drivers_phone_and_the_sheet_say_do_not_hand_over(
    engine: Engine, session: Session, cast: Cast, fern: Product
) -> None:
    waiting, out = place(cast.alice, (fern, 2)), place(cast.bob, (fern, 2))
    dora = make_user(session, "dora", role=Role.DRIVER)
    make_run(session, dora, session.get_one(Order, out), is_out=True)
    session.commit()
    recall(engine, cast)
    shown = db.read(lambda s: board.show(s, s.get(User, cast.ada.id)))
    assert [(card.order_id, card.at_risk) for card in shown.unplanned] == [(waiting, dispatch_messages.ORDER_RECALLED)]
    assert [stop.card.at_risk for stop in shown.out[0].stops] == [dispatch_messages.ORDER_RECALLED]
    run = db.read(lambda s: driver_run.show(s, s.get(User, dora.id)))
    assert run is not None
    assert [(stop.outcome, stop.is_recalled) for stop in run.stops] == [("cancelled", True)]
    assert [sheet_texts.outcome(stop) for stop in run.stops] == ["Recalled. Do not hand over. Bring it back."]
    set_status(cast, out, OrderStatus.CANCELLED)
    run = db.read(lambda s: driver_run.show(s, s.get(User, dora.id)))
    assert run is not None
    assert [(stop.outcome, stop.is_recalled) for stop in run.stops] == [("cancelled", False)]


def test_of_a_recalled_order_a_driver_may_report_only_that_it_failed(
    engine: Engine, session: Session, cast: Cast, fern: Product
) -> None:
    order = place(cast.alice, (fern, 2))
    dora = make_user(session, "dora", role=Role.DRIVER)
    stop = make_run(session, dora, session.get_one(Order, order), is_out=True).stops[0]
    session.commit()
    recall(engine, cast)
    phone = Phone()

    def report(kind: str, **data: object) -> tuple[str | None, str]:
        reported = forms([phone.event(stop, kind, **data)])
        (answer,) = db.write(lambda s: door.record(s, s.get(User, dora.id), stop.id, reported))
        return answer.code, answer.message

    for kind in ("arrived", "bag_placed"):
        assert report(kind) == ("do_not_hand_over", dispatch_messages.RECALLED)
    assert report("failed", reason="other") == (None, "")
    with Session(engine) as after:
        assert after.get_one(Order, order).status is OrderStatus.CONFIRMED


def test_the_command_rehearses_a_recall(
    engine: Engine,
    cast: Cast,
    fern: Product,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(recall_command, "require_database", lambda: None)
    place(cast.alice, (fern, 2))
    assert main(["recall-drill", str(form(engine).batch_id)]) == 0
    said = capsys.readouterr().out
    assert "Batch A1 of Fern Hollow: 2 units in 1 order." in said
    assert "Nothing was changed." in said
    assert counts(engine) == {"A1": (18, 0)}
    assert main(["recall-drill", "987654"]) == 1


def test_a_drill_changes_nothing_and_says_what_a_recall_would_do(engine: Engine, cast: Cast, fern: Product) -> None:
    place(cast.alice, (fern, 2))
    wanted = form(engine)
    drilled: DrillView = db.write(lambda s: recalls.drill(s, s.get(User, cast.ada.id), wanted))
    assert (drilled.letters, drilled.coverage, drilled.recall.orders, drilled.recall.set_aside) == (1, 100, 1, 18)
    assert (counts(engine), letters(engine)) == ({"A1": (18, 0)}, [])
    assert db.read(lambda s: recalls.list_all(s, s.get(User, cast.ada.id))) == ()
    assert broken(engine) == []


def test_the_regulator_gets_every_order_of_the_batch(engine: Engine, cast: Cast, fern: Product) -> None:
    order = place(cast.alice, (fern, 2))
    set_status(cast, order, OrderStatus.DELIVERED)
    batch_id = recall(engine, cast).batch_id
    text = db.write(lambda s: recalls.export(s, s.get(User, cast.ada.id), batch_id))
    (row,) = csv.DictReader(io.StringIO(text))
    told = (row["product"], row["batch"], row["reason"], row["status"], row["units"], row["email"])
    assert told == ("Fern Hollow", "A1", "The laboratory found mould", "delivered", "2", "alice@example.org")


def test_nobody_who_has_closed_their_account_is_written_to(
    engine: Engine, session: Session, cast: Cast, fern: Product
) -> None:
    place(cast.alice, (fern, 2))
    cast.alice.deleted_at = clock.now()
    session.add(cast.alice)
    session.commit()
    assert recall(engine, cast).buyers == 1
    assert letters(engine) == []


def test_a_buyer_whose_last_order_was_deleted_is_written_to_about_the_one_before(
    engine: Engine, session: Session, cast: Cast, fern: Product
) -> None:
    before, last = place(cast.alice, (fern, 2)), place(cast.alice, (fern, 1))
    set_status(cast, last, OrderStatus.DELIVERED)
    db.write(lambda s: admin_orders.delete(s, s.get(User, cast.ada.id), last))
    batch_id = recall(engine, cast).batch_id
    message = session.execute(select(OutboxMessage).where(col(OutboxMessage.kind) == "recall")).scalar_one()
    assert message.payload == {"order_id": before, "batch_id": batch_id}


def test_a_buyer_whose_only_order_was_deleted_is_written_to_with_a_link_to_support(
    session: Session, engine: Engine, cast: Cast, fern: Product
) -> None:
    """It was delivered, so they may still have the product."""
    order = place(cast.alice, (fern, 2))
    set_status(cast, order, OrderStatus.DELIVERED)
    db.write(lambda s: admin_orders.delete(s, s.get(User, cast.ada.id), order))
    recall(engine, cast)
    message = session.execute(select(OutboxMessage).where(col(OutboxMessage.kind) == "recall")).scalar_one()
    mail = mails.compose(session, message.kind, message.payload)
    assert mail is not None
    assert (mail.link_label, mail.link.rpartition("/")[2]) == ("Contact support", "support")
    assert "order's page" not in mail.plain()


@pytest.mark.race
def test_orders_placed_while_a_batch_is_recalled_are_refused_or_found(
    engine: Engine, session: Session, cast: Cast
) -> None:
    product = make_product(session, price_cents=100_00, stock=0)
    make_batch(session, product, "A1", units=40)
    people = shoppers(session, 30)
    calls = [placing(user, (product, 1)) for user in people]
    wanted = form(engine)
    answers = at_once(
        [*calls[:8], lambda: db.write(lambda s: recalls.recall(s, s.get(User, cast.ada.id), wanted)), *calls[8:]]
    )
    sold = sum(isinstance(answer, dict) for answer in answers)
    (view,) = [answer for answer in answers if isinstance(answer, RecallView)]
    assert view.orders == sold == len(letters(engine))
    assert broken(engine) == []


def insert_ten_thousand_orders(session: Session, buyer: User, product: Product) -> None:
    """10,000 open orders of 5,000 buyers, each with a unit of the product's only batch. As rows, without a ledger."""
    batch_id = session.execute(select(col(Batch.id)).where(col(Batch.product_id) == product.id)).scalar_one()
    order_template, user_template = (
        dict(session.execute(select(table).where(table.c.id == row_id)).mappings().one())
        for table, row_id in ((table_of(Order), make_order(session, buyer, 100_00).id), (table_of(User), buyer.id))
    )
    buyer_ids = {new_order_id(): 1_000 + count % 5_000 for count in range(10_000)}
    emails = {user_id: f"buyer{user_id}@example.org" for user_id in buyer_ids.values()}
    users = [
        {"id": user_id, "subject": email, "email": email, "verified_email": email} for user_id, email in emails.items()
    ]
    insert_rows(session, User, [user_template | each for each in users])
    numbered = enumerate(buyer_ids.items(), start=200_000)
    orders = [{"id": order_id, "number": number, "user_id": user_id} for number, (order_id, user_id) in numbered]
    insert_rows(session, Order, [order_template | each for each in orders])
    line = {"position": 1, "product_id": product.id, "name": "Fern", "image": "", "quantity": 1, "unit_price_cents": 1}
    insert_rows(session, OrderLine, [line | {"order_id": order_id} for order_id in buyer_ids])
    share = {"product_id": product.id, "batch_id": batch_id, "units": 1}
    insert_rows(session, LineBatch, [share | {"order_id": order_id} for order_id in buyer_ids])
    session.execute(text("ANALYZE"))  # as the database does by itself while orders come in
    session.commit()


def test_a_recall_of_ten_thousand_orders_takes_as_many_statements_as_of_one(
    engine: Engine, session: Session, cast: Cast, fern: Product, record_property: Callable[[str, object], None]
) -> None:
    amber = make_product(session, "Amber Road", price_cents=100_00, stock=0)
    make_batch(session, amber, "B1", units=20)
    session.commit()
    place(cast.alice, (amber, 1))
    with count_statements(engine) as for_one:
        recall(engine, cast, "B1")
    insert_ten_thousand_orders(session, cast.bob, fern)
    began = perf_counter()
    with count_statements(engine) as statements:
        view = recall(engine, cast)
    record_property("figures", f"recall of 10,000 orders: {perf_counter() - began:.2f} s")
    assert (view.orders, view.buyers, len(view.do_not_hand_over)) == (10_000, 5_000, 10_000)
    assert len(letters(engine)) == 5_001
    assert len(statements) == len(for_one)
