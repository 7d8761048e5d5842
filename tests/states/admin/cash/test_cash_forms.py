"""What is typed in the dialogs of the shop's cash (RULE cash-page)."""

from typing import Any

import pytest
from sqlalchemy import Engine

from marketplace_app import cash_messages, messages
from marketplace_app.models import CashAccount, User
from marketplace_app.states.admin.cash.cash import AdminCashState
from marketplace_app.states.admin.cash.cash_forms import AdminCashFormsState
from tests.conftest import ON_SQLITE, Cast
from tests.services.cash.test_ledger import accounts
from tests.services.cash.test_transfers import correct
from tests.services.dispatch.conftest import dora
from tests.states.admin.conftest import Tab

__all__ = ["dora"]


def open_form(tab: Tab, form: str) -> Any:
    state = tab.state(AdminCashFormsState)
    tab.send(state, "open_form", form)
    return state


@ON_SQLITE
def test_a_shift_without_a_typed_float_begins_with_none(tab: Tab, dora: User) -> None:
    state = open_form(tab, "shift")
    assert [each.name for each in state.drivers] == ["Ada", "Dora"]
    tab.send(state, "open_shift", {"driver": str(dora.id), "float": "", "source": "desk"})
    assert (state.form, tab.toast[0]) == ("", cash_messages.SHIFT_OPENED.title)
    [row] = tab.state(AdminCashState).open_shifts
    assert row.facts.endswith("float $0.00")


@ON_SQLITE
def test_an_amount_is_read_as_people_write_it_and_the_page_shows_what_was_moved(
    tab: Tab, engine: Engine, cast: Cast
) -> None:
    correct(cast.ada, "desk", "2500.00")
    state = open_form(tab, "move")
    tab.send(state, "move", {"kind": "drop", "amount": " $1,200.00", "slip": "", "note": "", "witness": ""})
    assert accounts(engine)[CashAccount.SAFE] == 1_200_00
    assert (state.form, tab.state(AdminCashState).safe) == ("", "$1,200.00")


@ON_SQLITE
@pytest.mark.parametrize(
    ("event", "form", "fields"),
    [
        ("open_shift", {"driver": "", "float": "some", "source": "bank"}, ["driverId", "float", "from"]),
        ("move", {"kind": "", "amount": ""}, ["kind", "amount"]),
        ("move", {"kind": "deposit", "amount": "1.00", "slip": ""}, ["slipNumber"]),
        ("correct", {"account": "bank", "counted": "", "note": ""}, ["account", "counted", "note"]),
    ],
)
def test_what_is_refused_is_said_beside_its_field_and_the_dialog_stays(
    event: str, form: dict[str, str], fields: list[str], tab: Tab
) -> None:
    state = open_form(tab, "move")
    tab.send(state, event, form)
    assert [name for name, sentence in state.errors.items() if sentence] == fields
    assert (state.form, state.is_saving, tab.toast[0]) == ("move", False, "")


@ON_SQLITE
def test_what_the_ledger_does_not_allow_is_said_in_a_toast_and_the_dialog_stays(tab: Tab) -> None:
    state = open_form(tab, "move")
    tab.send(state, "move", {"kind": "drop", "amount": "1.00"})
    assert tab.toast == (messages.ERROR, cash_messages.not_enough("desk", 0))
    assert (state.form, state.is_saving) == ("move", False)


@ON_SQLITE
def test_a_dialog_that_the_page_does_not_have_is_not_opened(tab: Tab) -> None:
    assert open_form(tab, "owner").form == ""
