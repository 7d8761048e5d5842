"""Options to announce new orders by a sound or a notification; `assets/admin.js` implements them."""

import reflex as rx

from marketplace_app.components.admin.shell import may
from marketplace_app.components.controls.fields import checkbox_input
from marketplace_app.models import Permission


def new_order_choices() -> rx.Component:
    """Stored in this browser; both are off by default."""
    refused = rx.el.span(
        "Your browser does not allow notifications from this site. Allow them in its settings first.",
        role="status",
        hidden=True,
        custom_attrs={"data-new-order-refused": ""},
        class_name="text-warn",
    )
    choices = rx.el.div(
        rx.el.span("For new orders in this browser:", class_name="text-ink-2"),
        _choice("sound", "Play a sound"),
        _choice("notification", "Show a notification"),
        refused,
        role="group",
        aria_label="New orders",
        class_name="flex flex-wrap items-center gap-x-4 gap-y-1 text-cap",
    )
    return rx.cond(may(Permission.SEE_ORDERS), choices)


def _choice(kind: str, label: str) -> rx.Component:
    return rx.el.label(
        checkbox_input(custom_attrs={"data-new-order": kind}),
        label,
        class_name="inline-flex min-h-(--tap) items-center gap-2",
    )
