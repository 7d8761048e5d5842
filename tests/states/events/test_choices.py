"""Choices that are in the URL, while the redirect that answers one is under way."""

import asyncio
from typing import Any

import pytest
from reflex.state import State
from sqlalchemy import Engine

from marketplace_app.marketplace_app import app  # noqa: F401 - registers the states
from marketplace_app.states.account.account import AccountState
from marketplace_app.states.admin.audit import AdminAuditState
from marketplace_app.states.admin.invitations.invitations import AdminInvitationsState
from marketplace_app.states.admin.orders.orders import AdminOrdersState
from marketplace_app.states.admin.products.products import AdminProductsState
from marketplace_app.states.admin.users.users import AdminUsersState
from marketplace_app.states.events.choices import MAX_REDIRECTS
from marketplace_app.states.events.viewer import ViewerState
from marketplace_app.states.products.catalogue import CatalogueState
from marketplace_app.states.support.support import SupportState
from tests.states.tabs import open_url, press, show_url

ORDERS, USERS, INVITATIONS = "/admin?tab=orders", "/admin?tab=users", "/admin?tab=invitations"
Choice = tuple[Any, ...]


@pytest.mark.parametrize(
    ("state_class", "url", "choices", "opened"),
    [
        (AdminOrdersState, ORDERS, [("search", "nora"), ("show_status", "pending")], f"{ORDERS}&q=nora&status=pending"),
        (AdminOrdersState, ORDERS, [("sort_by", "total"), ("sort_by", "total")], f"{ORDERS}&sort=total&order=asc"),
        (AdminUsersState, USERS, [("search", "nora"), ("filter_by", "banned")], f"{USERS}&q=nora&status=banned"),
        (AdminInvitationsState, INVITATIONS, [("search", "nora"), ("go_to", 2)], f"{INVITATIONS}&q=nora&page=2"),
        (
            AdminProductsState,
            "/admin/products",
            [("show_segment", "low"), ("show_type", "Indica")],
            "/admin/products?show=low&type=Indica",
        ),
        (
            AdminAuditState,
            "/admin/audit",
            [("search", "order:1"), ("choose", "action", "order.status")],
            "/admin/audit?action=order.status&subject=order%3A1",
        ),
        (
            SupportState,
            "/support",
            [("filter_by", "status", "open"), ("filter_by", "priority", "high")],
            "/support?status=open&priority=high",
        ),
        (CatalogueState, "/", [("search", "fern"), ("sort_by", "newest")], "/?search=fern&sort=newest"),
    ],
)
def test_a_choice_builds_on_the_one_whose_redirect_is_under_way(
    engine: Engine, state_class: type[Any], url: str, choices: list[Choice], opened: str
) -> None:
    async def path() -> str:
        root = State()
        state = await root.get_state(state_class)
        await open_url(root, url)
        payloads = [await press(state, *choice) for choice in choices]
        return str(payloads[-1]["path"])

    path_, _, query = asyncio.run(path()).partition("?")
    wanted_path, _, wanted = opened.partition("?")
    assert (path_, set(query.split("&"))) == (wanted_path, set(wanted.split("&")))


async def choose(*steps: Choice | str) -> list[dict[str, Any]]:
    """The answers to choices in the list of orders, among URLs that the tab opens."""
    root = State()
    state = await root.get_state(AdminOrdersState)
    answers = []
    for step in steps:
        if isinstance(step, str):
            await open_url(root, step)
        else:
            answers.append(await press(state, *step))
    return answers


def test_a_redirect_says_from_where_it_is_to_be_followed() -> None:
    """From the URL of the event, or from those of the redirects before it, which the tab may have followed."""
    first, second = asyncio.run(choose(ORDERS, ("show_status", "pending"), ("sort_by", "total")))
    assert first["from"] == [ORDERS]
    assert second["from"] == [ORDERS, first["path"]]


def test_a_choice_that_was_left_behind_is_forgotten() -> None:
    pending = ("show_status", "pending")
    *_, last = asyncio.run(choose(ORDERS, pending, "/admin/orders/1", ORDERS, ("sort_by", "total")))
    assert last["path"] == f"{ORDERS}&sort=total"
    assert last["from"] == [ORDERS]


def test_a_redirect_that_was_followed_is_no_longer_under_way() -> None:
    followed = f"{ORDERS}&status=pending"
    *_, last = asyncio.run(choose(ORDERS, ("show_status", "pending"), followed, ("sort_by", "total")))
    assert last["from"] == [followed]
    assert last["path"] == f"{followed}&sort=total"


def test_a_later_choice_stays_under_way_when_an_earlier_one_was_followed() -> None:
    followed = f"{ORDERS}&status=pending"
    choices = (("show_status", "pending"), ("sort_by", "total"), followed, ("search", "nora"))
    *_, last = asyncio.run(choose(ORDERS, *choices))
    assert last["from"] == [followed, f"{followed}&sort=total"]
    assert {"q=nora", "status=pending", "sort=total"} <= set(last["path"].partition("?")[2].split("&"))


def test_the_same_choice_twice_is_one_entry_of_the_history() -> None:
    assert asyncio.run(choose(ORDERS, ("show_status", "pending"), ("show_status", "pending")))[1] == {}


def test_letters_replace_the_entry_of_the_letters_before_them() -> None:
    answers = asyncio.run(choose(ORDERS, ("search", "n"), ("search", "no"), ("show_status", "pending")))
    assert [answer["replace"] for answer in answers] == [False, True, False]


@pytest.mark.parametrize("elsewhere", ["/admin/orders/1", USERS, "/admin", "/product/1"])
def test_what_was_typed_just_before_another_page_was_opened_is_not_searched(elsewhere: str) -> None:
    assert asyncio.run(choose(ORDERS, elsewhere, ("search", "nora"))) == [{}]


def test_the_catalogue_does_not_search_what_was_typed_before_a_product_was_opened(engine: Engine) -> None:
    async def search() -> tuple[dict[str, Any], str]:
        root = State()
        state = await root.get_state(CatalogueState)
        await open_url(root, "/product/1")
        return await press(state, "search", "fern"), state.search_text

    assert asyncio.run(search()) == ({}, "")


def test_the_redirect_to_a_tab_of_the_account_says_where_it_was_pressed() -> None:
    async def open_orders() -> dict[str, Any]:
        root = State()
        show_url(root, "/account")
        return await press(await root.get_state(AccountState), "open_tab", "orders")

    opened = asyncio.run(open_orders())
    assert (opened["path"], opened["from"]) == ("/account?tab=orders", ["/account"])


def test_choices_that_are_never_followed_are_not_all_remembered() -> None:
    async def count() -> int:
        root = State()
        show_url(root, ORDERS)
        state = await root.get_state(AdminOrdersState)
        for number in range(1, MAX_REDIRECTS + 10):
            await press(state, "search", str(number))
        return len((await root.get_state(ViewerState))._redirects)

    assert asyncio.run(count()) == MAX_REDIRECTS
