"""`/admin/users/[user_id]`: one user with their orders, tickets and referrals."""

from typing import Any

import reflex as rx

from marketplace_app.components.admin.shell import admin_page, heading, may, panel
from marketplace_app.components.admin.users.user_form import user_dialogs
from marketplace_app.components.admin.users.users import active_badge, may_change
from marketplace_app.components.controls.badges import badge
from marketplace_app.components.controls.buttons import button, button_link
from marketplace_app.components.controls.facts import IN_PAIRS_ON_A_TABLET, fact_list_from_state
from marketplace_app.components.controls.fields import select
from marketplace_app.components.controls.links import link
from marketplace_app.components.controls.notices import empty_state, failed_state, note
from marketplace_app.components.controls.skeletons import skeleton_block
from marketplace_app.messages import USER_NOT_FOUND
from marketplace_app.models import Permission, Role
from marketplace_app.states.admin.users.user import AdminUserState, ListItem
from marketplace_app.states.admin.users.user_form import AdminUserFormState

_ROLES = [(role.value, role.value.title()) for role in Role]


def _actions() -> rx.Component:
    user_id, form = AdminUserState.id, AdminUserFormState
    small: dict[str, Any] = {"variant": "outline", "size": "sm"}
    ban = button("Ban", variant="danger", size="sm", on_click=form.ask_to_ban(user_id))
    unban = button("Unban", on_click=form.unban(user_id), **small)
    ban_and_delete = rx.fragment(
        rx.cond(may(Permission.BAN_USERS), rx.cond(AdminUserState.is_banned, unban, ban)),
        rx.cond(
            may(Permission.DELETE_USERS),
            button("Delete", variant="danger", size="sm", on_click=form.ask_to_delete(user_id)),
        ),
    )
    return rx.cond(
        may_change(AdminUserState.is_owner),
        rx.fragment(
            rx.cond(may(Permission.EDIT_USERS), button("Edit", on_click=form.edit(user_id), **small)),
            rx.cond(AdminUserState.is_me, rx.fragment(), ban_and_delete),
        ),
    )


def _line(line: rx.Var[ListItem]) -> rx.Component:
    name = rx.cond(
        line.href != "",
        link(line.name, href=line.href, class_name="font-semibold wrap-anywhere hover:underline"),
        rx.el.span(line.name, class_name="font-semibold wrap-anywhere"),
    )
    return rx.el.li(
        rx.el.div(
            name,
            rx.el.span(line.subtitle, class_name="text-cap text-ink-3 tabular-nums"),
            class_name="grid min-w-0 flex-1",
        ),
        rx.cond(line.badge != "", badge(line.badge, line.hue)),
        rx.cond(line.figure != "", rx.el.span(line.figure, class_name="font-semibold tabular-nums")),
        key=line.key,
        class_name="flex items-center gap-3 border-t border-line px-4 py-2 text-small",
    )


def _list(title: str, lines: rx.vars.ArrayVar[list[ListItem]], empty_text: str, aside: Any = None) -> rx.Component:
    head = rx.el.div(
        rx.el.h2(title, class_name="font-sans text-ui font-semibold"),
        *([aside] if aside is not None else []),
        class_name="flex min-h-12 items-center justify-between gap-3 px-4 py-1.5",
    )
    return panel(
        head,
        rx.cond(
            lines.length() > 0,
            rx.el.ul(rx.foreach(lines, _line), aria_label=title),
            rx.el.p(empty_text, class_name="border-t border-line px-4 py-3 text-small text-ink-3"),
        ),
    )


def _role() -> rx.Component:
    chosen = select(_ROLES, "Role", AdminUserState.role, AdminUserState.grant)
    return rx.cond(
        may(Permission.GRANT_ROLES),
        panel(
            rx.cond(
                AdminUserState.role_lock_reason != "",
                rx.el.p(
                    rx.el.b(AdminUserState.role, class_name="font-semibold"),
                    ". ",
                    AdminUserState.role_lock_reason,
                    class_name="text-small text-ink-2",
                ),
                chosen,
            ),
            title="Role",
            class_name="grid content-start gap-3 p-4",
        ),
    )


def _sessions() -> rx.Component:
    end = button(
        "Sign Out Everywhere", variant="outline", size="sm", on_click=AdminUserFormState.sign_out(AdminUserState.id)
    )
    allowed = (AdminUserState.sessions.length() > 0) & may(Permission.EDIT_USERS) & may_change(AdminUserState.is_owner)
    return _list("Sessions", AdminUserState.sessions, "Not signed in anywhere.", rx.cond(allowed, end))


def _found() -> rx.Component:
    return rx.fragment(
        heading(
            rx.el.span(
                AdminUserState.name,
                rx.el.span(active_badge(AdminUserState.is_banned), class_name="inline-flex font-sans"),
                class_name="flex flex-wrap items-center gap-3",
            ),
            _actions(),
            below=AdminUserState.subtitle,
        ),
        rx.cond(
            AdminUserState.is_banned,
            note(
                rx.el.p("Banned: ", AdminUserState.ban_reason, class_name="wrap-anywhere"),
                symbol="alert",
                variant="bad",
            ),
        ),
        rx.el.div(
            rx.el.div(
                fact_list_from_state(AdminUserState.facts, IN_PAIRS_ON_A_TABLET),
                _role(),
                _sessions(),
                class_name="grid min-w-0 content-start gap-4",
            ),
            rx.el.div(
                _list("Orders", AdminUserState.orders, "No orders yet."),
                _list("Support tickets", AdminUserState.tickets, "No tickets."),
                _list("Referrals made", AdminUserState.referrals, "Nobody has used their code."),
                _list("Credit statement", AdminUserState.credit, "No credit earned or spent."),
                class_name="grid min-w-0 content-start gap-4",
            ),
            class_name="grid gap-4 lg:grid-cols-[minmax(0,1fr)_minmax(0,1.4fr)]",
        ),
        user_dialogs(),
    )


def _missing() -> rx.Component:
    return rx.fragment(
        heading(USER_NOT_FOUND),
        empty_state(
            "users",
            "They may have been deleted, or the address may be mistyped.",
            button_link("All Users", href="/admin?tab=users", variant="outline"),
        ),
    )


def _failed() -> rx.Component:
    return rx.fragment(heading("User"), failed_state("This user could not be loaded.", AdminUserState.load))


def _skeleton() -> rx.Component:
    return rx.fragment(
        heading("User"),
        rx.el.div(
            skeleton_block("h-72 w-full"),
            skeleton_block("h-96 w-full"),
            class_name="grid gap-4 lg:grid-cols-2",
            aria_hidden="true",
        ),
    )


def admin_user() -> rx.Component:
    return admin_page(
        rx.match(AdminUserState.view, ("found", _found()), ("missing", _missing()), ("failed", _failed()), _skeleton()),
        current="users",
        breadcrumbs=[("Users", "/admin?tab=users")],
        name=rx.cond(AdminUserState.view == "found", AdminUserState.name, "User"),
    )
