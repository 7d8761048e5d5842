"""Buyers confirm having read a recall notice, and staff see it (RULE recall-notice)."""

from typing import Any

import pytest
from sqlalchemy import Engine, func, select
from sqlmodel import Session, col

from marketplace_app import db, dispatch_messages
from marketplace_app.errors import NotAllowed, NotFound
from marketplace_app.models import AuditEntry, Order, OrderStatus, Product, Role, User
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.batches.recalls import BatchOption, FindBatchesForm, RecallNotice
from marketplace_app.schemas.dispatch.runs import Problem
from marketplace_app.services import privacy
from marketplace_app.services.admin import orders as admin_orders
from marketplace_app.services.batches import recalls
from marketplace_app.services.dispatch import board
from marketplace_app.services.order_batches import recall_notices
from marketplace_app.states.admin.dispatch.dispatch_rows import problem_row
from tests.builders import make_batch, make_product, make_run, make_user
from tests.conftest import Cast
from tests.services.batches.test_of_orders import place, set_status
from tests.services.batches.test_recalls import recall


@pytest.fixture
def fern(session: Session) -> Product:
    product = make_product(session, "Fern Hollow", id=907, sku="NB-77", price_cents=100_00, stock=0)
    make_batch(session, product, "A1", units=20)
    session.commit()
    return product


def confirm(user: User, order_id: str) -> tuple[RecallNotice, ...]:
    return db.write(lambda s: recall_notices.confirm(s, s.get(User, user.id), order_id))


def readings(engine: Engine) -> int:
    with Session(engine) as session:
        entries = select(func.count()).where(col(AuditEntry.action) == "order.recall_read")
        return int(session.execute(entries).scalar_one())


def test_what_was_read_once_counts_for_each_order_of_this_buyer(engine: Engine, cast: Cast, fern: Product) -> None:
    first, last, other = place(cast.alice, (fern, 2)), place(cast.alice, (fern, 1)), place(cast.bob, (fern, 1))
    batch_id = recall(engine, cast).batch_id
    (notice,) = confirm(cast.alice, last)
    assert (notice.product, notice.code, notice.reason, notice.units) == (
        "Fern Hollow",
        "A1",
        "The laboratory found mould",
        1,
    )
    view = db.read(lambda s: recalls.get(s, s.get(User, cast.ada.id), batch_id))
    assert (view.readers, view.buyers) == (1, 2)
    read = {order.order_id: order.read_at is not None for order in view.do_not_hand_over}
    assert read == {first: True, last: True, other: False}
    assert confirm(cast.alice, first)[0].read_at == notice.read_at
    assert readings(engine) == 1


def test_nobody_reads_for_somebody_else(engine: Engine, cast: Cast, fern: Product) -> None:
    order = place(cast.alice, (fern, 2))
    recall(engine, cast)
    with pytest.raises(NotFound):
        confirm(cast.bob, order)
    with pytest.raises(NotFound):
        confirm(cast.ada, order)
    assert readings(engine) == 0


def test_an_order_without_a_recalled_batch_has_nothing_to_read(engine: Engine, cast: Cast, fern: Product) -> None:
    order = place(cast.alice, (fern, 2))
    assert confirm(cast.alice, order) == ()
    recall(engine, cast)
    (notice,) = db.read(lambda s: recall_notices.of_order(s, order))
    assert notice.read_at is None
    set_status(cast, order, OrderStatus.CANCELLED)
    assert confirm(cast.alice, order) == ()
    assert readings(engine) == 0


def test_the_order_for_staff_says_what_was_recalled_and_whether_it_was_read(
    engine: Engine, cast: Cast, fern: Product
) -> None:
    order = place(cast.alice, (fern, 2))

    def seen() -> tuple[RecallNotice, ...]:
        return db.read(lambda s: admin_orders.get(s, s.get(User, cast.ada.id), order)).recalls

    assert seen() == ()
    recall(engine, cast)
    assert [(each.code, each.read_at) for each in seen()] == [("A1", None)]
    confirm(cast.alice, order)
    assert [each.read_at is not None for each in seen()] == [True]


def test_stops_of_recalled_orders_are_among_the_problems(
    engine: Engine, session: Session, cast: Cast, fern: Product
) -> None:
    planned, out = place(cast.alice, (fern, 1)), place(cast.bob, (fern, 1))
    plain = make_product(session, price_cents=120_00, stock=9)
    session.commit()
    sound = place(cast.bob, (plain, 1))
    dora, dan = make_user(session, "dora", role=Role.DRIVER), make_user(session, "dan", role=Role.DRIVER)
    make_run(session, dora, session.get_one(Order, planned), session.get_one(Order, sound))
    make_run(session, dan, session.get_one(Order, out), is_out=True)
    session.commit()

    def shown() -> tuple[Problem, ...]:
        return db.read(lambda s: board.show(s, s.get(User, cast.ada.id))).problems

    assert shown() == ()
    recall(engine, cast)
    found = {problem.card.order_id: problem for problem in shown()}
    assert found.keys() == {planned, out}
    assert {problem.message for problem in found.values()} == {dispatch_messages.ORDER_RECALLED}
    assert {problem.needs_release for problem in found.values()} == {False}
    rows = [problem_row(problem) for problem in found.values()]
    assert not any(row.can_plan for row in rows)
    assert [row.card.risk for row in rows] == ["", ""]  # the message says it


def test_a_persons_own_data_have_what_was_recalled_of_their_orders(engine: Engine, cast: Cast, fern: Product) -> None:
    order = place(cast.alice, (fern, 2))

    def data() -> dict[str, Any]:
        return db.read(lambda s: privacy.export(s, s.get(User, cast.alice.id)))

    assert "recalls" not in data()
    recall(engine, cast)
    confirm(cast.alice, order)
    (kept,) = data()["recalls"]
    assert (kept["code"], kept["readAt"] is not None) == ("A1", True)


@pytest.mark.parametrize("text", ["fern", "FERN HOL", "a1", "907", "nb-77"])
def test_a_batch_is_found_by_its_product_or_its_code(
    engine: Engine, session: Session, cast: Cast, fern: Product, text: str
) -> None:
    make_batch(session, make_product(session, "Quiet Mint", stock=0), "B7", units=1)
    session.commit()
    wanted = parse(FindBatchesForm, {"text": text})

    def found() -> tuple[BatchOption, ...]:
        return db.read(lambda s: recalls.find_batches(s, s.get(User, cast.ada.id), wanted))

    assert [(each.product, each.code, each.units) for each in found()] == [("Fern Hollow", "A1", 20)]
    recall(engine, cast)
    assert found() == ()


@pytest.mark.parametrize(("text", "codes"), [("CRÈME BRÛ", ["C3"]), ("creme brulee", ["C3"]), ("--", []), ("%", [])])
def test_a_batch_is_found_by_a_name_with_accents_in_any_case(
    session: Session, cast: Cast, fern: Product, text: str, codes: list[str]
) -> None:
    make_batch(session, make_product(session, "Crème Brûlée", stock=0), "C3", units=1)
    session.commit()
    wanted = parse(FindBatchesForm, {"text": text})
    found = db.read(lambda s: recalls.find_batches(s, s.get(User, cast.ada.id), wanted))
    assert [each.code for each in found] == codes


def test_a_user_who_may_not_recall_finds_no_batches(cast: Cast, fern: Product) -> None:
    with pytest.raises(NotAllowed):
        db.read(lambda s: recalls.find_batches(s, s.get(User, cast.alice.id), parse(FindBatchesForm, {"text": "fern"})))
