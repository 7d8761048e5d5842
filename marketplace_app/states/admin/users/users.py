"""The users tab of the admin area: search, filters, sorting and pages, all in the URL."""

from dataclasses import dataclass
from operator import itemgetter

import reflex as rx

from marketplace_app import clock, money
from marketplace_app.config import get_settings
from marketplace_app.display.paging import counted
from marketplace_app.models import Permission, Role
from marketplace_app.schemas.admin.users import AdminUserView, UserControlValue, UserFilter, UsersParams
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.controls import PageNumber, SearchText
from marketplace_app.services.admin import users as admin_users
from marketplace_app.states.admin.orders.orders import ALL
from marketplace_app.states.events.base import Events, action, query_of, read
from marketplace_app.states.events.choices import chosen, refine, visit
from marketplace_app.states.events.last_page import read_page

USERS_PATH = "/admin?tab=users"
FILTERS = [
    (ALL, "All users"),
    (UserFilter.ACTIVE.value, "Active"),
    (UserFilter.BANNED.value, "Banned"),
    (UserFilter.STAFF.value, "Staff"),
]


@dataclass(frozen=True)
class UserRow:
    id: int
    href: str
    name: str
    email: str
    joined: str
    orders: str
    spent: str
    credit: str
    role: str
    """Empty for a customer."""
    is_owner: bool
    is_banned: bool


class AdminUsersState(rx.State):
    is_loading: bool = True
    users: list[UserRow] = []
    count_label: str = ""
    """`312 users`"""
    range_label: str = ""
    """`1–25 of 312`"""
    page: int = 1
    pages: int = 1
    search_text: str = ""
    status: str = ALL
    sort: str = "joined"
    sort_direction: str = "desc"
    is_filtered: bool = False

    @action(who=Permission.SEE_USERS)
    async def search(self, text: str) -> Events:
        return await self._refine(q=parse(SearchText, {"text": text}).text, is_typed=True)

    @action(who=Permission.SEE_USERS)
    async def filter_by(self, status: str) -> Events:
        choice = parse(UserControlValue, {} if status == ALL else {"status": status})
        return await self._refine(status=choice.status)

    @action(who=Permission.SEE_USERS)
    async def sort_by(self, column: str) -> Events:
        """Choosing the same column again reverses the order."""
        params, wanted = await chosen(self, UsersParams), parse(UserControlValue, {"sort": column}).sort
        return await self._refine(sort=wanted, order=params.direction_after(wanted))

    @action(who=Permission.SEE_USERS)
    async def clear(self) -> Events:
        return await visit(self, USERS_PATH)

    @action(who=Permission.SEE_USERS)
    async def go_to(self, page: int) -> Events:
        return await self._refine(page=parse(PageNumber, {"page": page}).page)

    async def _load(self) -> None:
        params = self._params()
        (total, found), paging = await read_page(
            params.query(), lambda query: read(self, admin_users.list_all, query), itemgetter(0)
        )
        self.users = [_row(user) for user in found]
        self.count_label = counted(total, "user")
        self.page, self.pages, self.range_label = paging.page, paging.pages, paging.range_label
        self.search_text, self.status = params.q, params.status.value if params.status else ALL
        self.sort, self.sort_direction = params.sort.value, "asc" if params.query().is_ascending else "desc"
        self.is_filtered = bool(params.q or params.status)
        self.is_loading = False

    def _params(self) -> UsersParams:
        return query_of(self, UsersParams)

    async def _refine(self, *, is_typed: bool = False, **changes: object) -> Events:
        return await refine(self, USERS_PATH, UsersParams, is_typed=is_typed, **changes)


def _row(user: AdminUserView) -> UserRow:
    return UserRow(
        id=user.id,
        href=f"/admin/users/{user.id}",
        name=user.name or user.email,
        email=user.email,
        joined=clock.show_date(user.created_at, get_settings().timezone),
        orders=f"{user.total_orders:,}",
        spent=money.show(user.total_spent_cents),
        credit=money.show(user.referral_credit_cents),
        role="" if user.role is Role.CUSTOMER else user.role.value,
        is_owner=user.role is Role.OWNER,
        is_banned=user.is_banned,
    )
