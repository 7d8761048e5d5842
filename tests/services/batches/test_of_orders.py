"""Orders and batches: what is taken, given back, set aside and refused (RULE fefo, RULE batch-states)."""

from collections import Counter
from collections.abc import Callable
from datetime import date, timedelta
from threading import Barrier
from typing import Any
from uuid import uuid4

import pytest
from sqlalchemy import Engine, func, select, text
from sqlmodel import Session, col

from marketplace_app import db, errors
from marketplace_app.models import AuditEntry, Batch, LineBatch, OrderStatus, Product, User
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.batches import BatchForm, HoldForm, ReceiveForm, UnitsForm
from marketplace_app.schemas.order_forms import OrderEditForm
from marketplace_app.schemas.stock import StockForm
from marketplace_app.services import fulfilment, invariants, orders, own_orders, stock
from marketplace_app.services.batches import keeping, of_orders
from tests.builders import make_batch, make_product, order_form
from tests.conftest import Cast
from tests.counting import count_statements
from tests.services.test_races import at_once, placing, shoppers

REASON = parse(HoldForm, {"reason": "A jar smelled of mould"})
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


def of_lines(engine: Engine, order_id: str) -> dict[str, int]:
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
    assert of_lines(engine, order) == {"SOON": 3, "LATE": 5, "NONE": 1}
    assert counts(engine) == {"SOON": (0, 0), "LATE": (0, 0), "NONE": (3, 0)}
    assert broken(engine) == []


def test_a_cancelled_order_gives_back_to_the_same_batches(engine: Engine, cast: Cast, fern: Product) -> None:
    order = place(cast.alice, (fern, 4))
    db.write(lambda s: own_orders.cancel(s, s.get(User, cast.alice.id), order))
    assert counts(engine) == {"SOON": (3, 0), "LATE": (5, 0), "NONE": (4, 0)}
    assert of_lines(engine, order) == {}
    assert broken(engine) == []


def test_a_reopened_order_takes_what_expires_first_by_then(engine: Engine, cast: Cast, fern: Product) -> None:
    order = place(cast.alice, (fern, 4))
    set_status(cast, order, OrderStatus.CANCELLED)
    place(cast.bob, (fern, 3))
    set_status(cast, order, OrderStatus.CONFIRMED)
    assert of_lines(engine, order) == {"LATE": 4}
    assert broken(engine) == []


@pytest.mark.parametrize("status", [OrderStatus.CONFIRMED, OrderStatus.DELIVERED])
def test_other_statuses_leave_batches_alone(engine: Engine, cast: Cast, fern: Product, status: OrderStatus) -> None:
    order = place(cast.alice, (fern, 4))
    set_status(cast, order, status)
    assert of_lines(engine, order) == {"SOON": 3, "LATE": 1}
    assert broken(engine) == []


def test_what_is_held_is_out_of_stock_until_it_is_released(
    engine: Engine, cast: Cast, fern: Product, as_owner: Act
) -> None:
    as_owner(keeping.hold, batch_id(engine, "LATE"), REASON)
    assert counts(engine)["LATE"] == (0, 5)
    with pytest.raises(errors.OutOfStock, match="Only 7 of Fern Hollow left"):
        place(cast.alice, (fern, 8))
    assert broken(engine) == []
    as_owner(keeping.release, batch_id(engine, "LATE"), REASON)
    assert of_lines(engine, place(cast.alice, (fern, 8))) == {"SOON": 3, "LATE": 5}
    assert broken(engine) == []


def test_what_comes_back_to_a_held_batch_is_set_aside(engine: Engine, cast: Cast, fern: Product, as_owner: Act) -> None:
    order = place(cast.alice, (fern, 4))
    as_owner(keeping.hold, batch_id(engine, "SOON"), REASON)
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
    assert of_lines(engine, place(cast.alice, (fern, 6))) == {"LATE": 5, "NONE": 1}


def test_the_timetable_sets_aside_what_has_expired(engine: Engine, session: Session, fern: Product) -> None:
    make_batch(session, fern, "OLD", units=2, expires_on=day(-1))
    make_batch(session, fern, "LAST DAY", units=2, expires_on=day(0))
    session.commit()
    assert [db.write(keeping.set_expired_aside) for _ in range(2)] == [1, 0]
    assert (counts(engine)["OLD"], counts(engine)["LAST DAY"]) == ((0, 2), (2, 0))
    assert broken(engine) == []


