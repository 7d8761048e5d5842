"""The packing slip of an order (RULE packing-slip)."""

import reflex as rx

from marketplace_app.components.controls.facts import fact_list_from_state
from marketplace_app.config import get_settings
from marketplace_app.states.admin.orders.order import AdminOrderItem, AdminOrderState, BatchLine
from marketplace_app.states.buying.cart import QuoteRow

_FOOT = "flex items-baseline justify-between gap-4 border-y border-ink py-3 text-body font-semibold"


def order_slip() -> rx.Component:
    """Without prices, except the cash to collect and the taxes in it, which some laws require on a packing slip."""
    return rx.fragment(
        rx.el.header(
            rx.el.p(get_settings().store_name, class_name="font-serif text-h3"),
            rx.el.div(
                rx.el.h1("Packing slip", class_name="text-h2"),
                rx.el.p(AdminOrderState.title, class_name="font-semibold"),
                rx.el.p(AdminOrderState.placed, class_name="text-cap text-ink-2"),
                class_name="text-right",
            ),
            class_name="flex flex-wrap items-start justify-between gap-4",
        ),
        rx.el.div(
            rx.el.p(AdminOrderState.customer, class_name="text-body font-semibold wrap-anywhere"),
            fact_list_from_state(AdminOrderState.facts),
            class_name="grid gap-2",
        ),
        _products(),
        rx.cond(AdminOrderState.taxes.length() > 0, _taxes()),
        _foot(),
    )


def _batch(batch: rx.Var[BatchLine]) -> rx.Component:
    return rx.el.li(batch.text, rx.cond(batch.state != "", f" · {batch.state}", ""), key=batch.batch_id)


def _row(item: rx.Var[AdminOrderItem]) -> rx.Component:
    batches = rx.el.ul(
        rx.foreach(item.batches, _batch),
        aria_label=f"Batches of {item.name}",
        class_name="mt-0.5 text-cap text-ink-2 tabular-nums",
    )
    return rx.el.tr(
        rx.el.td(item.quantity, class_name="py-2 pr-4 text-right font-semibold tabular-nums"),
        rx.el.td(item.name, rx.cond(item.batches.length() > 0, batches), class_name="w-full py-2 wrap-anywhere"),
        rx.el.td(
            rx.el.span(class_name="inline-block size-4 border border-ink", aria_hidden="true"), class_name="py-2 pl-4"
        ),
        key=item.product_id,
        class_name="border-b border-line align-top",
    )


def _products() -> rx.Component:
    head = ("Quantity", "text-right pr-4"), ("Product", "text-left"), ("Packed", "text-right")
    return rx.el.table(
        rx.el.caption("Products", class_name="sr-only"),
        rx.el.thead(
            rx.el.tr(
                *[rx.el.th(word, scope="col", class_name=f"py-1.5 font-semibold {side}") for word, side in head],
                class_name="border-b border-ink text-cap",
            )
        ),
        rx.el.tbody(rx.foreach(AdminOrderState.items, _row)),
        class_name="w-full border-collapse text-body",
    )


def _tax(line: rx.Var[QuoteRow]) -> rx.Component:
    return rx.el.li(
        rx.el.span(line.label),
        rx.cond(line.is_note, rx.fragment(), rx.el.span(line.amount)),
        class_name="flex justify-between gap-4 tabular-nums",
    )


def _taxes() -> rx.Component:
    return rx.el.ul(rx.foreach(AdminOrderState.taxes, _tax), aria_label="Taxes", class_name="grid gap-1")


def _foot() -> rx.Component:
    cash = rx.el.p(
        "Cash to collect",
        rx.el.b(AdminOrderState.total, class_name="font-serif text-h2 font-medium tabular-nums"),
        class_name=_FOOT,
    )
    stopped = rx.el.p("A batch was recalled. Do not hand over.", class_name=_FOOT)
    return rx.cond(
        AdminOrderState.is_cancelled,
        rx.el.p("Cancelled. Do not deliver.", class_name=_FOOT),
        rx.cond(AdminOrderState.recalls.length() > 0, stopped, cash),
    )
