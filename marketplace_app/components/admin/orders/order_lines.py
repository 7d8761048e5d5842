"""The products of an order on its admin page, with the batches they are packed from (RULE batch-swap)."""

import reflex as rx

from marketplace_app.components.admin.shell import may, panel
from marketplace_app.components.buying.quote import totals
from marketplace_app.components.controls.badges import status_badge
from marketplace_app.components.controls.buttons import button, pending_button
from marketplace_app.components.controls.choices import CHOICES, choice_row
from marketplace_app.components.controls.dialogs import dialog, dialog_footer, dialog_header
from marketplace_app.components.controls.links import link
from marketplace_app.components.controls.notices import note
from marketplace_app.components.controls.pictures import thumbnail
from marketplace_app.models import Permission
from marketplace_app.states.admin.orders.order import AdminOrderItem, AdminOrderState, BatchLine
from marketplace_app.states.admin.orders.order_batches import AdminOrderBatchState, ChoiceRow


def order_lines() -> rx.Component:
    state = AdminOrderState
    return panel(
        rx.el.ul(rx.foreach(state.items, _item), aria_label="Products"),
        rx.cond(state.wish != "", rx.el.p(state.wish, class_name="border-t border-line pt-3.5 text-small text-ink-2")),
        rx.el.div(
            totals(state.lines, "Total", state.total, has_reasons=True), class_name="border-t border-line pt-3.5"
        ),
        title="Products",
        aside=rx.el.span(state.pieces, class_name="text-cap text-ink-3"),
        class_name="grid content-start gap-2.5 p-4.5",
    )


def _item(item: rx.Var[AdminOrderItem]) -> rx.Component:
    line = rx.el.div(
        thumbnail(item.image, "w-10"),
        link(item.name, href=item.href, class_name="min-w-0 flex-1 font-semibold wrap-anywhere hover:underline"),
        rx.el.span(f"× {item.quantity}", class_name="text-ink-2 tabular-nums"),
        rx.el.span(item.total, class_name="min-w-20 text-right tabular-nums"),
        class_name="flex items-center gap-3",
    )
    batches = rx.el.ul(
        rx.foreach(item.batches, lambda batch: _batch(item, batch)),
        aria_label=f"Batches of {item.name}",
        class_name="mt-1.5 grid gap-1.5",
    )
    asked = rx.el.ul(
        rx.foreach(item.questions, lambda sentence: rx.el.li(sentence, key=sentence)),
        aria_label=f"Questions about {item.name}",
        class_name="mt-1.5 grid gap-0.5 text-small text-ink-2 tabular-nums wrap-anywhere",
    )
    return rx.el.li(
        line,
        rx.cond(item.batches.length() > 0, batches),
        rx.cond(item.questions.length() > 0, asked),
        key=item.product_id,
        class_name="border-t border-line py-2",
    )


def _batch(item: rx.Var[AdminOrderItem], batch: rx.Var[BatchLine]) -> rx.Component:
    change = button(
        "Change Batch",
        variant="outline",
        size="sm",
        aria_label=f"Change Batch {batch.code}",
        on_click=AdminOrderBatchState.open(item.product_id, batch.batch_id),
    )
    return rx.el.li(
        rx.el.span(batch.text, class_name="min-w-0 flex-1 basis-40 wrap-anywhere"),
        rx.cond(batch.state != "", status_badge(batch.state, batch.hue)),
        rx.cond(AdminOrderState.can_change_batch & may(Permission.EDIT_ORDERS), change),
        key=batch.batch_id,
        class_name="flex flex-wrap items-center gap-x-3 gap-y-1.5 text-small text-ink-2 tabular-nums",
    )


def batch_dialog() -> rx.Component:
    state = AdminOrderBatchState
    head = dialog_header(state.title)
    rows = rx.el.fieldset(
        rx.el.legend("Choose a batch", class_name="sr-only"),
        rx.el.div(rx.foreach(state.choices, _choice), class_name=CHOICES),
        class_name="min-w-0",
    )
    none = rx.el.p("No other batch for sale has enough units.", class_name="text-ui text-ink-2")
    body = rx.el.div(
        rx.el.div(
            rx.el.p(state.current, class_name="tabular-nums wrap-anywhere"),
            rx.el.p(state.wish),
            class_name="grid gap-1 text-small text-ink-2",
        ),
        rx.cond(state.notice != "", rx.el.div(note(state.notice, symbol="alert"), role="alert")),
        rx.cond(state.choices.length() > 0, rows, none),
        class_name="scrollbar-thin grid min-h-0 flex-1 content-start gap-4 overflow-y-auto p-4 sm:p-5",
    )
    foot = dialog_footer(
        "Keep Batch",
        pending_button(
            rx.cond(state.asks, "Ask Customer", "Change Batch"),
            "Saving...",
            state.is_saving,
            disabled=state.chosen == "",
            on_click=state.save,
        ),
    )
    is_open = state.is_open & (state.order_id == AdminOrderState.id)
    return dialog(head, body, foot, open=is_open, on_open_change=state.set_open)


def _choice(choice: rx.Var[ChoiceRow]) -> rx.Component:
    return choice_row(
        choice.text,
        rx.el.span(choice.note, class_name="text-cap text-ink-3 tabular-nums"),
        key=choice.key,
        name="other-batch",
        checked=AdminOrderBatchState.chosen == choice.key,
        on_change=AdminOrderBatchState.choose(choice.key),
    )
