"""What the page of the shop's cash shows (RULE cash-page)."""

from datetime import UTC, datetime
from typing import Any

import pytest

from marketplace_app.limits import ADMIN_PAGE_SIZE
from marketplace_app.models import CashAccount, CashReason
from marketplace_app.schemas.cash import CashMovementView, ShiftState, ShiftView
from marketplace_app.schemas.dispatch.runs import PersonRef
from marketplace_app.states.admin.cash.cash import AdminCashState, _movement_row, _shift_row
from tests.conftest import ON_SQLITE, Cast
from tests.services.cash.test_transfers import correct, move
from tests.states.admin.conftest import Tab

NOON = datetime(2026, 11, 27, 20, tzinfo=UTC)
"""Noon at the store."""


def shift(**changes: Any) -> ShiftView:
    facts: dict[str, Any] = {
        "id": 8,
        "driver": PersonRef(id=3, name="Dora"),
        "state": ShiftState.OPEN,
        "opened_at": NOON,
        "opened_by": "Ada",
        "float_cents": 50_00,
        "counts": (),
        "expected_cents": None,
        "difference_cents": None,
        "reason": "",
        "closed_at": None,
        "closed_by": "",
        "witness": "",
    }
    return ShiftView(**facts | changes)


def movement(**changes: Any) -> CashMovementView:
    facts: dict[str, Any] = {
        "id": 1,
        "from_account": CashAccount.DESK,
        "to_account": CashAccount.SAFE,
        "cents": 152_50,
        "reason": CashReason.DROP,
        "order_id": None,
        "order_number": None,
        "shift_id": None,
        "driver": "",
        "by": "Ada",
        "witness": "",
        "slip_number": "",
        "note": "",
        "created_at": NOON,
    }
    return CashMovementView(**facts | changes)


def test_an_open_shift_says_since_when_and_with_which_float() -> None:
    assert _shift_row(shift()).facts == "Since Nov 27, 2026, 12:00 PM · float $50.00"


@pytest.mark.parametrize(
    ("difference", "result", "hue"),
    [(0, "no difference", "grey"), (-5_00, "$5.00 short", "red"), (2_00, "$2.00 over", "red")],
)
def test_a_closed_shift_is_red_if_its_cash_did_not_agree(difference: int, result: str, hue: str) -> None:
    row = _shift_row(shift(state=ShiftState.CLOSED, closed_at=NOON, closed_by="Ada", difference_cents=difference))
    assert (row.facts, row.hue) == (f"Closed Nov 27, 2026, 12:00 PM by Ada · {result}", hue)


def test_cash_from_or_to_a_driver_names_the_driver_and_the_order() -> None:
    paid = movement(
        from_account=CashAccount.CUSTOMERS,
        to_account=CashAccount.DRIVER,
        reason=CashReason.TAKEN,
        order_number=1042,
        driver="Dora",
    )
    assert _movement_row(paid).what == "Paid, order 1042: customer to Dora"


def test_a_movement_says_who_moved_it_who_saw_it_and_its_slip_as_far_as_there_are_any() -> None:
    assert _movement_row(movement()).facts == "Nov 27, 2026, 12:00 PM · Ada"
    whole = movement(witness="Sam", slip_number="004711", note="Friday")
    assert _movement_row(whole).facts == "Nov 27, 2026, 12:00 PM · Ada · seen by Sam · slip 004711 · Friday"


@ON_SQLITE
def test_cash_that_counts_did_not_find_is_short(tab: Tab, cast: Cast) -> None:
    for counted in ("500.00", "495.00"):
        correct(cast.ada, "desk", counted)
    state = tab.state(AdminCashState)
    tab.send(state, "load")
    assert (state.desk, state.variance) == ("$495.00", "$5.00 short")


@ON_SQLITE
def test_the_movements_begin_at_the_newest_when_the_page_is_opened_again(tab: Tab, cast: Cast) -> None:
    correct(cast.ada, "desk", "500.00")
    for _ in range(ADMIN_PAGE_SIZE):
        move(cast.ada, "drop", "1.00")
    state = tab.state(AdminCashState)
    tab.send(state, "load")
    assert (len(state.movements), state.range_label) == (ADMIN_PAGE_SIZE, "1–25 of 26")
    tab.send(state, "go_to", 2)
    assert (len(state.movements), state.range_label) == (1, "26–26 of 26")
    tab.send(state, "load")
    assert state.range_label == "1–25 of 26"
