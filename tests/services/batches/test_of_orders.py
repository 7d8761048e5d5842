"""Orders and batches: what is taken, given back and refused (RULE fefo)."""

from collections import Counter
from collections.abc import Callable
from datetime import date, timedelta
from threading import Barrier
from typing import Any
from uuid import uuid4

import pytest
from sqlalchemy import Engine, select, text
from sqlmodel import Session, col

from marketplace_app import db, errors
from marketplace_app.models import Batch, LineBatch, OrderStatus, Product, User
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.batches.batches import HoldForm
from marketplace_app.schemas.buying.order_forms import OrderEditForm
from marketplace_app.schemas.products.stock import StockForm
from marketplace_app.services import invariants, stock
from marketplace_app.services.batches import keeping, of_orders
from marketplace_app.services.buying import fulfilment, orders, own_orders
from tests.builders import make_batch, make_product, order_form
from tests.conftest import Cast
from tests.counting import count_statements
from tests.services.test_races import at_once, placing, shoppers

HOLD_FORM = parse(HoldForm, {"reason": "A jar smelled of mould"})
Act = Callable[..., Any]


def day(days: int) -> date:
    return keeping.today() + timedelta(days=days)


@pytest.fixture
def fern(session: Session) -> Product:
    """Three batches: the second expires first, the third never."""
    product = make_product(session, "Fern Hollow", price_cents=100_00, stock=0)
    make_batch(session, product, "LATE", units=5, expires_on=day(90))
    make_batch(session, product, "SOON", units=3, expires_on=day(30))
    make_batch(session, product, "NONE", units=4)
    session.commit()
    return product


@pytest.fixture
def as_owner(cast: Cast) -> Act:
    """Acts on batches as the owner."""
    return lambda act, *arguments: db.write(lambda s: act(s, s.get(User, cast.ada.id), *arguments))


def place(who: User, *items: tuple[Product, int]) -> str:
    return str(db.write(lambda s: orders.place(s, s.get(User, who.id), order_form(*items), key=str(uuid4())))["id"])


def set_status(cast: Cast, order_id: str, status: OrderStatus) -> None:
    form = parse(OrderEditForm, {"status": status.value})
    db.write(lambda s: fulfilment.edit(s, s.get(User, cast.ada.id), order_id, form))


def counts(engine: Engine) -> dict[str, tuple[int, int]]:
    """By code: the units for sale, and those that are set aside."""
    with Session(engine) as session:
        return {row.code: (row.units, row.set_aside) for row in session.execute(select(Batch)).scalars()}


def units_by_batch(engine: Engine, order_id: str) -> dict[str, int]:
    """By code: the units that an order has of each batch."""
    with Session(engine) as session:
        joined = select(col(Batch.code), col(LineBatch.units)).join(Batch, col(Batch.id) == col(LineBatch.batch_id))
        return {row.code: row.units for row in session.execute(joined.where(col(LineBatch.order_id) == order_id))}


def broken(engine: Engine) -> list[str]:
    with Session(engine) as session:
        return [f"{result.name}: {result.examples}" for result in invariants.check(session) if not result.holds]


def batch_id(engine: Engine, code: str) -> int:
    with Session(engine) as session:
        return session.execute(select(col(Batch.id)).where(col(Batch.code) == code)).scalar_one()


def test_an_order_takes_what_expires_first(engine: Engine, cast: Cast, fern: Product) -> None:
    order = place(cast.alice, (fern, 9))
    assert units_by_batch(engine, order) == {"SOON": 3, "LATE": 5, "NONE": 1}
    assert counts(engine) == {"SOON": (0, 0), "LATE": (0, 0), "NONE": (3, 0)}
    assert broken(engine) == []


def test_a_cancelled_order_gives_back_to_the_same_batches(engine: Engine, cast: Cast, fern: Product) -> None:
    order = place(cast.alice, (fern, 4))
    db.write(lambda s: own_orders.cancel(s, s.get(User, cast.alice.id), order))
    assert counts(engine) == {"SOON": (3, 0), "LATE": (5, 0), "NONE": (4, 0)}
    assert units_by_batch(engine, order) == {}
    assert broken(engine) == []


def test_a_reopened_order_takes_what_expires_first_by_then(engine: Engine, cast: Cast, fern: Product) -> None:
    order = place(cast.alice, (fern, 4))
    set_status(cast, order, OrderStatus.CANCELLED)
    place(cast.bob, (fern, 3))
    set_status(cast, order, OrderStatus.CONFIRMED)
    assert units_by_batch(engine, order) == {"LATE": 4}
    assert broken(engine) == []


