"""The ledger of referral credit: each entry counts for one user, one order and one reason (RULE credit-ledger)."""

import pytest
from sqlalchemy import select
from sqlmodel import Session, col

from marketplace_app.models import CreditEntry, CreditReason
from marketplace_app.services import credits
from tests.builders import make_order, make_user

SPENT, REFUND, REFERRAL = CreditReason.SPENT, CreditReason.REFUND, CreditReason.REFERRAL
Ids = tuple[tuple[int, int], tuple[str, str]]


@pytest.fixture
def users_and_orders(session: Session) -> Ids:
    first, second = make_user(session, "rhea"), make_user(session, "omar")
    return (first.id, second.id), (make_order(session, first, 100_00).id, make_order(session, first, 100_00).id)


def test_entries_are_numbered_by_user_order_and_reason(session: Session, users_and_orders: Ids) -> None:
    (first, second), (one, other) = users_and_orders
    for user, order, reason in (
        (first, one, SPENT),
        (first, one, REFUND),
        (first, one, SPENT),
        (first, other, SPENT),
        (second, one, SPENT),
        (first, one, SPENT),
    ):
        credits.add_entry(session, user, -5_00, reason, order_id=order)
        session.flush()
    rows = session.execute(select(CreditEntry).order_by(col(CreditEntry.id))).scalars()
    assert [row.sequence for row in rows] == [1, 1, 2, 1, 1, 3]


def test_an_entry_of_nothing_is_not_written(session: Session, users_and_orders: Ids) -> None:
    (first, _), (one, _) = users_and_orders
    credits.add_entry(session, first, 0, SPENT, order_id=one)
    session.flush()
    assert session.execute(select(CreditEntry)).first() is None


def test_the_total_is_of_one_user_one_order_and_the_reasons_asked_for(session: Session, users_and_orders: Ids) -> None:
    (first, second), (one, other) = users_and_orders
    assert credits.total_for_order(session, first, one, SPENT, REFUND) == 0
    for user, order, cents, reason in (
        (first, one, -20_00, SPENT),
        (first, one, 7_00, REFUND),
        (first, one, 100_00, REFERRAL),
        (first, other, -3_00, SPENT),
        (second, one, -1_00, SPENT),
    ):
        credits.add_entry(session, user, cents, reason, order_id=order)
    session.flush()
    assert credits.total_for_order(session, first, one, SPENT, REFUND) == -13_00
    assert credits.total_for_order(session, first, one, SPENT) == -20_00
    assert credits.balance(session, first) == 84_00


def test_setting_a_balance_adds_the_difference_and_returns_the_old_one(session: Session, users_and_orders: Ids) -> None:
    (first, _), _ = users_and_orders
    assert [credits.set_balance(session, first, cents) for cents in (30_00, 30_00, 12_50)] == [0, 30_00, 30_00]
    session.flush()
    rows = session.execute(select(CreditEntry).order_by(col(CreditEntry.id))).scalars().all()
    assert [(row.amount_cents, row.reason, row.order_id) for row in rows] == [
        (30_00, CreditReason.ADJUSTMENT, None),
        (-17_50, CreditReason.ADJUSTMENT, None),
    ]
