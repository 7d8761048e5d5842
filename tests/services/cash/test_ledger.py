"""Cash follows orders: a delivered order is paid once, and paid back if not delivered after all (RULE cash-ledger)."""

from typing import Any

import pytest
from sqlalchemy import Engine, select, text
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlmodel import Session, col

from marketplace_app import clock, db
from marketplace_app.dispatch_messages import REFUSALS
from marketplace_app.errors import InvalidInput
from marketplace_app.models import (
    CashAccount,
    CashMovement,
    CashReason,
    DriverShift,
    Order,
    OrderStatus,
    OrderStatusChange,
    Product,
    ShiftCount,
    User,
)
from marketplace_app.models.cash import FOR_ORDERS, TRANSFERS
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.cash import WITH_SLIP
from marketplace_app.schemas.settings import SettingsForm
from marketplace_app.services import credits, invariants, settings
from marketplace_app.services.cash import ledger
from tests.conftest import Cast
from tests.services.buying.test_fulfilment import set_status
from tests.services.dispatch.test_paper import ANSWERS, a_run, by_phone, enter_paper
from tests.services.dispatch.test_paper import DELIVERED as ON_PAPER
from tests.services.dispatch.test_runs import call, place

pytestmark = pytest.mark.usefixtures("zone")
DELIVERED, CONFIRMED, CANCELLED = OrderStatus.DELIVERED, OrderStatus.CONFIRMED, OrderStatus.CANCELLED
TOTAL = 115_00


def accounts(engine: Engine) -> dict[CashAccount, int]:
    """What is in each account with any cash; fails if the books are not in order."""
    with Session(engine) as session:
        assert [result.name for result in invariants.check(session) if not result.holds] == []
        found = ledger.balances(session)
    assert sum(found.values()) == 0
    return {account: cents for account, cents in found.items() if cents}


def by_door(dora: User, stop_id: int, pin: str, counted: str = "115.00", **more: Any) -> None:
    by_phone(
        dora,
        stop_id,
        ("arrived", {}),
        ("id_checked", ANSWERS),
        ("pin_entered", {"pin": pin}),
        ("cash_counted", {"counted": counted} | more),
        ("bag_placed", {}),
    )


def offer_change_as_credit(cast: Cast) -> None:
    form = parse(SettingsForm, {"keepChangeAsCredit": True, "reason": "test"})
    call(cast.ada, settings.change, form)


def credit_of(engine: Engine, user: User) -> int:
    with Session(engine) as session:
        return credits.balance(session, user.id)


def by_hand(engine: Engine, order_id: str) -> list[bool]:
    """Whether staff set it by hand, for each time that the order was delivered."""
    with Session(engine) as session:
        statement = select(col(OrderStatusChange.is_by_hand)).where(
            col(OrderStatusChange.order_id) == order_id, col(OrderStatusChange.to_status) == DELIVERED
        )
        return list(session.execute(statement).scalars())


def test_what_staff_set_to_delivered_is_paid_at_the_desk(engine: Engine, cast: Cast, fern: Product) -> None:
    order_id = place(cast.alice, fern)
    set_status(cast.ada, order_id, CONFIRMED)
    assert accounts(engine) == {}
    set_status(cast.ada, order_id, DELIVERED, DELIVERED)
    assert accounts(engine) == {CashAccount.CUSTOMERS: -TOTAL, CashAccount.DESK: TOTAL}
    assert by_hand(engine, order_id) == [True]


def test_an_order_that_is_not_delivered_after_all_is_paid_back(engine: Engine, cast: Cast, fern: Product) -> None:
    order_id = place(cast.alice, fern)
    set_status(cast.ada, order_id, DELIVERED, CONFIRMED)
    assert accounts(engine) == {}
    set_status(cast.ada, order_id, DELIVERED, CANCELLED)
    assert accounts(engine) == {}


def test_what_is_handed_over_at_the_door_is_with_the_driver(
    engine: Engine, session: Session, cast: Cast, dora: User, fern: Product
) -> None:
    run_id, ((one, order_id, pin), (two, _, other_pin)) = a_run(session, cast, dora, fern)
    by_door(dora, one, pin)
    enter_paper(cast.ada, run_id, two, pin=other_pin, at="17:42", **ON_PAPER)
    assert accounts(engine) == {CashAccount.CUSTOMERS: -2 * TOTAL, CashAccount.DRIVER: 2 * TOTAL}
    assert by_hand(engine, order_id) == [False]
    assert session.execute(text("SELECT COUNT(*) FROM driver_shifts WHERE closed_at IS NULL")).scalar_one() == 1


