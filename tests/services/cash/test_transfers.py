"""Cash between the desk, the safe and the bank (RULE cash-desk)."""

from typing import Any

import pytest
from sqlalchemy import Engine

from marketplace_app import errors
from marketplace_app.models import CashAccount, OrderStatus, Product, User
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.cash import CashMovementView, CorrectCashForm, MoveCashForm
from marketplace_app.services.cash import transfers
from tests.conftest import Cast
from tests.services.buying.test_fulfilment import set_status
from tests.services.cash.test_ledger import TOTAL, accounts
from tests.services.dispatch.test_runs import call, place
from tests.services.test_races import at_once


def move(actor: User, kind: str, amount: str, **given: Any) -> CashMovementView:
    form = parse(MoveCashForm, {"kind": kind, "amount": amount} | given)
    view: CashMovementView = call(actor, transfers.move, form)
    return view


def correct(actor: User, account: str, counted: str) -> CashMovementView:
    form = parse(CorrectCashForm, {"account": account, "counted": counted, "note": "Opening balance"})
    view: CashMovementView = call(actor, transfers.correct, form)
    return view


def test_cash_goes_to_the_safe_and_to_the_bank_and_back(engine: Engine, cast: Cast) -> None:
    correct(cast.ada, "desk", "500.00")
    move(cast.ada, "drop", "400.00")
    deposit = move(cast.ada, "deposit", "300.00", slipNumber="004711", note="Friday")
    assert (deposit.slip_number, deposit.note, deposit.by) == ("004711", "Friday", "Ada")
    move(cast.ada, "withdrawal", "20.00", slipNumber="12")
    move(cast.ada, "refill", "50.00")
    assert accounts(engine) == {
        CashAccount.DESK: 150_00,
        CashAccount.SAFE: 70_00,
        CashAccount.BANK: 280_00,
        CashAccount.BEFORE_LEDGER: -500_00,
    }


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"kind": "deposit", "amount": "1.00"}, "slipNumber"),
        ({"kind": "drop", "amount": "1.00", "slipNumber": "7"}, "slipNumber"),
        ({"kind": "drop", "amount": "0.00"}, "amount"),
        ({"kind": "drop", "amount": "-5.00"}, "amount"),
        ({"kind": "drop", "amount": "1000000.01"}, "amount"),
        ({"kind": "float", "amount": "1.00"}, "kind"),
        ({"kind": "drop", "amount": "1.00", "note": "n" * 301}, "note"),
        ({"kind": "drop", "amount": "1.00", "witnessId": 999_999}, "witnessId"),
    ],
)
def test_what_is_wrong_is_said_by_field(engine: Engine, cast: Cast, given: dict[str, Any], field: str) -> None:
    correct(cast.ada, "desk", "500.00")
    with pytest.raises(errors.InvalidInput) as refusal:
        call(cast.ada, transfers.move, parse(MoveCashForm, given))
    assert [*refusal.value.fields] == [field]
    assert accounts(engine) == {CashAccount.DESK: 500_00, CashAccount.BEFORE_LEDGER: -500_00}


def test_nothing_is_moved_that_is_not_there(engine: Engine, cast: Cast) -> None:
    correct(cast.ada, "safe", "100.00")
    for kind in ("drop", "refill"):
        with pytest.raises(transfers.NotEnoughCash):
            move(cast.ada, kind, "100.01")
    assert accounts(engine) == {CashAccount.SAFE: 100_00, CashAccount.BEFORE_LEDGER: -100_00}


@pytest.mark.race
def test_what_is_there_once_is_moved_once(engine: Engine, cast: Cast) -> None:
    correct(cast.ada, "desk", "100.00")
    answers = at_once([lambda: move(cast.ada, "drop", "100.00")] * 4)
    assert sorted(type(answer).__name__ for answer in answers) == ["CashMovementView"] + ["NotEnoughCash"] * 3
    assert accounts(engine) == {CashAccount.SAFE: 100_00, CashAccount.BEFORE_LEDGER: -100_00}


def test_a_count_corrects_the_ledger_in_both_directions(engine: Engine, cast: Cast) -> None:
    correct(cast.ada, "desk", "500.00")
    correct(cast.ada, "desk", "495.00")
    assert accounts(engine) == {
        CashAccount.DESK: 495_00,
        CashAccount.BEFORE_LEDGER: -500_00,
        CashAccount.VARIANCE: 5_00,
    }
    with pytest.raises(errors.InvalidInput, match="same amount"):
        correct(cast.ada, "desk", "495.00")


def test_the_first_count_finds_the_opening_balance_also_after_an_order_was_paid(
    engine: Engine, cast: Cast, fern: Product
) -> None:
    set_status(cast.ada, place(cast.alice, fern), OrderStatus.DELIVERED)
    correct(cast.ada, "desk", "500.00")
    assert accounts(engine) == {
        CashAccount.CUSTOMERS: -TOTAL,
        CashAccount.DESK: 500_00,
        CashAccount.BEFORE_LEDGER: TOTAL - 500_00,
    }
    correct(cast.ada, "desk", "495.00")
    assert accounts(engine)[CashAccount.VARIANCE] == 5_00


def test_a_first_count_that_finds_less_than_the_ledger_is_a_variance(engine: Engine, cast: Cast, fern: Product) -> None:
    set_status(cast.ada, place(cast.alice, fern), OrderStatus.DELIVERED)
    correct(cast.ada, "desk", "100.00")
    assert accounts(engine) == {
        CashAccount.CUSTOMERS: -TOTAL,
        CashAccount.DESK: 100_00,
        CashAccount.VARIANCE: TOTAL - 100_00,
    }


def test_a_count_moves_no_more_than_can_be_moved_at_once(engine: Engine, cast: Cast) -> None:
    """The ledger may have more than the column of a single movement can hold."""
    for number in range(22):
        move(cast.ada, "withdrawal", "1000000.00", slipNumber=str(number))
    before = accounts(engine)
    with pytest.raises(errors.InvalidInput, match="differs from the ledger by more than") as refusal:
        correct(cast.ada, "safe", "0.00")
    assert [*refusal.value.fields] == ["counted"]
    assert accounts(engine) == before
    move(cast.ada, "deposit", "1000000.00", slipNumber="back")
    assert accounts(engine)[CashAccount.SAFE] == 21_000_000_00
