"""The windows on the page of deliveries, and the dialog that adds or edits them (RULE windows)."""

from typing import Any

import pytest
from sqlalchemy import select
from sqlmodel import Session, col

from marketplace_app import db, delivery_messages, messages
from marketplace_app.errors import InvalidInput
from marketplace_app.models import Window
from marketplace_app.states.admin.delivery.windows import NEW_VALUES, WEEK_ID, AdminWindowsState, _new_windows
from tests.builders import make_window, make_zone
from tests.conftest import ON_SQLITE
from tests.states.admin.conftest import Tab, focus_on

FORM: dict[str, Any] = {"zone": "1", "opens": " 17:00 ", "closes": "19:00", "cutoff": " 120 ", "capacity": "12"}
FRIDAY = 4


@pytest.fixture
def window(session: Session) -> Window:
    """On a Friday, for ten orders."""
    made = make_window(session, make_zone(session, "97201"), weekday=FRIDAY)
    session.commit()
    return made


def change(session: Session, window: Window, **values: int) -> None:
    """As a colleague."""
    for name, value in values.items():
        setattr(window, name, value)
    session.add(window)
    session.commit()


def edit(tab: Tab, window: Window) -> Any:
    state = tab.state(AdminWindowsState)
    tab.send(state, "edit", window.id)
    return state


def stored(window: Window) -> Window:
    return db.read(lambda s: s.get_one(Window, window.id))


def test_each_chosen_day_gets_a_window_with_the_same_values() -> None:
    made = _new_windows({**FORM, "weekday": ["Monday", "Sunday"]})
    assert [each.weekday for each in made] == [0, 6]
    assert {(each.opens, each.closes, each.cutoff_minutes, each.capacity) for each in made} == {(1020, 1140, 120, 12)}


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"weekday": []}, "weekday"),
        ({"weekday": ["Someday"]}, "weekday"),
        ({"weekday": ["Friday"], "capacity": "1_2"}, "capacity"),
        ({"weekday": ["Friday"], "cutoff": ""}, "cutoffMinutes"),
        ({"weekday": ["Friday"], "zone": ""}, "zoneId"),
    ],
)
def test_what_cannot_be_read_is_refused_by_its_field(given: dict[str, Any], field: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        _new_windows({**FORM, **given})  # type: ignore[typeddict-item]
    assert list(refused.value.fields) == [field]


@ON_SQLITE
def test_an_edited_window_keeps_its_zone_and_its_day(tab: Tab, window: Window) -> None:
    state = edit(tab, window)
    assert state.title == "East side, Friday"
    tab.send(state, "save", {**FORM, "zone": "99", "weekday": ["Monday"]})
    kept = stored(window)
    assert (kept.zone_id, kept.weekday, kept.capacity) == (window.zone_id, FRIDAY, 12)
    assert (state.is_open, tab.toast[0]) == (False, delivery_messages.DELIVERY_SAVED.title)


@ON_SQLITE
def test_what_a_colleague_has_changed_is_replaced_by_a_second_press(tab: Tab, session: Session, window: Window) -> None:
    state = edit(tab, window)
    change(session, window, capacity=8)
    tab.send(state, "save", FORM)
    assert (state.is_open, stored(window).capacity) == (True, 8)
    assert {name: said for name, said in state.errors.items() if said} == {"capacity": messages.changed_meanwhile("8")}
    tab.send(state, "save", FORM)
    assert (state.is_open, stored(window).capacity) == (False, 12)


@ON_SQLITE
def test_the_dialog_closes_if_a_colleague_has_removed_its_window(tab: Tab, session: Session, window: Window) -> None:
    state = edit(tab, window)
    session.delete(window)
    session.commit()
    tab.send(state, "save", FORM)
    assert (state.is_open, tab.toast) == (False, (messages.ERROR, delivery_messages.WINDOW_NOT_FOUND))


@ON_SQLITE
def test_the_week_lists_each_window_under_its_day(tab: Tab, window: Window) -> None:
    state = tab.state(AdminWindowsState)
    tab.send(state, "load")
    listed = {day.name: [each.text for each in day.windows] for day in state.weekdays if day.windows}
    assert (len(state.weekdays), listed) == (
        7,
        {"Friday": ["East side, 17:00 to 19:00: 10 orders, until 0 min before"]},
    )
    assert tab.send(state, "remove", window.id) == [focus_on(WEEK_ID)]
    assert db.read(lambda s: s.execute(select(col(Window.id))).all()) == []


@ON_SQLITE
def test_advice_follows_the_times_in_the_form(tab: Tab) -> None:
    state = tab.state(AdminWindowsState)
    tab.send(state, "open_new")
    assert (state.values, state.advice) == (NEW_VALUES, "")
    for name, value in (("opens", "17:00"), ("closes", "19:00")):
        tab.send(state, "check_time", name, value)
    assert state.advice == "One driver can deliver about 9 orders in this window, two about 18."
    tab.send(state, "check_time", "closes", "17:05")
    assert state.advice == ""
