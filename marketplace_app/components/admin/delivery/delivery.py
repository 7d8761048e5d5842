"""`/admin/delivery`: zones with their ZIP codes, the week's windows, and closed days."""

import reflex as rx

from marketplace_app.components.admin.delivery.closures import closures
from marketplace_app.components.admin.delivery.windows import windows
from marketplace_app.components.admin.delivery.zones import zones
from marketplace_app.components.admin.shell import heading


def delivery() -> rx.Component:
    return rx.fragment(
        heading("Delivery", below="Where you deliver and when. Without zones, you deliver everywhere for one fee."),
        rx.el.div(
            zones(),
            rx.el.div(windows(), closures(), class_name="grid min-w-0 gap-4"),
            class_name="grid items-start gap-4 xl:grid-cols-2",
        ),
    )
