"""An order is packed from another batch (RULE batch-swap)."""

import pytest
from sqlalchemy import Engine, select
from sqlmodel import Session, col

from marketplace_app import db
from marketplace_app.adapters import live
from marketplace_app.models import (
    AuditEntry,
    LineBatch,
    OrderStatus,
    Product,
    StockMovement,
    StockReason,
    Substitution,
    User,
)
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.buying.order_batches import SwapForm
from marketplace_app.services.batches import of_orders, recalls, swaps
from marketplace_app.services.buying import own_orders
from marketplace_app.services.order_batches import picking
from tests.builders import make_batch, make_product, make_user, make_zone
from tests.conftest import Cast
from tests.services.batches.test_of_orders import batch_id, broken, counts, day, set_status, units_by_batch
from tests.services.batches.test_recalls import recall
from tests.services.order_batches.test_wishes import place
from tests.services.test_races import at_once


@pytest.fixture
def fern(session: Session) -> Product:
    """`A1` is sold first; `B1` and `C1` are two points of THC away from it, `D1` a little more, and `E1` has none."""
    make_zone(session, "97201")
    product = make_product(session, "Fern Hollow", price_cents=120_00, stock=0)
    batches = (("A1", 20.4), ("B1", 22.4), ("C1", 18.4), ("D1", 22.5), ("E1", None))
    for days, (code, thc) in enumerate(batches, start=10):
        make_batch(session, product, code, units=5, expires_on=day(days), thc_percent=thc)
    session.commit()
    return product


def order_of(who: User, product: Product, quantity: int = 2, wish: str = "any") -> str:
    return str(place(who, (product, quantity), substitution=wish)["id"])


def swap(engine: Engine, who: User, order: str, before: str, after: str) -> dict[str, int]:
    """Units by code that the order has then."""
    numbers = {"fromBatchId": batch_id(engine, before), "toBatchId": batch_id(engine, after)}
    product = product_of(engine, order)
    picked = db.write(lambda s: picking.change(s, s.get(User, who.id), order, product, parse(SwapForm, numbers)))
    assert not picked.is_asked
    return {each.code: each.units for each in picked.batches}


def product_of(engine: Engine, order: str) -> int:
    with Session(engine) as session:
        statement = select(col(LineBatch.product_id)).where(col(LineBatch.order_id) == order)
        return session.execute(statement).scalars().first() or 0


def stock_of(engine: Engine, product: Product) -> int:
    with Session(engine) as session:
        return session.get_one(Product, product.id).stock


def test_the_units_of_one_batch_are_exchanged_for_those_of_another(
    engine: Engine, cast: Cast, fern: Product, monkeypatch: pytest.MonkeyPatch
) -> None:
    order = order_of(cast.alice, fern)
    sent: list[str] = []
    monkeypatch.setattr(picking.announcements, "publish", lambda _, topic: sent.append(topic))
    assert swap(engine, cast.ada, order, "A1", "D1") == {"D1": 2} == units_by_batch(engine, order)
    assert {code: counts(engine)[code] for code in ("A1", "D1")} == {"A1": (5, 0), "D1": (3, 0)}
    assert stock_of(engine, fern) == 23
    assert sent == [live.user(cast.alice.id), live.STAFF]
    with Session(engine) as session:
        made = select(col(StockMovement.change)).where(col(StockMovement.reason) == StockReason.SWAP)
        assert [*session.execute(made.order_by(col(StockMovement.id))).scalars()] == [2, -2]
        entry = session.execute(select(AuditEntry).where(col(AuditEntry.action) == "order.batch_changed")).scalar_one()
        assert (entry.actor_id, entry.details) == (cast.ada.id, {"before": "A1", "code": "D1", "units": 2})
    assert broken(engine) == []


def test_a_line_of_two_batches_keeps_the_other_one(engine: Engine, cast: Cast, fern: Product) -> None:
    order = order_of(cast.alice, fern, 7)
    assert units_by_batch(engine, order) == {"A1": 5, "B1": 2}
    assert swap(engine, cast.ada, order, "B1", "C1") == {"A1": 5, "C1": 2}
    assert swap(engine, cast.ada, order, "C1", "B1") == {"A1": 5, "B1": 2}
    with pytest.raises(picking.BatchUnavailable):
        swap(engine, cast.ada, order, "A1", "B1")
    assert swap(engine, cast.ada, order, "A1", "C1") == {"B1": 2, "C1": 5}
    assert swap(engine, cast.ada, order, "B1", "A1") == {"A1": 2, "C1": 5}
    assert broken(engine) == []


