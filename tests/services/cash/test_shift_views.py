"""What is shown of a shift, and when (RULE shifts)."""

from marketplace_app.models import CashAccount
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.cash import ShiftState
from marketplace_app.services.cash import shifts, transfers
from tests.conftest import Cast
from tests.services.cash.test_ledger import TOTAL
from tests.services.cash.test_shifts import EXACT, FIVE_SHORT, close, count, shift_and_order
from tests.services.dispatch.test_runs import call

__all__ = ["shift_and_order"]  # fixtures, which tests take by name


def test_what_is_expected_is_not_shown_before_the_second_count(cast: Cast, shift_and_order: tuple[int, str]) -> None:
    shift_id, _ = shift_and_order
    views = [call(cast.ada, shifts.get, shift_id), count(cast.ada, shift_id, FIVE_SHORT)]
    assert [view.state for view in views] == [ShiftState.OPEN, ShiftState.RECOUNT]
    assert [(view.expected_cents, view.difference_cents) for view in views] == [(None, None)] * 2
    recounted = count(cast.ada, shift_id, FIVE_SHORT)
    assert (recounted.state, recounted.expected_cents, recounted.difference_cents) == (
        ShiftState.DIFFERS,
        TOTAL,
        -5_00,
    )
    assert [each.counted_cents for each in recounted.counts] == [110_00, 110_00]


def test_the_cash_of_an_open_shift_is_in_no_list(cast: Cast, shift_and_order: tuple[int, str]) -> None:
    shift_id, _ = shift_and_order
    query = parse(transfers.MovementsQuery, {})
    assert call(cast.ada, transfers.list_movements, query).total == 0
    count(cast.ada, shift_id, EXACT)
    close(cast.ada, shift_id)
    page = call(cast.ada, transfers.list_movements, query)
    assert [(each.from_account, each.to_account, each.cents, each.driver) for each in page.movements] == [
        (CashAccount.DRIVER, CashAccount.DESK, TOTAL, "Dora"),
        (CashAccount.CUSTOMERS, CashAccount.DRIVER, TOTAL, "Dora"),
    ]