def test_a_mistake_at_the_door_is_taken_back_from_the_driver(
    engine: Engine, session: Session, cast: Cast, dora: User, fern: Product
) -> None:
    _, ((one, order_id, pin), _) = a_run(session, cast, dora, fern)
    by_door(dora, one, pin)
    set_status(cast.ada, order_id, CONFIRMED)
    assert accounts(engine) == {}
    set_status(cast.ada, order_id, DELIVERED)
    assert accounts(engine) == {CashAccount.CUSTOMERS: -TOTAL, CashAccount.DESK: TOTAL}


def test_more_cash_than_the_total_is_change_given_back(
    engine: Engine, session: Session, cast: Cast, dora: User, fern: Product
) -> None:
    _, ((one, _, pin), _) = a_run(session, cast, dora, fern)
    by_door(dora, one, pin, "130.00")
    assert accounts(engine) == {CashAccount.CUSTOMERS: -TOTAL, CashAccount.DRIVER: TOTAL}
    assert credit_of(engine, cast.alice) == 0


def test_change_that_the_customer_keeps_is_credit(
    engine: Engine, session: Session, cast: Cast, dora: User, fern: Product
) -> None:
    offer_change_as_credit(cast)
    _, ((one, order_id, pin), _) = a_run(session, cast, dora, fern)
    by_door(dora, one, pin, "130.00", keepChange=True)
    assert accounts(engine) == {CashAccount.CUSTOMERS: -130_00, CashAccount.DRIVER: 130_00}
    assert credit_of(engine, cast.alice) == 15_00
    set_status(cast.ada, order_id, CONFIRMED)
    assert accounts(engine) == {}
    assert credit_of(engine, cast.alice) == 0


def test_change_kept_by_paper_is_credit_too(
    engine: Engine, session: Session, cast: Cast, dora: User, fern: Product
) -> None:
    offer_change_as_credit(cast)
    run_id, ((one, _, pin), (two, order_id, other_pin)) = a_run(session, cast, dora, fern)
    paid = ON_PAPER | {"counted": "130.00"}
    enter_paper(cast.ada, run_id, one, pin=pin, keepChange=True, **paid)
    assert accounts(engine) == {CashAccount.CUSTOMERS: -130_00, CashAccount.DRIVER: 130_00}
    assert credit_of(engine, cast.alice) == 15_00
    with pytest.raises(InvalidInput) as refused:
        enter_paper(cast.ada, run_id, two, pin=other_pin, keepChange=True, **paid | {"counted": "215.01"})
    assert refused.value.fields == {"counted": REFUSALS["change_not_kept"]}
    session.expire_all()
    assert session.get_one(Order, order_id).status is OrderStatus.OUT_FOR_DELIVERY


@pytest.mark.parametrize(("is_offered", "counted"), [(False, "130.00"), (True, "215.01")])
def test_change_is_no_credit_unless_the_shop_offers_it_and_it_is_little(
    engine: Engine, session: Session, cast: Cast, dora: User, fern: Product, is_offered: bool, counted: str
) -> None:
    if is_offered:
        offer_change_as_credit(cast)
    _, ((one, order_id, pin), _) = a_run(session, cast, dora, fern)
    by_door(dora, one, pin, counted, keepChange=True)
    session.expire_all()
    assert session.get_one(Order, order_id).status is OrderStatus.OUT_FOR_DELIVERY
    refused = session.execute(text("SELECT kind, code FROM stop_events WHERE result = 'refused' ORDER BY id")).all()
    session.rollback()
    assert [tuple(row) for row in refused] == [("cash_counted", "change_not_kept"), ("bag_placed", "step_missing")]
    assert accounts(engine) == {}


def test_an_order_that_costs_nothing_moves_no_cash(engine: Engine, session: Session, cast: Cast, fern: Product) -> None:
    db.write(lambda s: credits.set_balance(s, cast.alice.id, 500_00))
    order_id = place(cast.alice, fern, useCredit=True)
    set_status(cast.ada, order_id, DELIVERED)
    assert accounts(engine) == {}
    assert session.execute(text("SELECT COUNT(*) FROM cash_movements")).scalar_one() == 0


