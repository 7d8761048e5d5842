"""The form of the shop settings when its page is opened again."""

import asyncio

import pytest
from reflex.istate.data import RouterData
from reflex.state import State
from sqlalchemy import Engine

from marketplace_app import db
from marketplace_app.marketplace_app import app  # noqa: F401 - registers the states
from marketplace_app.models import User
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.settings import SettingsForm
from marketplace_app.services import sessions
from marketplace_app.services import settings as shop_settings
from marketplace_app.states.admin import settings
from marketplace_app.states.admin.settings import AdminSettingsState
from marketplace_app.states.events import base
from marketplace_app.states.events.viewer import ViewerState
from tests.conftest import ON_SQLITE, Cast
from tests.states.admin.conftest import Tab


@ON_SQLITE
def test_a_second_press_does_not_undo_what_a_colleague_changed(
    tab: Tab, cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(settings, "subscribe", lambda *_: None)
    state = tab.state(AdminSettingsState)
    tab.send(state, "load")
    as_shown = {**state.values, "deliveryFee": "7.00", "reason": "Rain.", "form_key": str(state.form_key)}
    of_colleague = parse(SettingsForm, {"freeDelivery": "150.00", "reason": "Spring."})
    db.write(lambda s: shop_settings.change(s, s.get(User, cast.ada.id), of_colleague))
    for _ in range(2):
        tab.send(state, "save", dict(as_shown))
    now = db.read(shop_settings.current)
    assert (now.delivery_fee_cents, now.free_delivery_cents) == (7_00, 150_00)


@ON_SQLITE
@pytest.mark.parametrize(
    ("keeps_form", "shown"), [(True, ("25", True)), (False, ("7", False))], ids=["a reconnect", "a visit"]
)
def test_settings_that_are_opened_again_have_the_current_values(
    keeps_form: bool, shown: tuple[str, bool], tab: Tab, cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(settings, "subscribe", lambda *_: None)
    state = tab.state(AdminSettingsState)
    tab.send(state, "load")
    of_colleague = parse(SettingsForm, {"deliveryFee": "7.00", "reason": "Spring."})
    db.write(lambda s: shop_settings.change(s, s.get(User, cast.ada.id), of_colleague))
    tab.state(ViewerState)._has_reconnected = keeps_form
    tab.send(state, "load")
    assert (state.values["deliveryFee"], state.is_outdated) == shown


@ON_SQLITE
@pytest.mark.parametrize(
    ("has_reconnected", "is_same_page", "is_shown"),
    [(True, False, True), (False, True, True), (False, False, False)],
    ids=["a reconnect", "paging through the settings history", "a visit"],
)
def test_the_error_of_a_refused_value_is_gone_at_the_next_visit(
    has_reconnected: bool,
    is_same_page: bool,
    is_shown: bool,
    engine: Engine,
    cast: Cast,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    token = db.write(lambda s: sessions.start(s, s.get_one(User, cast.ada.id)))
    monkeypatch.setattr(base, "session_token_of", lambda _state: token)
    monkeypatch.setattr(settings, "subscribe", lambda *_: None)

    async def is_error_shown_after_loading_again() -> bool:
        root = State()
        root.router = RouterData.from_router_data({"asPath": "/admin/settings", "headers": {"origin": "http://a"}})
        state, viewer = await root.get_state(AdminSettingsState), await root.get_state(ViewerState)
        await AdminSettingsState.event_handlers["load"].fn(state)
        async for _ in AdminSettingsState.event_handlers["save"].fn(state, {"deliveryFee": "some", "reason": "Rain."}):
            pass
        assert state.errors["deliveryFee"]
        viewer._has_reconnected, viewer._is_same_page = has_reconnected, is_same_page
        await AdminSettingsState.event_handlers["load"].fn(state)
        return bool(state.errors["deliveryFee"])

    assert asyncio.run(is_error_shown_after_loading_again()) is is_shown
