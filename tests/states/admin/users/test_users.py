"""The users tab (RULE users-list)."""

import asyncio
from datetime import UTC, datetime
from typing import Any

import pytest

from marketplace_app.models import Role
from marketplace_app.schemas.admin.users import AdminUserView
from marketplace_app.states.admin.orders.orders import ALL
from marketplace_app.states.admin.users.users import USERS_PATH, AdminUsersState, _row
from tests.conftest import ON_SQLITE
from tests.states.admin.conftest import Tab
from tests.states.tabs import show_url


def user(**changes: Any) -> AdminUserView:
    facts: dict[str, Any] = {
        "id": 7,
        "email": "nora@example.org",
        "first_name": "Nora",
        "last_name": "Whitfield",
        "created_at": datetime(2026, 11, 20, 6, tzinfo=UTC),
        "referred_by": None,
        "referral_bonus_used": False,
        "first_purchase_discount_used": False,
        "referral_credit_cents": 100_00,
        "role": Role.CUSTOMER,
        "is_banned": False,
        "ban_reason": "",
        "total_orders": 1_312,
        "total_spent_cents": 123_450,
    }
    return AdminUserView(**facts | changes)


def load(tab: Tab, query: str = "") -> Any:
    show_url(tab.root, f"{USERS_PATH}{query}")
    state = tab.state(AdminUsersState)
    asyncio.run(state._load())
    return state


def test_a_row_shows_amounts_the_stores_day_and_no_role_of_a_customer() -> None:
    row = _row(user())
    assert (row.name, row.orders, row.spent, row.credit) == ("Nora Whitfield", "1,312", "$1,234.50", "$100.00")
    assert (row.joined, row.role, row.is_owner) == ("Nov 19, 2026", "", False)


@pytest.mark.parametrize(("role", "is_owner"), [(Role.DRIVER, False), (Role.OWNER, True)])
def test_a_row_shows_the_role_of_whoever_works_for_the_shop(role: Role, is_owner: bool) -> None:
    row = _row(user(role=role))
    assert (row.role, row.is_owner) == (role.value, is_owner)


def test_a_row_without_a_name_shows_the_email() -> None:
    assert _row(user(first_name="", last_name="")).name == "nora@example.org"


@ON_SQLITE
@pytest.mark.parametrize(
    ("query", "names", "is_filtered"),
    [
        ("", ["Zoe", "Ada", "Charlie", "Bob", "Alice"], False),
        ("&status=banned", ["Charlie"], True),
        ("&status=staff", ["Ada"], True),
        ("&q=ali", ["Alice"], True),
        ("&status=nonsense&page=0", ["Zoe", "Ada", "Charlie", "Bob", "Alice"], False),
        ("&sort=name", ["Ada", "Alice", "Bob", "Charlie", "Zoe"], False),
    ],
)
def test_the_list_is_what_the_url_asks_for(query: str, names: list[str], is_filtered: bool, tab: Tab) -> None:
    state = load(tab, query)
    assert ([row.name for row in state.users], state.is_filtered) == (names, is_filtered)
    assert state.count_label == ("1 user" if len(names) == 1 else f"{len(names)} users")


@ON_SQLITE
@pytest.mark.parametrize(
    ("query", "direction"),
    [("", "desc"), ("&sort=name", "asc"), ("&sort=spent", "desc"), ("&sort=name&order=desc", "desc")],
)
def test_the_heading_says_in_which_direction_its_column_is_sorted(query: str, direction: str, tab: Tab) -> None:
    assert load(tab, query).sort_direction == direction


@ON_SQLITE
@pytest.mark.parametrize(
    ("status", "opened"), [(ALL, [USERS_PATH]), ("staff", [f"{USERS_PATH}&status=staff"]), ("nonsense", [])]
)
def test_all_users_is_the_list_without_a_filter(status: str, opened: list[str], tab: Tab) -> None:
    state = load(tab, "&status=banned")
    assert [answer["path"] for answer in tab.send(state, "filter_by", status)] == opened
