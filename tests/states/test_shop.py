"""The sentences with shop settings in them (RULE faq-facts)."""

import asyncio
from typing import Any

import pytest
from reflex.state import State
from sqlalchemy import Engine
from sqlmodel import Session

from marketplace_app.errors import Unavailable
from marketplace_app.models import ShopSetting
from marketplace_app.states import shop
from marketplace_app.states.shop import ShopState
from tests.conftest import ON_SQLITE
from tests.states.tabs import send, toast


def load(*, after: Any = None) -> tuple[str, set[str], tuple[str, str]]:
    """What the page offers, what is sent to it, and the toast."""

    async def run() -> tuple[str, set[str], tuple[str, str]]:
        state = await State().get_state(ShopState)
        await send(state, "load")
        state._clean()
        if after is not None:
            after()
            await send(state, "load")
        return state.texts.percent_off, set(state.dirty_vars), await toast(state)

    return asyncio.run(run())


@ON_SQLITE
def test_a_new_setting_is_in_the_sentences_and_an_old_one_is_not_sent_again(session: Session) -> None:
    """Every page of the shop loads them."""

    def change() -> None:
        session.add(ShopSetting(name="first_purchase_percent", previous=25, value=30, reason="test"))
        session.commit()

    assert load(after=lambda: None) == ("25% OFF", set(), ("", ""))
    assert load(after=change) == ("30% OFF", {"texts"}, ("", ""))


@ON_SQLITE
def test_settings_that_cannot_be_read_leave_the_sentences_as_they_were(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page's own load reports the failure."""

    async def read(*_: Any) -> None:
        raise Unavailable()

    assert load(after=lambda: monkeypatch.setattr(shop, "read", read)) == ("25% OFF", set(), ("", ""))
