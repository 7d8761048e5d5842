"""A product's stock: the count, a correction with its reason, and the ledger that adds up to it."""

import reflex as rx

from marketplace_app.components.admin.products.products import stock_mark
from marketplace_app.components.admin.shell import may, panel
from marketplace_app.components.admin.table import Column, cell, data_table, table_row
from marketplace_app.components.controls.buttons import pending_button
from marketplace_app.components.controls.fields import form_key_field, text_field
from marketplace_app.components.controls.links import link
from marketplace_app.components.controls.pagination import pagination
from marketplace_app.models import Permission
from marketplace_app.services.stock import StockInBatches
from marketplace_app.states.admin.batches.batches import AdminBatchesState
from marketplace_app.states.admin.products.product_stock import AdminStockState, LedgerRow

COLUMNS = (
    Column("When"),
    Column("What"),
    Column("Why"),
    Column("Change", is_number=True),
    Column("Left", is_number=True),
)


def _row(row: rx.Var[LedgerRow]) -> rx.Component:
    why = rx.cond(row.href != "", link(row.why, href=row.href, class_name="hover:underline"), rx.el.span(row.why))
    change = rx.el.span(row.change, class_name=rx.cond(row.is_decrease, "text-ink", "text-ok"))
    return table_row(
        cell(row.at, narrow="third", class_name="whitespace-nowrap text-ink-2 max-md:text-ink-3"),
        cell(row.what, narrow="first"),
        cell(why, narrow="second", class_name="text-ink-2 wrap-anywhere"),
        cell(change, narrow="figure", is_number=True, class_name="font-semibold"),
        cell(row.stock_after, narrow="badge", is_number=True, class_name="text-ink-2"),
        key=row.id,
    )


def _adjustment_form() -> rx.Component:
    return rx.el.form(
        text_field("Change", "change", AdminStockState.errors["change"], placeholder="-2", auto_complete="off"),
        text_field("Reason", "note", AdminStockState.errors["note"], placeholder="Broken jar", max_length=200),
        rx.el.div(
            pending_button(
                "Adjust Stock", "Saving...", AdminStockState.is_saving, variant="outline", size="sm", type="submit"
            ),
            class_name="sm:pt-6.75",
        ),
        form_key_field(AdminStockState.form_key),
        on_submit=AdminStockState.adjust,
        no_validate=True,
        key=AdminStockState.form_key.to_string(),
        aria_label="Adjust stock",
        class_name="grid items-start gap-4 p-5 pt-0 sm:grid-cols-[7rem_minmax(0,1fr)_auto]",
    )


def _note_on_batches() -> rx.Component:
    """In place of the form: the stock of a product with batches is corrected in its batches."""
    return rx.el.p(StockInBatches.message, class_name="max-w-measure px-5 pb-5 text-small text-ink-2")


def stock_ledger() -> rx.Component:
    now = rx.el.p("Now ", stock_mark(AdminStockState.stock, AdminStockState.is_low), class_name="text-small")
    return panel(
        rx.cond(
            may(Permission.EDIT_PRODUCTS), rx.cond(AdminBatchesState.total > 0, _note_on_batches(), _adjustment_form())
        ),
        data_table("Stock movements", COLUMNS, AdminStockState.rows, _row),
        rx.cond(
            AdminStockState.pages > 1,
            rx.el.div(
                pagination(
                    AdminStockState.page,
                    AdminStockState.pages,
                    AdminStockState.go_to,
                    "Pages of the ledger",
                    class_name="",
                ),
                class_name="flex justify-end border-t border-line p-2",
            ),
        ),
        title="Stock ledger",
        aside=now,
        class_name="[&>div:first-child]:p-5",
    )