@pytest.mark.parametrize("status", [OrderStatus.CONFIRMED, OrderStatus.DELIVERED])
def test_other_statuses_leave_batches_alone(engine: Engine, cast: Cast, fern: Product, status: OrderStatus) -> None:
    order = place(cast.alice, (fern, 4))
    set_status(cast, order, status)
    assert units_by_batch(engine, order) == {"SOON": 3, "LATE": 1}
    assert broken(engine) == []


def test_what_comes_back_to_a_held_batch_is_set_aside(engine: Engine, cast: Cast, fern: Product, as_owner: Act) -> None:
    order = place(cast.alice, (fern, 4))
    as_owner(keeping.hold, batch_id(engine, "SOON"), HOLD_FORM)
    set_status(cast, order, OrderStatus.CANCELLED)
    assert counts(engine) == {"SOON": (0, 3), "LATE": (5, 0), "NONE": (4, 0)}
    assert broken(engine) == []


def test_what_expired_a_moment_ago_is_not_sold(
    engine: Engine, cast: Cast, fern: Product, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before the timetable has set it aside, the stock still counts it."""
    later = day(31)
    for module in (keeping, of_orders):
        monkeypatch.setattr(module, "today", lambda: later)
    with pytest.raises(errors.OutOfStock, match="Only 9 of Fern Hollow left"):
        place(cast.alice, (fern, 10))
    assert counts(engine)["SOON"] == (3, 0), "the refused order took nothing"
    assert units_by_batch(engine, place(cast.alice, (fern, 6))) == {"LATE": 5, "NONE": 1}


def test_stock_kept_in_batches_cannot_be_adjusted_as_a_total(engine: Engine, fern: Product, as_owner: Act) -> None:
    with pytest.raises(stock.StockInBatches):
        as_owner(stock.adjust, fern.id, parse(StockForm, {"change": 1, "note": "Found"}))
    assert broken(engine) == []


def test_a_shop_without_batches_runs_no_statement_for_them(engine: Engine, session: Session, cast: Cast) -> None:
    dune = make_product(session, "Dune", price_cents=100_00, stock=6)
    session.commit()
    with count_statements(engine) as statements:
        place(cast.alice, (dune, 2))
    assert statements
    assert [each for each in statements if "batch" in each.replace("has_batches", "")] == []


def test_the_invariants_find_a_batch_whose_units_contradict_the_ledger(
    engine: Engine, session: Session, fern: Product
) -> None:
    session.execute(text("UPDATE batches SET units = units + 1, set_aside = set_aside + 1 WHERE code = 'LATE'"))
    session.commit()
    assert {each.partition(": ")[0] for each in broken(engine)} == {
        "stock kept in batches is the sum of their units",
        "the units of a batch are the sum of its movements",
        "what is set aside of a batch is the sum of what was set aside and released",
    }


@pytest.mark.race
def test_buyers_at_once_take_each_unit_of_two_batches_once(engine: Engine, session: Session) -> None:
    product = make_product(session, price_cents=100_00, stock=0)
    make_batch(session, product, "A", units=15, expires_on=day(3))
    make_batch(session, product, "B", units=15, expires_on=day(9))
    answers = at_once([placing(user, (product, 1)) for user in shoppers(session, 60)])
    assert Counter(type(answer) for answer in answers) == {dict: 30, errors.OutOfStock: 30}
    assert counts(engine) == {"A": (0, 0), "B": (0, 0)}
    assert broken(engine) == []


@pytest.mark.race
def test_buyers_and_a_hold_at_once_leave_no_unit_for_sale_in_a_held_batch(
    engine: Engine, session: Session, as_owner: Act
) -> None:
    product = make_product(session, price_cents=100_00, stock=0)
    make_batch(session, product, "A", units=40)
    people = shoppers(session, 40)
    batch = batch_id(engine, "A")
    calls = [placing(user, (product, 1)) for user in people]
    answers = at_once([*calls[:10], lambda: as_owner(keeping.hold, batch, HOLD_FORM), *calls[10:]])
    sold = sum(isinstance(answer, dict) for answer in answers)
    assert counts(engine) == {"A": (0, 40 - sold)}
    assert broken(engine) == []


@pytest.mark.race
def test_control_without_a_lock_twenty_buyers_take_the_same_unit(engine: Engine, session: Session) -> None:
    """Reading in one transaction and writing in another, as a store would that locks nothing."""
    product = make_product(session, price_cents=100_00, stock=0)
    make_batch(session, product, "A", units=20)
    session.commit()
    batch, start = batch_id(engine, "A"), Barrier(20)

    def take() -> None:
        units = db.read(lambda s: s.get_one(Batch, batch).units)
        start.wait()
        db.write(lambda s: s.execute(text(f"UPDATE batches SET units = {units - 1} WHERE id = {batch}")))

    at_once([take] * 20)
    assert counts(engine)["A"] == (19, 0), "twenty units were sold, and one was taken"