def test_two_batches_of_a_line_become_one(engine: Engine, session: Session, cast: Cast, fern: Product) -> None:
    make_batch(session, fern, "BIG", units=50)
    session.commit()
    order = order_of(cast.alice, fern, 7)
    swap(engine, cast.ada, order, "A1", "BIG")
    assert swap(engine, cast.ada, order, "B1", "BIG") == {"BIG": 7}
    assert broken(engine) == []
    db.write(lambda s: own_orders.cancel(s, s.get(User, cast.alice.id), order))
    assert counts(engine)["BIG"] == (50, 0)
    assert broken(engine) == []


def test_a_reopened_order_takes_units_after_a_swap_too(engine: Engine, cast: Cast, fern: Product) -> None:
    order = order_of(cast.alice, fern)
    swap(engine, cast.ada, order, "A1", "D1")
    set_status(cast, order, OrderStatus.CANCELLED)
    set_status(cast, order, OrderStatus.CONFIRMED)
    assert units_by_batch(engine, order) == {"A1": 2}
    assert swap(engine, cast.ada, order, "A1", "E1") == {"E1": 2}
    assert broken(engine) == []


@pytest.mark.parametrize(
    ("wish", "before", "after", "is_allowed"),
    [
        (Substitution.ANY, 10.0, 30.0, True),
        (Substitution.ANY, None, None, True),
        (Substitution.ASK, 20.0, 20.0, False),
        (Substitution.CLOSE, 20.0, 20.0, True),
        (Substitution.CLOSE, 20.4, 22.4, True),
        (Substitution.CLOSE, 22.4, 20.4, True),
        (Substitution.CLOSE, 0.3, 2.3, True),
        (Substitution.CLOSE, 20.4, 22.5, False),
        (Substitution.CLOSE, 20.4, 18.3, False),
        (Substitution.CLOSE, None, 22.4, False),
        (Substitution.CLOSE, 22.4, None, False),
        (Substitution.CLOSE, None, None, False),
    ],
)
def test_the_wish_says_what_is_done_without_asking(
    wish: Substitution, before: float | None, after: float | None, is_allowed: bool
) -> None:
    assert swaps.is_allowed(wish, before, after) is is_allowed


def test_whole_steps_of_a_tenth_up_to_two_points_are_close() -> None:
    """As binary numbers, some differences of two points are a little more."""
    for tenths in range(900):
        before = tenths / 10
        assert swaps.is_allowed(Substitution.CLOSE, before, (tenths + 20) / 10)
        assert not swaps.is_allowed(Substitution.CLOSE, before, (tenths + 21) / 10)


def test_what_was_recalled_is_set_aside_and_the_order_may_be_handed_over(
    engine: Engine, cast: Cast, fern: Product
) -> None:
    order = order_of(cast.alice, fern)
    recall(engine, cast)
    set_status(cast, order, OrderStatus.CONFIRMED)
    with pytest.raises(of_orders.OrderRecalled):
        set_status(cast, order, OrderStatus.OUT_FOR_DELIVERY)
    swap(engine, cast.ada, order, "A1", "C1")
    assert {code: counts(engine)[code] for code in ("A1", "C1")} == {"A1": (0, 5), "C1": (3, 0)}
    assert stock_of(engine, fern) == 18
    assert broken(engine) == []
    recalled = batch_id(engine, "A1")
    view = db.read(lambda s: recalls.get(s, s.get(User, cast.ada.id), recalled))
    assert (view.units, view.do_not_hand_over) == (0, ())
    set_status(cast, order, OrderStatus.OUT_FOR_DELIVERY)
    set_status(cast, order, OrderStatus.DELIVERED)
    assert broken(engine) == []


@pytest.mark.race
def test_orders_that_are_swapped_at_once_for_the_last_units_get_each_once(
    engine: Engine, session: Session, cast: Cast, fern: Product
) -> None:
    people = [make_user(session, f"shopper{n}") for n in range(5)]
    make_batch(session, fern, "LAST", units=3)
    session.commit()
    orders = [order_of(who, fern, 1) for who in people]
    answers = at_once([lambda each=order: swap(engine, cast.ada, each, "A1", "LAST") for order in orders])
    assert sorted(type(answer) is dict for answer in answers) == [False, False, True, True, True]
    assert (counts(engine)["LAST"], counts(engine)["A1"]) == ((0, 0), (3, 0))
    assert broken(engine) == []


def test_a_swap_that_changes_an_orders_units_is_found(
    engine: Engine, session: Session, cast: Cast, fern: Product
) -> None:
    order = order_of(cast.alice, fern)
    swap(engine, cast.ada, order, "A1", "B1")
    extra = {"product_id": fern.id, "change": 1, "reason": StockReason.SWAP, "order_id": order, "sequence": 9}
    session.add(StockMovement(**extra))
    session.commit()
    assert any("a swap of batches" in each for each in broken(engine))
