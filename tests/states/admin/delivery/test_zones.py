"""The zones on the page of deliveries, and the dialog that adds or edits one (RULE zones)."""

from typing import Any

import pytest
from sqlmodel import Session

from marketplace_app import db, delivery_messages, messages
from marketplace_app.models import Zone
from marketplace_app.schemas.delivery.zones import ZoneView
from marketplace_app.states.admin.delivery.zones import ZONES_ID, AdminZonesState, _fields, _row
from tests.builders import make_window, make_zone
from tests.conftest import ON_SQLITE
from tests.states.admin.conftest import Tab, focus_on


@pytest.fixture
def zone(session: Session) -> Zone:
    made = make_zone(session, "97201", "97202", fee_cents=12_00)
    make_window(session, made)
    session.commit()
    return made


def view(*zips: str, **cents: int | None) -> ZoneView:
    amounts = dict.fromkeys(("fee_cents", "minimum_cents", "free_from_cents")) | cents
    return ZoneView(id=1, name="East side", zips=zips, **amounts)


def edit(tab: Tab, zone: Zone) -> Any:
    state = tab.state(AdminZonesState)
    tab.send(state, "edit", zone.id)
    return state


@pytest.mark.parametrize(
    ("typed", "zips"),
    [
        ("97201 97202", ["97201", "97202"]),
        ("97201,97202;\n97203", ["97201", "97202", "97203"]),
        ("97202, 97201, 97202", ["97202", "97201"]),
        ("97201 – 1234", ["97201-1234"]),
        ("97201 - 97209", ["97201-97209"]),
        ("97201, east", ["97201", "east"]),
        (" ,; ", []),
    ],
)
def test_zip_codes_are_read_however_they_are_separated(typed: str, zips: list[str]) -> None:
    assert _fields({"zips": typed})["zips"] == zips


def test_an_empty_amount_is_the_shops_and_zero_is_not() -> None:
    given = _fields({"fee": " ", "minimum": "0", "free_from": " 150.00 "})
    assert (given["fee"], given["minimum"], given["freeFrom"]) == (None, "0", "150.00")
    row = _row(view("97201", fee_cents=0, free_from_cents=150_00))
    assert row.terms == "Fee $0.00 · minimum (shop default) · free from $150.00"


def test_of_many_zip_codes_only_the_first_six_are_listed() -> None:
    six = [f"9720{number}" for number in range(6)]
    assert _row(view(*six)).zips == f"6 ZIP codes: {', '.join(six)}"
    assert _row(view(*six, "97299")).zips == f"7 ZIP codes: {', '.join(six)}, …"


@ON_SQLITE
def test_a_form_that_is_saved_as_it_was_filled_changes_nothing(tab: Tab, zone: Zone) -> None:
    state = edit(tab, zone)
    filled = dict(state.values)
    names = {"name": "zone_name", "fee": "fee", "minimum": "minimum", "freeFrom": "free_from", "zips": "zips"}
    tab.send(state, "save", {names[name]: text for name, text in filled.items()})
    assert (state.is_open, dict(edit(tab, zone).values)) == (False, filled)
    assert filled == {"name": "East side", "fee": "12.00", "minimum": "", "freeFrom": "", "zips": "97201\n97202"}


@ON_SQLITE
def test_what_a_colleague_has_changed_is_replaced_by_a_second_press(tab: Tab, session: Session, zone: Zone) -> None:
    state, form = edit(tab, zone), {"zone_name": "East side", "fee": "10.00", "zips": "97201\n97202"}
    zone.fee_cents = 8_00
    session.add(zone)
    session.commit()
    tab.send(state, "save", form)
    assert {name: said for name, said in state.errors.items() if said} == {"fee": messages.changed_meanwhile("8.00")}
    tab.send(state, "save", form)
    assert (state.is_open, db.read(lambda s: s.get_one(Zone, zone.id).fee_cents)) == (False, 10_00)


@ON_SQLITE
def test_a_zone_is_removed_after_a_question_that_says_what_goes_with_it(tab: Tab, zone: Zone) -> None:
    state = tab.state(AdminZonesState)
    tab.send(state, "ask_to_remove", zone.id)
    assert state.removing_text == delivery_messages.zone_removal("2 ZIP codes", "1 window", 0, is_last=True)
    assert tab.send(state, "remove") == [focus_on(ZONES_ID)]
    assert (state.removing_id, state.zones) == (0, [])


@ON_SQLITE
def test_the_question_closes_if_a_colleague_has_removed_its_zone(tab: Tab, session: Session, zone: Zone) -> None:
    state = tab.state(AdminZonesState)
    tab.send(state, "load")
    tab.send(state, "ask_to_remove", zone.id)
    session.delete(zone)
    session.commit()
    tab.send(state, "remove")
    assert (state.removing_id, state.zones, tab.toast) == (0, [], (messages.ERROR, delivery_messages.ZONE_NOT_FOUND))
