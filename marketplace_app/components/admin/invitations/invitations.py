"""The invitations tab, and the page `/admin/invitations`: a form that sends an invitation, and the list of all."""

import reflex as rx

from marketplace_app.components.admin.invitations.invitation_file import file_dialog
from marketplace_app.components.admin.invitations.invitation_link import sent_link
from marketplace_app.components.admin.shell import heading, may, panel
from marketplace_app.components.admin.table import row_button, search_box, table_footer, table_states, toolbar
from marketplace_app.components.controls.badges import badge
from marketplace_app.components.controls.buttons import pending_button
from marketplace_app.components.controls.fields import form_key_field, text_area, text_field
from marketplace_app.limits import MAX_EMAIL, MAX_INVITATION_NOTES, MAX_NAME
from marketplace_app.models import Permission
from marketplace_app.states.admin.invitations.invitations import AdminInvitationsState, ListedInvitation


def _error(name: str) -> rx.Var[str]:
    return AdminInvitationsState.errors[name]


def _form() -> rx.Component:
    fields = rx.el.div(
        text_field(
            "Email", "email", _error("email"), type="email", required=True, max_length=MAX_EMAIL, auto_complete="off"
        ),
        rx.el.div(
            text_field("First name", "firstName", _error("firstName"), max_length=MAX_NAME, auto_complete="off"),
            text_field("Last name", "lastName", _error("lastName"), max_length=MAX_NAME, auto_complete="off"),
            class_name="grid gap-4 sm:grid-cols-2 lg:grid-cols-1 xl:grid-cols-2",
        ),
        text_area(
            "Notes", "notes", _error("notes"), hint="Only staff see this.", rows=2, max_length=MAX_INVITATION_NOTES
        ),
        class_name="grid gap-4",
    )
    form = rx.el.form(
        fields,
        rx.el.div(
            pending_button("Send Invitation", "Sending...", AdminInvitationsState.is_sending, type="submit"),
            class_name="mt-4",
        ),
        form_key_field(AdminInvitationsState.form_key),
        on_submit=AdminInvitationsState.send,
        no_validate=True,
        key=AdminInvitationsState.form_key,
        class_name="mt-3",
    )
    return panel(form, sent_link(), title="Send an invitation", class_name="grid content-start gap-3 p-5")


def _actions(row: rx.Var[ListedInvitation]) -> rx.Component:
    return rx.cond(
        row.is_pending & may(Permission.SEND_INVITATIONS),
        rx.el.span(
            row_button("send", f"Resend to {row.email}", on_click=AdminInvitationsState.resend(row.id)),
            row_button("ban", f"Revoke invitation for {row.email}", on_click=AdminInvitationsState.revoke(row.id)),
            class_name="flex flex-none",
        ),
    )


def _row(row: rx.Var[ListedInvitation]) -> rx.Component:
    return rx.el.li(
        rx.el.div(
            rx.el.p(
                rx.el.b(row.email, title=row.email, class_name="block truncate font-semibold"),
                rx.cond(row.name != "", rx.el.span(row.name, class_name="text-ink-2")),
                class_name="flex flex-wrap gap-x-2.5",
            ),
            rx.el.p(row.subtitle, class_name="text-cap text-ink-3 tabular-nums"),
            rx.cond(row.notes != "", rx.el.p(row.notes, class_name="text-cap text-ink-2 wrap-anywhere")),
            class_name="min-w-0 flex-1",
        ),
        badge(row.status_label, row.status_hue),
        _actions(row),
        key=row.id,
        class_name="flex items-center gap-3 border-b border-line px-3.5 py-2 last:border-b-0",
    )


def _list() -> rx.Component:
    rows = rx.el.div(
        rx.el.ul(rx.foreach(AdminInvitationsState.invitations, _row), aria_label="Recent invitations"),
        tab_index=0,
        role="region",
        aria_label="Invitations",
        class_name="h-120 overflow-y-auto focus-visible:-outline-offset-2",
    )
    return panel(
        toolbar(
            search_box(
                "admin-search",
                "Search invitations",
                "Email",
                AdminInvitationsState.search_text,
                AdminInvitationsState.search,
            ),
            count_label=AdminInvitationsState.count_label,
        ),
        table_states(
            AdminInvitationsState.is_loading,
            AdminInvitationsState.invitations.length(),
            rows,
            nothing=rx.cond(AdminInvitationsState.search_text == "", "No invitations yet.", "No invitations match."),
            symbol="mail",
        ),
        table_footer(
            AdminInvitationsState.range_label,
            AdminInvitationsState.page,
            AdminInvitationsState.pages,
            AdminInvitationsState.go_to,
        ),
    )


def invitations() -> rx.Component:
    can_send = may(Permission.SEND_INVITATIONS)
    return rx.fragment(
        heading("Invitations", rx.cond(can_send, file_dialog())),
        rx.el.div(
            rx.cond(can_send, _form()),
            rx.el.div(_list(), class_name="min-w-0 flex-1"),
            class_name="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_minmax(0,1.6fr)]",
        ),
    )
