"""The account's list of saved products."""

import reflex as rx

from marketplace_app.components.controls.buttons import button, button_link
from marketplace_app.components.controls.links import link
from marketplace_app.components.controls.notices import empty_state
from marketplace_app.components.controls.pictures import thumbnail
from marketplace_app.components.controls.skeletons import orders_skeleton
from marketplace_app.components.products.product_card import card_add_button
from marketplace_app.states.buying.saved import LIST_ID, SavedRow, SavedState
from marketplace_app.states.events.viewer import ViewerState

NO_LONGER_SOLD = "No longer sold"


def _name(row: rx.Var[SavedRow]) -> rx.Component:
    return rx.cond(
        row.is_still_sold,
        link(row.name, href=row.href, class_name="font-semibold hover:underline"),
        rx.el.span(row.name, class_name="font-semibold text-ink-2"),
    )


def _row(row: rx.Var[SavedRow]) -> rx.Component:
    name_id = f"saved-{row.id}"
    availability = rx.cond(
        row.is_still_sold,
        rx.cond(row.in_stock, row.price, f"{row.price} · Out of Stock"),
        NO_LONGER_SOLD,
    )
    return rx.el.li(
        thumbnail(row.image, "w-16"),
        rx.el.div(
            rx.el.p(_name(row), id=name_id, class_name="wrap-anywhere"),
            rx.el.p(row.subtitle, class_name="text-cap text-ink-3"),
            rx.el.p(availability, class_name="text-small tabular-nums"),
            class_name="min-w-0 flex-1 basis-40",
        ),
        rx.el.div(
            rx.cond(
                row.is_still_sold & ViewerState.has_access,
                rx.el.span(card_add_button(row.id, row.in_stock, name_id), class_name="grid"),
            ),
            button(
                "Remove",
                variant="ghost",
                size="sm",
                aria_label=f"Remove {row.name}",
                on_click=SavedState.set_saved(row.id, False),
            ),
            class_name="flex flex-wrap items-center gap-2",
        ),
        key=row.id,
        class_name="flex flex-wrap items-center gap-3.5 border-b border-line py-4 first:pt-0",
    )


def _alert_row(row: rx.Var[SavedRow]) -> rx.Component:
    return rx.el.li(
        thumbnail(row.image, "w-16"),
        rx.el.div(
            rx.el.p(_name(row), class_name="wrap-anywhere"),
            rx.cond(~row.is_still_sold, rx.el.p(NO_LONGER_SOLD, class_name="text-small")),
            class_name="min-w-0 flex-1",
        ),
        button(
            "Stop",
            variant="ghost",
            size="sm",
            aria_label=f"Stop waiting for {row.name}",
            on_click=SavedState.cancel_alert(row.id),
        ),
        key=row.id,
        class_name="flex flex-wrap items-center gap-3.5 border-b border-line py-4",
    )


def saved_products() -> rx.Component:
    nothing = empty_state("heart", "Nothing saved yet.", button_link("Browse Products", href="/", variant="outline"))
    listed = rx.el.ul(rx.foreach(SavedState.rows, _row), aria_label="Saved products")
    shown = rx.cond(SavedState.is_loaded, rx.cond(SavedState.rows.length() > 0, listed, nothing), orders_skeleton())
    alerts = rx.el.section(
        rx.el.h2("We'll email you when these are back", class_name="mb-3 text-h3"),
        rx.el.ul(rx.foreach(SavedState.alerts, _alert_row), aria_label="Awaited products"),
        class_name="mt-8",
    )
    return rx.el.div(
        shown, rx.cond(SavedState.alerts.length() > 0, alerts), id=LIST_ID, tab_index=-1, class_name="outline-none"
    )
