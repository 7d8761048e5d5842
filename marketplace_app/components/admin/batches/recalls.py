"""`/admin/recalls` with its dialogs, and `/admin/recalls/[batch_id]`, the page of one recall."""

import reflex as rx

from marketplace_app import recall_messages
from marketplace_app.components.admin.list_panels import (
    LIST,
    ROW,
    confirmation_dialog,
    empty_note,
    form_dialog,
    list_panel,
)
from marketplace_app.components.admin.shell import heading, panel
from marketplace_app.components.controls.badges import status_badge
from marketplace_app.components.controls.buttons import button, button_class, pending_button
from marketplace_app.components.controls.facts import fact_list_from_state
from marketplace_app.components.controls.fields import labelled_select, text_field
from marketplace_app.components.controls.links import download_link, link
from marketplace_app.components.controls.notices import note
from marketplace_app.states.admin.batches.recall_form import DRILL_ID, AdminRecallFormState, BatchChoice
from marketplace_app.states.admin.batches.recalls import (
    AdminRecallsState,
    AdminRecallState,
    RecalledOrderRow,
    RecallRow,
)

_TITLE_CLASS = "inline-flex min-h-6 items-center font-semibold wrap-anywhere text-brand-text underline"
_FACTS_CLASS = "text-cap text-ink-2 tabular-nums wrap-anywhere"


def recalls() -> rx.Component:
    state, form_state = AdminRecallsState, AdminRecallFormState
    listed = rx.el.ul(rx.foreach(state.recalls, _recall), class_name=LIST, aria_label="Recalls")
    about = "A recalled batch is set aside for good. Its orders are not handed over, and its buyers get an email."
    none = empty_note(
        "No batch has been recalled yet. A drill shows how long a recall would take, and changes nothing."
    )
    return rx.fragment(
        heading(
            "Recalls",
            button("Drill", size="sm", variant="outline", on_click=form_state.open_form(True)),
            button("Recall a Batch", size="sm", variant="danger", on_click=form_state.open_form(False)),
            below=about,
        ),
        rx.cond(form_state.drill.length() > 0, _drill_result()),
        list_panel("recalls", "Recalled batches", state.is_loading, rx.cond(state.recalls.length() > 0, listed, none)),
        _find_dialog(),
        _batch_dialog(),
        _confirmation(),
    )


def _recall(row: rx.Var[RecallRow]) -> rx.Component:
    words = rx.el.div(
        link(row.what, href=row.href, class_name=_TITLE_CLASS),
        rx.el.p(row.facts, class_name=_FACTS_CLASS),
        rx.el.p(row.readers, class_name=_FACTS_CLASS),
        class_name="min-w-0 text-small",
    )
    return rx.el.li(words, status_badge(row.status, row.hue), key=row.id, class_name=ROW)


def _drill_result() -> rx.Component:
    state = AdminRecallFormState
    return panel(
        note(recall_messages.NOTHING_CHANGED, symbol="check", variant="info", role="status"),
        fact_list_from_state(state.drill),
        title=state.drill_title,
        id=DRILL_ID,
        tab_index=-1,
        aria_label="Drill",
        class_name="grid gap-3 p-4.5 outline-none",
    )


def _find_dialog() -> rx.Component:
    state = AdminRecallFormState
    hint = "The product's name, number or SKU, or the batch's code."
    return form_dialog(
        "Find a batch",
        rx.cond(state.is_drill, "Drill", "Recall a batch"),
        text_field("Product or batch", "text", state.errors["text"], hint, auto_complete="off"),
        submit_label="Find Batches",
        is_saving=state.is_saving,
        form_key=state.form_key,
        on_submit=state.find,
        open=state.view == "find",
        on_open_change=state.set_open,
    )


def _batch_dialog() -> rx.Component:
    state = AdminRecallFormState
    hint = "Customers will read this, for example: The laboratory found mould."
    reason = text_field("Reason", "reason", state.errors["reason"], hint, auto_complete="off")
    return form_dialog(
        "Batch",
        rx.cond(state.is_drill, "Drill", "Recall a batch"),
        _batch_select(),
        rx.cond(state.is_drill, rx.fragment(), reason),
        submit_label=rx.cond(state.is_drill, "Start Drill", "Continue"),
        is_saving=state.is_saving,
        form_key=state.form_key,
        on_submit=state.choose,
        open=state.view == "choose",
        on_open_change=state.set_open,
    )


def _batch_select() -> rx.Component:
    state = AdminRecallFormState
    return labelled_select(
        "Batch",
        "batch",
        rx.el.option("Choose a batch", value=""),
        rx.foreach(state.choices, _choice),
        error=state.errors["batchId"],
    )


def _choice(choice: rx.Var[BatchChoice]) -> rx.Component:
    return rx.el.option(choice.label, value=choice.id)


def _confirmation() -> rx.Component:
    state = AdminRecallFormState
    confirm = pending_button("Recall Batch", "Recalling...", state.is_saving, variant="danger", on_click=state.recall)
    return confirmation_dialog(
        rx.fragment("Recall ", state.batch, "?"),
        state.consequences,
        "Cancel",
        confirm,
        open=state.view == "ask",
        on_open_change=state.set_open,
    )


def recall() -> rx.Component:
    state = AdminRecallState
    export = download_link("CSV for the Regulator", state.export_href, button_class("outline", "sm"))
    listed = rx.fragment(
        rx.el.ul(rx.foreach(state.do_not_hand_over, _order), class_name=LIST, aria_label="Do not hand over"),
        rx.cond(state.more != "", empty_note(state.more)),
    )
    none = empty_note("Every order of this batch has ended.")
    return rx.fragment(
        heading(state.title, export, below=state.when),
        note(state.reason, symbol="alert", variant="bad"),
        fact_list_from_state(state.figures),
        list_panel(
            "do-not-hand-over",
            "Do not hand over",
            state.view == "loading",
            rx.cond(state.do_not_hand_over.length() > 0, listed, none),
        ),
    )


def _order(row: rx.Var[RecalledOrderRow]) -> rx.Component:
    words = rx.el.div(
        link(row.title, href=row.href, class_name=_TITLE_CLASS),
        rx.el.p(row.facts, class_name=_FACTS_CLASS),
        rx.el.p(row.notice, class_name=_FACTS_CLASS),
        class_name="min-w-0 text-small",
    )
    return rx.el.li(words, status_badge(row.status, row.hue), key=row.id, class_name=ROW)
