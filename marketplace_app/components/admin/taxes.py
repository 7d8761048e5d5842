"""The overview's table of taxes, for the days that it is about."""

import reflex as rx

from marketplace_app.components.admin.shell import may, panel
from marketplace_app.components.controls.buttons import button_class
from marketplace_app.components.controls.links import download_link
from marketplace_app.models import Permission
from marketplace_app.states.admin.overview import AdminOverviewState
from marketplace_app.states.admin.overview_rows import TaxRow


def _tax(row: rx.Var[TaxRow]) -> rx.Component:
    return rx.el.tr(
        rx.el.th(row.month, scope="row", class_name="py-1.5 pr-3 text-left font-normal whitespace-nowrap"),
        rx.el.td(row.tax, class_name="w-full py-1.5 pr-3"),
        rx.el.td(row.base, class_name="py-1.5 pr-3 text-right"),
        rx.el.td(row.amount, class_name="py-1.5 text-right font-semibold"),
        key=row.key,
        class_name="border-t border-line align-top",
    )


def taxes() -> rx.Component:
    """Hidden if no order of those days has taxes."""
    head = ("Month", "text-left pr-3"), ("Tax", "text-left pr-3"), ("Base", "text-right pr-3"), ("Amount", "text-right")
    table = rx.el.table(
        rx.el.caption("Taxes", class_name="sr-only"),
        rx.el.thead(
            rx.el.tr(
                *[rx.el.th(word, scope="col", class_name=f"py-1 font-semibold {side}") for word, side in head],
                class_name="text-ink-2",
            )
        ),
        rx.el.tbody(rx.foreach(AdminOverviewState.taxes, _tax)),
        class_name="w-full border-collapse text-cap tabular-nums",
    )
    export = download_link("Export CSV", AdminOverviewState.taxes_href, button_class("outline", "sm"))
    shown = panel(
        rx.el.div(table, tab_index=0, role="region", aria_label="Taxes", class_name="max-h-72 overflow-auto"),
        title="Taxes",
        aside=rx.cond(may(Permission.EXPORT_ORDERS), export),
        class_name="grid content-start gap-3 p-4.5 lg:col-span-6",
    )
    return rx.cond(AdminOverviewState.taxes.length() > 0, shown)
