"""The closed days on the page of deliveries (RULE windows)."""

from datetime import date
from typing import Any

import pytest
from sqlmodel import Session

from marketplace_app import db, delivery_messages, messages
from marketplace_app.models import Closure, Product, User
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.delivery.windows import ClosureForm
from marketplace_app.services.delivery import closures
from marketplace_app.states.admin.delivery.closures import CLOSURES_ID, AdminClosuresState
from tests.builders import order_form, place_order
from tests.conftest import ON_SQLITE, Cast
from tests.services.delivery.test_slots import fern, slot
from tests.states.admin.conftest import Tab, focus_on

__all__ = ["fern", "slot"]
CHRISTMAS = "2026-12-25"


def close(owner: User, day: str) -> None:
    db.write(lambda s: closures.add(s, s.get(User, owner.id), parse(ClosureForm, {"day": day})))


def loaded(tab: Tab) -> Any:
    state = tab.state(AdminClosuresState)
    tab.send(state, "load")
    return state


@ON_SQLITE
def test_a_closed_day_says_how_many_orders_are_still_due_then(tab: Tab, cast: Cast, fern: Product, slot: str) -> None:
    place_order(cast.alice, order_form((fern, 2), slotId=slot))
    day = slot.partition("-")[2]
    for closed in (CHRISTMAS, day):
        close(cast.ada, closed)
    due = {row.day: row.due for row in loaded(tab).closures}
    assert due == {day: "1 order is still due that day.", CHRISTMAS: ""}


@ON_SQLITE
def test_a_day_that_is_refused_is_said_beside_its_field_until_the_page_is_opened_again(tab: Tab) -> None:
    state = loaded(tab)
    tab.send(state, "add", {"day": "tomorrow", "reason": ""})
    assert (bool(state.errors["day"]), state.closures) == (True, [])
    assert not loaded(tab).errors["day"]


@ON_SQLITE
def test_a_day_that_a_colleague_has_opened_is_no_longer_listed(tab: Tab, session: Session, cast: Cast) -> None:
    close(cast.ada, CHRISTMAS)
    state = loaded(tab)
    assert [row.day for row in state.closures] == [CHRISTMAS]
    session.delete(session.get_one(Closure, date.fromisoformat(CHRISTMAS)))
    session.commit()
    assert tab.send(state, "remove", CHRISTMAS) == []
    assert (state.closures, tab.toast) == ([], (messages.ERROR, delivery_messages.CLOSURE_NOT_FOUND))


@ON_SQLITE
def test_days_of_a_colleague_are_shown_when_there_are_too_many(
    tab: Tab, cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = loaded(tab)
    close(cast.ada, CHRISTMAS)
    monkeypatch.setattr(closures, "MAX_CLOSURES", 1)
    tab.send(state, "add", {"day": "2026-12-26", "reason": ""})
    assert ([row.day for row in state.closures], tab.toast[1]) == ([CHRISTMAS], closures.TooManyClosures.message)


@ON_SQLITE
def test_the_focus_stays_among_the_closed_days_when_one_is_opened(tab: Tab, cast: Cast) -> None:
    close(cast.ada, CHRISTMAS)
    assert tab.send(loaded(tab), "remove", CHRISTMAS) == [focus_on(CLOSURES_ID)]
