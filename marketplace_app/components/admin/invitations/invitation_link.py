"""The link of an invitation that was just sent, and the button that copies it."""

from typing import Any

import reflex as rx

from marketplace_app.components.controls.buttons import button
from marketplace_app.components.controls.icons import icon
from marketplace_app.messages import COPIED, COPY_FAILED
from marketplace_app.states.admin.invitations.invitations import AdminInvitationsState


def copy_button(url: rx.Var[str], label: Any) -> rx.Component:
    """`assets/session.js` copies the link and shows a toast."""
    return button(
        icon("copy", "sm"),
        "Copy Link",
        variant="outline",
        size="sm",
        aria_label=label,
        data_copy=url,
        data_copied=COPIED.title,
        data_failed=COPY_FAILED.title,
        data_failed_text=COPY_FAILED.text,
    )


def sent_link() -> rx.Component:
    box = rx.el.section(
        rx.el.p(
            "The link for ",
            rx.el.b(AdminInvitationsState.link_for, class_name="font-semibold wrap-anywhere"),
            ". It is shown only once, because the code is not stored.",
        ),
        rx.el.div(
            rx.el.code(AdminInvitationsState.link, class_name="min-w-0 flex-1 text-cap break-all"),
            copy_button(AdminInvitationsState.link, "Copy Link"),
            class_name="mt-2 flex flex-wrap items-center gap-3",
        ),
        aria_label="Invitation link",
        class_name="rounded-2 bg-wash px-4 py-3 text-small",
    )
    return rx.cond(AdminInvitationsState.link != "", box)
