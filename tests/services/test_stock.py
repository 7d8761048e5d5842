"""Editing stock while it is sold: the sum of the ledger always equals the stock."""

from collections.abc import Callable
from threading import Barrier
from typing import Any

import pytest
from sqlalchemy import Engine, event, func, select
from sqlmodel import Session, col

from marketplace_app import db, errors
from marketplace_app.models import Product, StockMovement, StockReason, User
from marketplace_app.schemas.admin.products import SeenVersion
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.products.product_fields import ProductForm
from marketplace_app.schemas.products.stock import MovementQuery, StockForm
from marketplace_app.services import stock
from marketplace_app.services.admin import products as admin_products
from tests.builders import make_product
from tests.conftest import Cast
from tests.services.test_races import THREADS, at_once, placing, shoppers, sold, stock_of

pytestmark = pytest.mark.race


def ledger(engine: Engine, product: Product) -> int:
    with Session(engine) as session:
        own = select(func.sum(col(StockMovement.change))).where(col(StockMovement.product_id) == product.id)
        return int(session.execute(own).scalar_one())


def editing(cast: Cast, product: Product, count: int, seen: SeenVersion | None = None) -> Callable[[], Any]:
    product_id, facts = product.id, db.read(lambda s: admin_products.view(s, product.id)).form_wire()
    form = parse(ProductForm, facts | {"stock": count})
    return lambda: db.write(lambda s: admin_products.edit(s, s.get(User, cast.ada.id), product_id, form, seen=seen))


def test_a_count_that_is_set_while_units_are_sold_loses_no_sale(engine: Engine, session: Session, cast: Cast) -> None:
    product = make_product(session, price_cents=100_00, stock=500)
    session.commit()
    people = shoppers(session, 60)
    edits = [editing(cast, product, 400 + number) for number in range(20)]
    sales = [placing(user, (product, 1)) for user in people]
    groups = zip(sales[::3], sales[1::3], sales[2::3], edits, strict=True)
    answers = at_once([call for group in groups for call in group])
    # A busy machine may turn somebody away; whoever was told that they bought has bought.
    succeeded = [not isinstance(answer, Exception) for answer in answers]
    edited = sum(succeeded[3::4])
    bought = sum(succeeded) - edited
    assert sold(engine, product) == bought > 50
    assert edited > 0
    assert ledger(engine, product) == stock_of(engine, product)


def test_control_reading_the_count_first_and_writing_it_later_breaks_the_ledger(
    engine: Engine, session: Session, cast: Cast
) -> None:
    """The naive way: the difference to a count read in another transaction, and the count itself written over."""
    product = make_product(session, price_cents=100_00, stock=500)
    session.commit()
    people = shoppers(session, 10)
    all_have_read = Barrier(THREADS)

    def naive(count: int) -> None:
        before = db.read(lambda s: s.get_one(Product, product.id).stock)
        all_have_read.wait()

        def write(s: Session) -> None:
            s.get_one(Product, product.id).stock = count
            s.add(StockMovement(product_id=product.id, change=count - before, reason=StockReason.ADJUST))

        db.write(write)

    def selling(user: User) -> Callable[[], Any]:
        place = placing(user, (product, 1))

        def sell() -> Any:
            all_have_read.wait()
            return place()

        return sell

    at_once([lambda: naive(400)] * 10 + [selling(user) for user in people])
    assert ledger(engine, product) != stock_of(engine, product)


def test_units_sold_since_the_count_was_seen_stay_sold(engine: Engine, session: Session, cast: Cast) -> None:
    product = make_product(session, price_cents=100_00, stock=50)
    session.commit()
    seen = SeenVersion(product.updated_at.isoformat(), stock=50)
    edit_up, edit_same = editing(cast, product, 60, seen), editing(cast, product, 50, seen)
    at_once([placing(user, (product, 1)) for user in shoppers(session, 8)])
    edit_same()
    assert stock_of(engine, product) == 42
    edit_up()
    assert (stock_of(engine, product), ledger(engine, product)) == (52, 52)


def test_fifty_units_are_taken_away_once_by_whoever_comes_first(engine: Engine, session: Session, cast: Cast) -> None:
    product = make_product(session, price_cents=100_00, stock=50)
    session.commit()
    form = parse(StockForm, {"change": -5, "note": "Broken jars"})

    def take() -> int:
        return db.write(lambda s: stock.adjust(s, s.get(User, cast.ada.id), product.id, form))

    answers = at_once([take] * 10 + [placing(user, (product, 1)) for user in shoppers(session, 20)])
    refused = sum(isinstance(answer, errors.OutOfStock) for answer in answers)
    assert refused > 0
    assert 0 <= stock_of(engine, product) == ledger(engine, product) <= 4


def test_units_that_are_taken_while_the_ledger_is_read_shift_none_of_its_counts(
    engine: Engine, session: Session, cast: Cast
) -> None:
    product = make_product(session, stock=20)
    session.commit()
    pending = [parse(StockForm, {"change": -5, "note": "Broken jars"})]

    def take(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        if pending and "FROM stock_movements" in statement and "LIMIT" in statement:
            form = pending.pop()
            db.write(lambda s: stock.adjust(s, s.get(User, cast.ada.id), product.id, form))

    event.listen(engine, "before_cursor_execute", take)
    query = MovementQuery(limit=10)
    _, movements = db.read(lambda s: stock.list_movements(s, s.get(User, cast.ada.id), product.id, query))
    event.remove(engine, "before_cursor_execute", take)
    assert not pending
    assert movements[-1].stock_after == movements[-1].change == 20
