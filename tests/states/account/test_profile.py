"""The form of the profile keeps what is typed in it while the profile changes elsewhere (RULE connection-lost)."""

import asyncio

import pytest
from reflex.istate.data import RouterData
from reflex.state import State
from sqlalchemy import Engine

from marketplace_app import db
from marketplace_app.marketplace_app import app  # noqa: F401 - registers the states
from marketplace_app.models import User
from marketplace_app.schemas.account.accounts import ProfileForm
from marketplace_app.schemas.base import parse
from marketplace_app.services import sessions
from marketplace_app.services.account import profile
from marketplace_app.states.account.account import AccountState
from marketplace_app.states.account.profile import FORM_ID, ProfileState
from marketplace_app.states.events import base
from marketplace_app.states.events.viewer import ViewerState
from tests.conftest import ON_SQLITE, Cast
from tests.states.conftest import SignInAs
from tests.states.tabs import focus, send

KEPT, FILLED = (False, "Alice", True), (True, "Nora", False)


@ON_SQLITE
@pytest.mark.parametrize(
    ("event", "expected"),
    [
        ("an order in another browser tab", KEPT),
        ("a reconnect", KEPT),
        ("another tab of /account", KEPT),
        ("a visit", FILLED),
        ("a visit of another tab of /account, then this one", FILLED),
        ("show what was saved", FILLED),
        ("show what was saved, the old again", (True, "Alice", False)),
    ],
)
def test_a_profile_form_stays_until_the_page_is_opened_again(
    event: str, expected: tuple[bool, str, bool], engine: Engine, cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether it was built anew, its first name, and whether it is marked."""
    token = db.write(lambda s: sessions.start(s, s.get_one(User, cast.alice.id)))
    monkeypatch.setattr(base, "session_token_of", lambda _state: token)

    def save(values: dict[str, str]) -> None:
        db.write(lambda s: profile.save(s, s.get_one(User, cast.alice.id), parse(ProfileForm, values)))

    async def after() -> tuple[bool, str, bool]:
        root = State()
        page, form, viewer = [await root.get_state(each) for each in (AccountState, ProfileState, ViewerState)]

        async def load(url: str = "/account?tab=settings") -> None:
            root.router = RouterData.from_router_data({"asPath": url, "headers": {"origin": "http://a"}})
            async for _ in AccountState.event_handlers["load"].fn(page):
                pass

        await load()
        built = form.form_key
        old = dict(form.values)
        save({"firstName": "Nora", "lastName": "Whitfield"})
        if event == "an order in another browser tab":
            await page._refresh()
        elif event.startswith("show what was saved"):
            await page._refresh()
            if event.endswith("the old again"):
                save(old)
            await ProfileState.event_handlers["reload"].fn(form)
        elif event.startswith("a visit of another tab"):
            await load("/account?tab=orders")
            viewer._is_same_page = True
            await load()
        else:
            viewer._has_reconnected, viewer._is_same_page = event == "a reconnect", event == "another tab of /account"
            await load()
        return form.form_key > built, form.values["firstName"], form.is_outdated

    assert asyncio.run(after()) == expected


@ON_SQLITE
@pytest.mark.parametrize(("typed", "is_rebuilt"), [("Nora", False), (" Nora ", True)])
def test_fields_that_show_what_was_saved_are_not_rebuilt(
    typed: str, is_rebuilt: bool, cast: Cast, sign_in_as: SignInAs
) -> None:
    """The one in which Enter was pressed keeps the focus."""
    sign_in_as(cast.alice)

    async def save() -> tuple[bool, str]:
        state = await State().get_state(ProfileState)
        await state._load(keeps_form=False)
        before = state.form_key
        await send(state, "save", state.values | {"firstName": typed})
        return state.form_key > before, state.values["firstName"]

    assert asyncio.run(save()) == (is_rebuilt, "Nora")


@ON_SQLITE
def test_the_focus_stays_in_the_form_that_shows_what_was_saved(cast: Cast, sign_in_as: SignInAs) -> None:
    sign_in_as(cast.alice)

    async def reload() -> list[object]:
        return await send(await State().get_state(ProfileState), "reload")

    assert asyncio.run(reload()) == [focus(FORM_ID)]