def test_all_products_are_locked_before_the_head_of_the_audit_trail(
    engine: Engine, session: Session, fern: Product
) -> None:
    """Or an order that holds the second product and waits for the head would deadlock (RULE lock-order)."""
    dune = make_product(session, "Dune", price_cents=100_00, stock=0)
    for product in (fern, dune):
        make_batch(session, product, "OLD", units=2, expires_on=day(-1))
    session.commit()
    with count_statements(engine) as statements:
        assert db.write(keeping.set_expired_aside) == 2
    head_locked = next(index for index, each in enumerate(statements) if "text_value" in each)  # the head's column
    assert [each for each in statements[head_locked:] if "products" in each] == []


def test_a_batch_whose_last_day_is_changed_meanwhile_is_not_set_aside(
    engine: Engine, session: Session, fern: Product, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_batch(session, fern, "OLD", units=2, expires_on=day(-1))
    session.commit()
    lock_batch = keeping.lock_batch

    def lock_after_an_edit(session: Session, number: int) -> tuple[Product, Batch]:
        session.execute(text("UPDATE batches SET expires_on = NULL WHERE id = :id"), {"id": number})
        return lock_batch(session, number)

    monkeypatch.setattr(keeping, "lock_batch", lock_after_an_edit)
    assert db.write(keeping.set_expired_aside) == 0
    assert counts(engine)["OLD"] == (2, 0)
    entries = select(func.count()).select_from(AuditEntry).where(col(AuditEntry.action) == "batch.expired")
    assert db.read(lambda s: s.execute(entries).scalar_one()) == 0


@pytest.mark.parametrize(
    ("values", "changes", "field"),
    [
        ({"expires_on": day(-1)}, {"expiresOn": day(9).isoformat()}, "expiresOn"),
        ({"is_approved": False}, {"isApproved": True}, "isApproved"),
    ],
)
def test_a_batch_is_not_edited_back_into_a_stock_without_room(
    engine: Engine,
    session: Session,
    fern: Product,
    as_owner: Act,
    monkeypatch: pytest.MonkeyPatch,
    values: dict[str, Any],
    changes: dict[str, Any],
    field: str,
) -> None:
    session.add(Batch(product_id=fern.id, code="OLD", set_aside=2, **values))
    session.commit()
    monkeypatch.setattr(keeping, "MAX_STOCK", 13)
    with pytest.raises(errors.InvalidInput) as refused:
        as_owner(keeping.change, batch_id(engine, "OLD"), parse(BatchForm, {"code": "OLD"} | changes))
    assert refused.value.fields == {field: "At most 13 units can be in stock."}
    assert counts(engine)["OLD"] == (0, 2)


def test_what_stays_set_aside_after_a_release_needs_no_room(
    engine: Engine, session: Session, fern: Product, as_owner: Act, monkeypatch: pytest.MonkeyPatch
) -> None:
    session.add(Batch(product_id=fern.id, code="OLD", set_aside=2, expires_on=day(-1), hold_reason="Mould"))
    session.commit()
    monkeypatch.setattr(keeping, "MAX_STOCK", 13)
    as_owner(keeping.release, batch_id(engine, "OLD"), REASON)
    assert counts(engine)["OLD"] == (0, 2)


def test_another_last_day_puts_an_expired_batch_on_sale_again(
    engine: Engine, session: Session, fern: Product, as_owner: Act
) -> None:
    make_batch(session, fern, "OLD", units=2, expires_on=day(-1))
    session.commit()
    db.write(keeping.set_expired_aside)
    form = parse(BatchForm, {"code": "OLD", "expiresOn": day(9).isoformat()})
    as_owner(keeping.change, batch_id(engine, "OLD"), form)
    assert counts(engine)["OLD"] == (2, 0)
    assert broken(engine) == []


def test_a_form_that_was_filled_before_a_colleagues_change_does_not_undo_it(
    engine: Engine, cast: Cast, fern: Product, as_owner: Act
) -> None:
    number = batch_id(engine, "SOON")
    seen = db.read(lambda s: keeping.get(s, s.get(User, cast.ada.id), number)).values()
    unchanged = {"code": "SOON", "expiresOn": day(30).isoformat()}
    as_owner(keeping.change, number, parse(BatchForm, unchanged | {"thcPercent": 21.5}))
    mine = parse(BatchForm, unchanged | {"thcPercent": 19, "cbdPercent": 1.5})
    with pytest.raises(errors.EditedMeanwhile) as caught:
        db.write(lambda s: keeping.change(s, s.get(User, cast.ada.id), number, mine, seen=seen))
    assert caught.value.fields == ("thcPercent",)


def test_the_stock_until_the_first_batch_is_of_an_unknown_one(
    engine: Engine, session: Session, cast: Cast, as_owner: Act
) -> None:
    dune = make_product(session, "Dune", price_cents=100_00, stock=6)
    session.commit()
    before = place(cast.alice, (dune, 2))
    as_owner(keeping.receive, parse(ReceiveForm, {"productId": dune.id, "code": "D1", "units": 10}))
    assert counts(engine) == {"Unknown": (4, 0), "D1": (10, 0)}
    set_status(cast, before, OrderStatus.CANCELLED)
    assert counts(engine) == {"Unknown": (6, 0), "D1": (10, 0)}
    set_status(cast, before, OrderStatus.PENDING)
    assert of_lines(engine, before) == {"Unknown": 2}
    assert broken(engine) == []


def test_units_are_corrected_whether_for_sale_or_set_aside(engine: Engine, fern: Product, as_owner: Act) -> None:
    soon, late = batch_id(engine, "SOON"), batch_id(engine, "LATE")
    as_owner(keeping.hold, late, REASON)
    for number, change in ((soon, -2), (soon, 1), (late, -4), (late, 2)):
        as_owner(keeping.correct, number, parse(UnitsForm, {"change": change, "note": "Counted"}))
    assert counts(engine) == {"SOON": (2, 0), "LATE": (0, 3), "NONE": (4, 0)}
    assert broken(engine) == []
    for number in (soon, late):
        with pytest.raises(errors.OutOfStock):
            as_owner(keeping.correct, number, parse(UnitsForm, {"change": -4, "note": "Counted"}))


def test_a_batch_that_is_not_approved_is_set_aside_when_it_comes(engine: Engine, fern: Product, as_owner: Act) -> None:
    form = {"productId": fern.id, "code": "NEW", "units": 8, "isApproved": False}
    as_owner(keeping.receive, parse(ReceiveForm, form))
    assert counts(engine)["NEW"] == (0, 8)
    as_owner(keeping.change, batch_id(engine, "NEW"), parse(BatchForm, {"code": "NEW"}))
    assert counts(engine)["NEW"] == (8, 0)
    assert broken(engine) == []


def test_stock_in_batches_is_not_changed_by_its_sum(engine: Engine, fern: Product, as_owner: Act) -> None:
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


def test_the_units_of_a_batch_that_do_not_fit_its_stock_are_found(
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
    number = batch_id(engine, "A")
    calls = [placing(user, (product, 1)) for user in people]
    answers = at_once([*calls[:10], lambda: as_owner(keeping.hold, number, REASON), *calls[10:]])
    sold = sum(isinstance(answer, dict) for answer in answers)
    assert counts(engine) == {"A": (0, 40 - sold)}
    assert broken(engine) == []


@pytest.mark.race
def test_control_units_that_are_read_and_then_written_are_sold_twice(engine: Engine, session: Session) -> None:
    """Reading in one transaction and writing in another, as a store would that locks nothing."""
    product = make_product(session, price_cents=100_00, stock=0)
    make_batch(session, product, "A", units=20)
    session.commit()
    number, start = batch_id(engine, "A"), Barrier(20)

    def take() -> None:
        units = db.read(lambda s: s.get_one(Batch, number).units)
        start.wait()
        db.write(lambda s: s.execute(text(f"UPDATE batches SET units = {units - 1} WHERE id = {number}")))

    at_once([take] * 20)
    assert counts(engine)["A"] == (19, 0), "twenty units were sold, and one was taken"
