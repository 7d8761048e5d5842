"""A list that ends before the page that is asked for shows its last page (RULE admin-navigation)."""

import asyncio
from typing import Any

import pytest
from reflex.state import State
from sqlmodel import Session

from marketplace_app.limits import ADMIN_PAGE_SIZE
from marketplace_app.marketplace_app import app  # noqa: F401 - registers the states
from marketplace_app.schemas.base import PageQuery
from marketplace_app.states.admin.audit import AdminAuditState
from marketplace_app.states.admin.invitations.invitations import AdminInvitationsState
from marketplace_app.states.admin.orders.orders import AdminOrdersState
from marketplace_app.states.admin.products.products import AdminProductsState
from marketplace_app.states.admin.settings import AdminSettingsState
from marketplace_app.states.admin.users.users import AdminUsersState
from marketplace_app.states.events.last_page import read_page
from tests.builders import make_order
from tests.conftest import ON_SQLITE, Cast
from tests.states.conftest import SignInAs
from tests.states.tabs import show_url

LISTS = [
    (AdminOrdersState, "_load"),
    (AdminUsersState, "_load"),
    (AdminInvitationsState, "_load"),
    (AdminProductsState, "_refresh"),
    (AdminAuditState, "_refresh"),
    (AdminSettingsState, "_refresh"),
]


def shown(state_class: type[Any], load: str, url: str) -> Any:
    async def read() -> Any:
        root = State()
        show_url(root, url)
        state = await root.get_state(state_class)
        await getattr(state, load)()
        return state

    return asyncio.run(read())


@ON_SQLITE
def test_the_last_page_follows_when_its_only_row_leaves_it(session: Session, cast: Cast, sign_in_as: SignInAs) -> None:
    for _ in range(ADMIN_PAGE_SIZE):
        make_order(session, cast.alice, 100_00)
    session.commit()
    sign_in_as(cast.ada)
    state = shown(AdminOrdersState, "_load", "/admin?tab=orders&status=pending&page=2")
    assert (state.page, state.pages, len(state.orders), state.range_label) == (1, 1, 25, "1–25 of 25")


@ON_SQLITE
@pytest.mark.parametrize(("state_class", "load"), LISTS, ids=[each.__name__ for each, _ in LISTS])
def test_every_list_of_the_admin_pages_shows_its_last_page(
    state_class: type[Any], load: str, cast: Cast, sign_in_as: SignInAs
) -> None:
    sign_in_as(cast.ada)
    state = shown(state_class, load, "/admin?page=40000")
    assert (state.page, state.pages) == (1, 1)


def test_a_page_that_exists_is_read_once() -> None:
    read: list[int] = []

    async def fetch(query: PageQuery) -> int:
        read.append(query.offset)
        return 26

    async def page_at(offset: int) -> tuple[int, list[int]]:
        _, paging = await read_page(PageQuery(limit=25, offset=offset), fetch, lambda total: total)
        return paging.page, [read.pop(0) for _ in read[:]]

    assert asyncio.run(page_at(25)) == (2, [25])
    assert asyncio.run(page_at(250_000)) == (2, [250_000, 25])
