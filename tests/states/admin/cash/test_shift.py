"""What is typed when a driver's cash is counted (RULE shifts)."""

import pytest

from marketplace_app.errors import InvalidInput
from marketplace_app.models import User
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.cash import CountForm
from marketplace_app.states.admin.cash.shift import RESULT_ID, AdminShiftState, _pieces
from tests.conftest import ON_SQLITE, Cast
from tests.services.cash.test_shifts import open_for
from tests.services.dispatch.conftest import dora
from tests.states.admin.conftest import Tab, focus_on

__all__ = ["dora"]


@pytest.mark.parametrize(("typed", "pieces"), [("", 0), (" ", 0), ("0", 0), (" 12 ", 12), ("007", 7), ("+1", 1)])
def test_a_number_of_pieces_is_read(typed: str, pieces: int) -> None:
    assert parse(CountForm, {"pieces": _pieces({"pieces_10000": typed})}).pieces == {"10000": pieces}


@pytest.mark.parametrize("typed", ["x", "-1", "1.5", "1_5", "\u0663", "10001", "12345678901", "9" * 200])
def test_anything_else_is_refused_rather_than_counted_as_nothing(typed: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        parse(CountForm, {"pieces": _pieces({"pieces_10000": typed})})
    assert list(refused.value.fields) == ["pieces.10000"]


@ON_SQLITE
def test_the_result_gets_the_focus_when_the_form_of_a_count_is_gone(tab: Tab, cast: Cast, dora: User) -> None:
    state = tab.state(AdminShiftState)
    state.id = open_for(cast.ada, dora).id
    for pieces, shown in (({"pieces_10000": "1"}, "recount"), ({"pieces_10000": ""}, "agrees")):
        assert tab.send(state, "count", pieces) == [focus_on(RESULT_ID)]
        assert state.shift_state == shown
    assert tab.send(state, "count", {"pieces_10000": "x"}) == []
    assert tab.send(state, "close", {"reason": "", "witness": ""}) == [focus_on(RESULT_ID)]
    assert state.shift_state == "closed"