def test_the_database_allows_the_known_transfers_only(session: Session, cast: Cast, dora: User, fern: Product) -> None:
    order_id = place(cast.alice, fern)
    shift = DriverShift(driver_id=dora.id, opened_by_id=cast.ada.id)
    session.add(shift)
    session.commit()

    def is_allowed(reason: CashReason, source: CashAccount, destination: CashAccount) -> bool:
        """With all that a movement of this kind needs."""
        movement = CashMovement(
            from_account=source,
            to_account=destination,
            cents=1,
            reason=reason,
            order_id=order_id if reason.value in FOR_ORDERS else None,
            shift_id=shift.id if CashAccount.DRIVER in (source, destination) else None,
            actor_id=None if reason is CashReason.PAID_BEFORE_LEDGER else cast.ada.id,
            slip_number="7" if reason in WITH_SLIP else "",
            note="test",
        )
        try:
            with session.begin_nested():
                session.add(movement)
        except IntegrityError:
            return False
        return True

    allowed = {
        f"{reason} {source}>{destination}"
        for reason in CashReason
        for source in CashAccount
        for destination in CashAccount
        if is_allowed(reason, source, destination)
    }
    assert allowed == set(TRANSFERS)


@pytest.mark.parametrize(
    ("changed", "constraint"),
    [
        ({"cents": 0}, "cents_positive"),
        ({"shift_id": 1}, "driver_has_shift"),
        ({"actor_id": None}, "actor_given"),
        ({"slip_number": "7"}, "slip_given"),
        ({"order_id": "x"}, "order_given"),
        ({"note": "n" * 301}, "note_length"),
    ],
)
def test_a_movement_that_says_too_little_or_too_much_is_refused(
    session: Session, cast: Cast, changed: dict[str, Any], constraint: str
) -> None:
    facts = {"from_account": CashAccount.DESK, "to_account": CashAccount.SAFE, "cents": 1, "reason": CashReason.DROP}
    session.add(CashMovement(**facts, actor_id=cast.ada.id))
    session.commit()
    session.add(CashMovement(**(facts | {"actor_id": cast.ada.id} | changed)))
    with pytest.raises(IntegrityError, match=constraint):
        session.commit()
    session.rollback()


@pytest.mark.parametrize(
    "end",
    [
        {"witness_id": 1},
        {"closed_at": clock.now(), "closed_by_id": 1, "difference_cents": 5, "reason": "lost"},
        {"closed_at": clock.now(), "closed_by_id": 1, "difference_cents": 5, "witness_id": 2},
    ],
    ids=["open with a witness", "a difference without a witness", "a difference without a reason"],
)
def test_a_shift_that_is_not_explained_is_refused(session: Session, cast: Cast, end: dict[str, Any]) -> None:
    session.add(DriverShift(driver_id=cast.ada.id, opened_by_id=cast.ada.id, **end))
    with pytest.raises(IntegrityError, match="difference_is_explained"):
        session.commit()
    session.rollback()


@pytest.mark.parametrize("statement", ["UPDATE {} SET id = id", "DELETE FROM {}"])
@pytest.mark.parametrize("table", ["cash_movements", "shift_counts", "driver_shifts"])
def test_what_is_booked_never_changes(session: Session, cast: Cast, dora: User, table: str, statement: str) -> None:
    shift = DriverShift(
        driver_id=dora.id, opened_by_id=cast.ada.id, closed_at=clock.now(), closed_by_id=cast.ada.id, difference_cents=0
    )
    session.add(shift)
    session.flush()
    session.add(ShiftCount(shift_id=shift.id, number=1, pieces={}, counted_cents=0, counted_by_id=cast.ada.id))
    session.add(
        CashMovement(
            from_account=CashAccount.DESK,
            to_account=CashAccount.SAFE,
            cents=1,
            reason=CashReason.DROP,
            actor_id=cast.ada.id,
        )
    )
    session.commit()
    with pytest.raises(DBAPIError, match="append-only"):
        session.execute(text(statement.format(table)))
    session.rollback()


def test_what_the_previous_release_delivered_is_booked_once(
    engine: Engine, session: Session, cast: Cast, fern: Product
) -> None:
    order_id = place(cast.alice, fern)
    session.execute(text("UPDATE orders SET status = 'delivered' WHERE id = :id"), {"id": order_id})
    session.add(OrderStatusChange(order_id=order_id, to_status=DELIVERED))
    session.commit()
    assert [db.write(ledger.book_earlier) for _ in range(2)] == [1, 0]
    assert accounts(engine) == {CashAccount.CUSTOMERS: -TOTAL, CashAccount.BEFORE_LEDGER: TOTAL}
    set_status(cast.ada, order_id, CONFIRMED)
    assert accounts(engine) == {}
