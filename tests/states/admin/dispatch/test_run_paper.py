"""A run is entered from paper, stop by stop (RULE paper)."""

from typing import Any

import pytest
from sqlmodel import Session

from marketplace_app.errors import InvalidInput
from marketplace_app.models import Product, StopOutcome, User
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.dispatch.paper import PaperForm
from marketplace_app.states.admin.dispatch.run import AdminRunState
from marketplace_app.states.admin.dispatch.run_paper import STOPS_ID, AdminPaperState, _given
from tests.conftest import ON_SQLITE, Cast
from tests.services.dispatch.conftest import dora, fern, zone
from tests.services.dispatch.test_paper import ANSWERS, a_run, by_phone
from tests.services.dispatch.test_runs import outcomes
from tests.states.admin.conftest import Tab, focus_on

__all__ = ["dora", "fern", "zone"]
pytestmark = pytest.mark.usefixtures("zone")
NOT_HOME = {"outcome": "failed", "reason": "not_home"}


def begin(tab: Tab, run_id: int) -> Any:
    tab.state(AdminRunState).id = run_id
    state = tab.state(AdminPaperState)
    tab.send(state, "begin")
    return state


def place_of(state: Any) -> str:
    """The number of the stop that is asked about; empty if the dialog has closed."""
    return str(state.title).partition(".")[0] if state.is_open else ""


def test_what_is_left_empty_is_not_given() -> None:
    form = parse(PaperForm, _given({"outcome": "delivered", "pin": " 4071 ", "counted": " ", "reason": "", "at": ""}))
    assert (form.pin, form.counted, form.reason, form.at, form.id_checked) == ("4071", None, None, None, False)


@pytest.mark.parametrize(
    ("typed", "cents"), [(" $152.50 ", 152_50), ("1,152.50", 1_152_50), ("$1,000", 1_000_00), ("0", 0)]
)
def test_cash_is_read_as_people_write_it(typed: str, cents: int) -> None:
    assert parse(PaperForm, _given({"outcome": "delivered", "counted": typed})).counted == cents


def test_a_comma_that_could_be_for_decimals_is_refused() -> None:
    with pytest.raises(InvalidInput):
        parse(PaperForm, _given({"outcome": "delivered", "counted": "12,50"}))


@ON_SQLITE
def test_only_what_no_phone_has_reported_is_asked(
    tab: Tab, session: Session, cast: Cast, dora: User, fern: Product
) -> None:
    run_id, ((first, _, pin), _) = a_run(session, cast, dora, fern)
    state = begin(tab, run_id)
    assert (state.reported, state.asks_id, state.asks_pin, state.asks_cash) == ("", True, True, True)
    by_phone(dora, first, ("arrived", {}), ("id_checked", ANSWERS), ("pin_entered", {"pin": pin}))
    state = begin(tab, run_id)
    assert state.reported == "Reported already: arrived, ID accepted, PIN"
    assert (state.asks_id, state.asks_pin, state.asks_cash) == (False, False, True)


@ON_SQLITE
def test_after_each_stop_the_next_one_is_asked_and_after_the_last_the_dialog_closes(
    tab: Tab, session: Session, cast: Cast, dora: User, fern: Product
) -> None:
    run_id, _ = a_run(session, cast, dora, fern)
    state = begin(tab, run_id)
    assert place_of(state) == "1"
    tab.send(state, "choose", "failed")
    assert tab.send(state, "save", NOT_HOME) == []
    assert (place_of(state), state.outcome, tab.toast[0]) == ("2", "delivered", "")
    assert tab.send(state, "save", NOT_HOME) == [focus_on(STOPS_ID)]
    assert (place_of(state), tab.toast[0]) == ("", "Entered from paper")
    assert outcomes(cast.ada, run_id) == [StopOutcome.FAILED, StopOutcome.FAILED]


@ON_SQLITE
def test_a_skipped_stop_is_asked_again_only_when_the_dialog_is_opened_again(
    tab: Tab, session: Session, cast: Cast, dora: User, fern: Product
) -> None:
    run_id, _ = a_run(session, cast, dora, fern)
    state = begin(tab, run_id)
    tab.send(state, "skip", state.form_key)
    assert place_of(state) == "2"
    tab.send(state, "save", NOT_HOME)
    assert place_of(state) == ""
    assert outcomes(cast.ada, run_id) == [None, StopOutcome.FAILED]
    assert place_of(begin(tab, run_id)) == "1"


@ON_SQLITE
def test_what_is_refused_is_said_beside_its_field_of_the_same_stop(
    tab: Tab, session: Session, cast: Cast, dora: User, fern: Product
) -> None:
    run_id, _ = a_run(session, cast, dora, fern)
    state = begin(tab, run_id)
    tab.send(state, "save", {"outcome": "delivered", "id_checked": True, "pin": "", "counted": ""})
    assert [name for name, sentence in state.errors.items() if sentence] == ["counted"]
    assert (place_of(state), state.is_saving) == ("1", False)


@ON_SQLITE
@pytest.mark.parametrize(("sent", "outcome"), [("failed", "failed"), ("delivered", "delivered"), ("lost", "delivered")])
def test_an_outcome_that_the_form_does_not_have_shows_the_fields_of_a_delivery(
    sent: str, outcome: str, tab: Tab
) -> None:
    state = tab.state(AdminPaperState)
    tab.send(state, "choose", sent)
    assert state.outcome == outcome
