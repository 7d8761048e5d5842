"""The batches of a product, below its form."""

import reflex as rx

from marketplace_app.components.admin.batches.batch_dialogs import batch_form_dialog, batch_step_dialog
from marketplace_app.components.admin.shell import may, panel
from marketplace_app.components.admin.table import Column, cell, data_table, row_button, table_row
from marketplace_app.components.controls.badges import badge
from marketplace_app.components.controls.buttons import button
from marketplace_app.components.controls.pagination import pagination
from marketplace_app.models import Permission
from marketplace_app.states.admin.batches.batch_form import AdminBatchFormState
from marketplace_app.states.admin.batches.batch_steps import AdminBatchStepState
from marketplace_app.states.admin.batches.batches import AdminBatchesState, BatchRow

_MAY_EDIT = may(Permission.EDIT_BATCHES)
COLUMNS = (
    Column("Batch"),
    Column("Last day"),
    Column("State"),
    Column("For sale", is_number=True),
    Column("Set aside", is_number=True),
)


def batches() -> rx.Component:
    """Everybody who may see products sees the list; the buttons are for those who may keep batches."""
    state = AdminBatchesState
    nothing = rx.el.p(
        "None: this product is sold by its count alone. With the first batch, what is in stock goes into a batch"
        " called “Unknown”, and the count follows the batches.",
        class_name="max-w-measure px-5 pb-5 text-small text-ink-2",
    )
    table = rx.cond(
        _MAY_EDIT,
        data_table("Batches", (*COLUMNS, Column("")), state.rows, lambda row: _row(row, _actions(row))),
        data_table("Batches", COLUMNS, state.rows, _row),
    )
    pages = rx.el.div(
        pagination(state.page, state.pages, state.go_to, "Pages of batches", class_name=""),
        class_name="flex justify-end border-t border-line p-2",
    )
    return panel(
        rx.cond(state.total > 0, rx.fragment(table, rx.cond(state.pages > 1, pages)), nothing),
        rx.cond(_MAY_EDIT, rx.fragment(batch_form_dialog(), batch_step_dialog())),
        title="Batches",
        aside=rx.cond(_MAY_EDIT, button("Receive Batch", size="sm", on_click=AdminBatchFormState.open_new)),
        class_name="[&>div:first-child]:p-5",
    )


def _row(row: rx.Var[BatchRow], *actions: rx.Component) -> rx.Component:
    def units(number: rx.Var[str], word: str) -> rx.Component:
        return rx.fragment(number, rx.el.span(" ", word, class_name="text-ink-3 md:hidden"))

    why = rx.cond(row.why != "", rx.el.p(row.why, class_name="text-cap text-ink-3 wrap-anywhere"))
    return table_row(
        cell(rx.el.p(row.code, class_name="font-semibold wrap-anywhere"), why, narrow="first"),
        cell(row.expires, narrow="second", class_name="whitespace-nowrap text-ink-2"),
        cell(badge(row.state, row.hue), narrow="badge"),
        cell(units(row.units, "for sale"), narrow="figure", is_number=True, class_name="font-semibold"),
        cell(units(row.set_aside, "set aside"), narrow="third", class_name="text-ink-2 tabular-nums md:text-right"),
        *actions,
        key=row.id,
    )


def _actions(row: rx.Var[BatchRow]) -> rx.Component:
    ask = AdminBatchStepState.ask
    hold = rx.cond(
        row.is_held,
        row_button("play", f"Release {row.code}", on_click=ask("release", row.id)),
        row_button("pause", f"Hold {row.code}", on_click=ask("hold", row.id)),
    )
    return cell(
        rx.el.span(
            row_button("pen", f"Edit {row.code}", on_click=AdminBatchFormState.edit(row.id)),
            row_button("sliders", f"Adjust units of {row.code}", on_click=ask("units", row.id)),
            rx.cond(row.is_recalled, rx.fragment(), hold),
            class_name="inline-flex",
        ),
        narrow="actions",
        is_number=True,
    )
