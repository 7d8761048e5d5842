"""Saved products: hearts, and the account's list (RULE saved-products)."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from reflex.state import State
from sqlmodel import Session

from marketplace_app import db, messages
from marketplace_app.errors import InvitationRequired
from marketplace_app.models import Product, User
from marketplace_app.schemas.buying.saved import SaveForm
from marketplace_app.schemas.products.products import view_of
from marketplace_app.services.buying import saved, stock_alerts
from marketplace_app.states.buying.saved import LIST_ID, SavedState, row_of
from tests.builders import make_product
from tests.conftest import ON_SQLITE, Cast
from tests.states.conftest import SignInAs
from tests.states.tabs import focus, send, show_url, toast


@pytest.fixture
def fern(session: Session, cast: Cast, sign_in_as: SignInAs) -> Product:
    """A product. The tab is Alice's."""
    product = make_product(session, "Fern Hollow")
    session.commit()
    sign_in_as(cast.alice)
    return product


async def tab_at(url: str) -> Any:
    root = State()
    show_url(root, url)
    return await root.get_state(SavedState)


@ON_SQLITE
@pytest.mark.parametrize("is_active", [True, False])
def test_a_product_that_is_no_longer_sold_has_neither_link_nor_stock(session: Session, is_active: bool) -> None:
    """Its page would say that it was not found."""
    product = make_product(session, "Fern Hollow", is_active=is_active)
    session.commit()
    row = row_of(view_of(product), is_active)
    href = f"/product/{product.id}" if is_active else ""
    assert (row.is_still_sold, row.in_stock, row.href) == (is_active, is_active, href)


@ON_SQLITE
@pytest.mark.parametrize(("url", "focused"), [("/", []), ("/account?tab=saved", [focus(LIST_ID)])])
def test_a_removed_product_leaves_the_list_at_once_and_the_focus_stays_in_it(
    url: str, focused: list[Any], fern: Product
) -> None:
    """On other pages the heart that was pressed keeps the focus."""

    async def remove() -> tuple[list[Any], list[int], list[Any]]:
        state = await tab_at(url)
        await send(state, "set_saved", fern.id, True)
        await state._load()
        assert [row.id for row in state.rows] == [fern.id]
        answered = await send(state, "set_saved", fern.id, False)
        return answered, state.ids, state.rows

    assert asyncio.run(remove()) == (focused, [], [])


@ON_SQLITE
def test_a_heart_that_could_not_be_saved_stays_empty(
    fern: Product, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(saved, "MAX_SAVED_PRODUCTS", 1)
    other = make_product(session, "Dune")
    session.commit()

    async def save_both() -> tuple[list[int], tuple[str, str]]:
        state = await tab_at("/")
        for product in (fern, other):
            await send(state, "set_saved", product.id, True)
        return state.ids, await toast(state)

    assert asyncio.run(save_both()) == ([fern.id], (messages.ERROR, saved.TooManySaved.message))


@ON_SQLITE
def test_what_is_waited_for_is_listed_apart_until_it_is_no_longer(fern: Product, session: Session, cast: Cast) -> None:
    sold_out = make_product(session, "Dune", stock=0)
    session.commit()
    db.write(lambda s: stock_alerts.ask(s, s.get(User, cast.alice.id), sold_out.id))

    async def stop() -> tuple[list[str], list[Any], list[Any], list[Any]]:
        state = await tab_at("/account?tab=saved")
        await send(state, "set_saved", fern.id, True)
        await state._load()
        waiting = [row.name for row in state.alerts]
        answered = await send(state, "cancel_alert", sold_out.id)
        await state._load()
        return waiting, answered, state.alerts, [row.name for row in state.rows]

    assert asyncio.run(stop()) == (["Dune"], [focus(LIST_ID)], [], ["Fern Hollow"])


@ON_SQLITE
def test_whoever_may_no_longer_shop_sees_and_removes_what_they_saved_and_wait_for(
    fern: Product, session: Session, cast: Cast, configure: Callable[..., None]
) -> None:
    """RULE access-mode: the account stays open. Nothing more can be saved."""
    sold_out = make_product(session, "Dune", stock=0)
    session.commit()
    db.write(lambda s: stock_alerts.ask(s, s.get(User, cast.alice.id), sold_out.id))
    db.write(lambda s: saved.save(s, s.get(User, cast.alice.id), SaveForm(productId=fern.id)))
    configure(ACCESS_MODE="invite_only")

    async def remove() -> tuple[list[list[str]], tuple[str, str]]:
        state = await tab_at("/account?tab=saved")
        await state._load()
        listed = [[row.name for row in rows] for rows in (state.rows, state.alerts)]
        await send(state, "set_saved", fern.id, False)
        await send(state, "cancel_alert", sold_out.id)
        await state._load()
        assert (state.rows, state.alerts) == ([], [])
        await send(state, "set_saved", fern.id, True)
        return listed, await toast(state)

    assert asyncio.run(remove()) == ([["Fern Hollow"], ["Dune"]], (messages.ERROR, InvitationRequired.message))


def test_hearts_that_are_as_they_were_are_not_sent_again() -> None:
    """Every change of the cart reads them, in every tab."""

    async def push() -> tuple[set[str], set[str]]:
        state = await tab_at("/")
        state.ids = [1, 2]
        state.dirty_vars.clear()
        state._show_hearts((1, 2))
        same = set(state.dirty_vars)
        state._show_hearts((1,))
        return same, set(state.dirty_vars)

    assert asyncio.run(push()) == (set(), {"ids"})
