"""The users tab: the list of users and its actions."""

import reflex as rx

from marketplace_app.components.admin.shell import heading, may, panel
from marketplace_app.components.admin.table import (
    Column,
    Sorting,
    cell,
    clear_button,
    data_table,
    row_button,
    search_box,
    table_footer,
    table_row,
    table_states,
    toolbar,
)
from marketplace_app.components.admin.users.user_form import user_dialogs
from marketplace_app.components.controls.badges import badge
from marketplace_app.components.controls.fields import select
from marketplace_app.components.controls.links import link
from marketplace_app.models import Permission
from marketplace_app.states.admin.users.user_form import AdminUserFormState
from marketplace_app.states.admin.users.users import FILTERS, AdminUsersState, UserRow

COLUMNS = (
    Column("Name", sort="name"),
    Column("Email"),
    Column("Joined", sort="joined"),
    Column("Orders", sort="orders", is_number=True, class_name="max-xl:hidden"),
    Column("Spent", sort="spent", is_number=True),
    Column("Credit", is_number=True, class_name="max-xl:hidden"),
    Column("Role", class_name="max-xl:hidden"),
    Column("Status"),
    Column(""),
)


def active_badge(is_banned: rx.Var[bool]) -> rx.Component:
    return rx.cond(is_banned, badge("Banned", "red"), badge("Active", "green"))


def may_change(is_owner: rx.Var[bool]) -> rx.Var[bool]:
    """Only owners may change owners."""
    return ~is_owner | may(Permission.GRANT_ROLES)


def _actions(user: rx.Var[UserRow]) -> rx.Component:
    name, form = user.name, AdminUserFormState
    ban = row_button("ban", f"Ban {name}", on_click=form.ask_to_ban(user.id))
    unban = row_button("undo", f"Unban {name}", on_click=form.unban(user.id))
    buttons = rx.el.span(
        rx.cond(may(Permission.EDIT_USERS), row_button("pen", f"Edit {name}", on_click=form.edit(user.id))),
        rx.cond(may(Permission.BAN_USERS), rx.cond(user.is_banned, unban, ban)),
        rx.cond(
            may(Permission.DELETE_USERS), row_button("bin", f"Delete {name}", on_click=form.ask_to_delete(user.id))
        ),
    )
    return rx.cond(may_change(user.is_owner), buttons)


def _row(user: rx.Var[UserRow]) -> rx.Component:
    return table_row(
        cell(
            link(user.name, href=user.href, class_name="font-semibold hover:underline"),
            narrow="first",
            class_name="max-w-50 truncate md:max-w-32 xl:max-w-36",
            title=user.name,
        ),
        cell(
            user.email,
            narrow="second",
            class_name="max-w-60 truncate text-ink-2 md:max-w-40 xl:max-w-44",
            title=user.email,
        ),
        cell(user.joined, narrow="third", class_name="whitespace-nowrap text-ink-2 max-md:text-ink-3"),
        cell(user.orders, is_number=True, class_name="max-xl:hidden"),
        cell(user.spent, narrow="figure", is_number=True, class_name="font-semibold"),
        cell(user.credit, is_number=True, class_name="max-xl:hidden"),
        cell(rx.cond(user.role != "", badge(user.role, "blue")), class_name="max-xl:hidden"),
        cell(active_badge(user.is_banned), narrow="badge"),
        cell(_actions(user), narrow="actions", class_name="text-right whitespace-nowrap"),
        key=user.id,
    )


def _toolbar() -> rx.Component:
    status = rx.el.div(
        select(FILTERS, "Status", AdminUsersState.status, AdminUsersState.filter_by), class_name="min-w-36"
    )
    return toolbar(
        search_box(
            "admin-search", "Search users", "Name or email", AdminUsersState.search_text, AdminUsersState.search
        ),
        status,
        rx.cond(AdminUsersState.is_filtered, clear_button(AdminUsersState.clear)),
        count_label=AdminUsersState.count_label,
    )


def users() -> rx.Component:
    sorting = Sorting(AdminUsersState.sort, AdminUsersState.sort_direction, AdminUsersState.sort_by)
    return rx.fragment(
        heading("Users"),
        panel(
            _toolbar(),
            table_states(
                AdminUsersState.is_loading,
                AdminUsersState.users.length(),
                data_table("Users", COLUMNS, AdminUsersState.users, _row, sorting=sorting),
                nothing="No users match.",
                symbol="users",
            ),
            table_footer(
                AdminUsersState.range_label, AdminUsersState.page, AdminUsersState.pages, AdminUsersState.go_to
            ),
        ),
        user_dialogs(),
    )
