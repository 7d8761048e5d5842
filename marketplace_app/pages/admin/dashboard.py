"""`/admin`: overview, orders, users, invitations and support, each a tab in the URL."""

import reflex as rx

from marketplace_app.components.admin.invitations.invitations import invitations
from marketplace_app.components.admin.orders.orders import orders
from marketplace_app.components.admin.overview import overview
from marketplace_app.components.admin.shell import admin_page, heading, panel
from marketplace_app.components.admin.users.users import users
from marketplace_app.components.controls.buttons import button_class
from marketplace_app.components.controls.icons import icon
from marketplace_app.components.controls.links import document_link
from marketplace_app.states.admin.dashboard import DashboardState


def _support() -> rx.Component:
    """Static: tickets are answered on `/support`."""
    return rx.fragment(
        heading("Support tickets"),
        panel(
            rx.el.p(
                "Tickets are handled on the support page, where staff see every ticket and can filter by "
                "status, priority and category. Customers get your answers by email.",
                class_name="max-w-text text-ink-2",
            ),
            rx.el.p(
                document_link(
                    icon("support", "sm"),
                    "Open Support Tickets",
                    href="/support",
                    class_name=button_class("primary", "md"),
                    target="_blank",
                    rel="noopener",
                ),
                class_name="mt-4",
            ),
            class_name="p-5",
        ),
    )


def dashboard() -> rx.Component:
    shown = rx.match(
        DashboardState.tab,
        ("orders", orders()),
        ("users", users()),
        ("invitations", invitations()),
        ("support", _support()),
        overview(),
    )
    return admin_page(shown)
