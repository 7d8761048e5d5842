"""A legal page has the owner's text, or the built-in one (RULE information-pages)."""

import asyncio
from datetime import UTC, datetime
from typing import Any

import pytest
from reflex.state import State
from sqlalchemy import Engine
from sqlmodel import Session

from marketplace_app.errors import Unavailable
from marketplace_app.models import LegalPage, LegalText
from marketplace_app.states import legal
from marketplace_app.states.legal import LegalState
from tests.conftest import ON_SQLITE, Cast
from tests.states.tabs import send, show_url, toast

NIGHT = datetime(2026, 11, 24, 5, tzinfo=UTC)
"""Still the day before at the store."""


@pytest.fixture
def terms(session: Session, cast: Cast) -> None:
    """The only page that an owner has written."""
    values: dict[str, Any] = {"version": 1, "body": "# Who may buy", "author_id": cast.ada.id, "created_at": NIGHT}
    session.add(LegalText(page=LegalPage.TERMS, **values))
    session.commit()


def visit(*paths: str) -> list[tuple[list[str], str, str]]:
    """What a tab shows at each, with its date, and the title of its last toast."""

    async def run() -> list[tuple[list[str], str, str]]:
        root = State()
        state, shown = await root.get_state(LegalState), []
        for path in paths:
            show_url(root, path)
            await send(state, "load")
            shown.append(([block.text for block in state.blocks], state.published, (await toast(root))[0]))
        return shown

    return asyncio.run(run())


@ON_SQLITE
@pytest.mark.parametrize("path", ["/terms", "/terms/"])
def test_a_page_that_an_owner_has_written_has_its_text_and_its_day_at_the_store(terms: None, path: str) -> None:
    assert visit(path) == [(["Who may buy"], "Nov 23, 2026", "")]


@ON_SQLITE
@pytest.mark.parametrize("path", ["/privacy", "/", "/terms/more", "/orders/1"])
def test_any_other_page_has_nothing_of_it(terms: None, path: str) -> None:
    """A client may also say that it is where no legal page is."""
    assert visit("/terms", path)[1] == ([], "", "")


@ON_SQLITE
def test_a_text_says_of_which_page_it_is(terms: None) -> None:
    """So that it is not shown under the heading of the page that is opened next, while that is being read."""

    async def run() -> list[str]:
        root = State()
        state = await root.get_state(LegalState)
        pages = [state.page]
        for path in ("/terms", "/privacy"):
            show_url(root, path)
            await send(state, "load")
            pages.append(state.page)
        return pages

    assert asyncio.run(run()) == ["", "terms", "privacy"]


@ON_SQLITE
def test_a_text_that_is_shown_stays_during_an_outage_and_is_not_taken_for_another(
    terms: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def run() -> list[tuple[str, str]]:
        root = State()
        state, shown = await root.get_state(LegalState), []
        show_url(root, "/terms")
        await send(state, "load")
        monkeypatch.setattr(legal, "read", unavailable)
        for path in ("/terms", "/privacy"):
            show_url(root, path)
            await send(state, "load")
            shown.append((state.page, state.published))
        return shown

    assert asyncio.run(run()) == [("terms", "Nov 23, 2026"), ("privacy", "")]


async def unavailable(*_: Any) -> None:
    raise Unavailable()


@ON_SQLITE
def test_without_the_database_the_built_in_text_is_shown(
    engine: Engine, terms: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(legal, "read", unavailable)
    assert visit("/terms") == [([], "", "")]
