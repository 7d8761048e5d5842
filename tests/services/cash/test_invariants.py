"""The check of cash finds what may never be (RULE invariants-check, RULE cash-ledger)."""

import pytest
from sqlalchemy import text
from sqlmodel import Session

from marketplace_app.services.cash.invariants import QUERIES
from tests.conftest import Cast
from tests.services.cash.test_shifts import EXACT, count, shift_and_order

__all__ = ["shift_and_order"]  # fixtures, which tests take by name

CLOSED = "UPDATE driver_shifts SET closed_at = '2026-12-01 00:00:00', closed_by_id = opened_by_id, "
AGREED = CLOSED + "difference_cents = 0"
BREAKS = {
    "cash was taken for delivered orders, and for no others": "UPDATE orders SET status = 'pending'",
    "change that was kept is the customer's credit": (
        "INSERT INTO credit_entries (user_id, order_id, amount_cents, reason, sequence, note, created_at)"
        " SELECT user_id, id, 5, 'change', 0, '', '2026-12-01 00:00:00' FROM orders"
    ),
    "a driver whose shift is closed has no cash left": AGREED,
    "the difference of a shift is booked": (
        CLOSED + "difference_cents = 5, reason = 'Found', witness_id = (SELECT MIN(id) FROM users)"
    ),
    "what a driver handed in is what was counted last": AGREED,
}


def violations(session: Session, name: str) -> int:
    return len(session.execute(text(QUERIES[name])).all())


@pytest.mark.parametrize("name", QUERIES)
def test_what_breaks_a_rule_of_cash_is_found(
    session: Session, cast: Cast, shift_and_order: tuple[int, str], name: str
) -> None:
    count(cast.ada, shift_and_order[0], EXACT)
    assert violations(session, name) == 0
    session.execute(text(BREAKS[name]))
    assert violations(session, name) > 0
