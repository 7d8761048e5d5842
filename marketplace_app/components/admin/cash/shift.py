"""`/admin/shifts/[shift_id]`: staff count a driver's cash without seeing what is expected, and take it in."""

from typing import Any

import reflex as rx

from marketplace_app import cash_messages
from marketplace_app.cash import DENOMINATIONS, face
from marketplace_app.components.admin.cash.cash import user_select
from marketplace_app.components.admin.shell import heading, panel
from marketplace_app.components.controls.badges import status_badge
from marketplace_app.components.controls.buttons import pending_button
from marketplace_app.components.controls.fields import form_key_field, text_field
from marketplace_app.components.controls.notices import note
from marketplace_app.states.admin.cash.shift import RESULT_ID, AdminShiftState

_IS_COUNTING = (AdminShiftState.shift_state == "open") | (AdminShiftState.shift_state == "recount")
_LINE = "text-small text-ink-2 tabular-nums wrap-anywhere"


def shift() -> rx.Component:
    state = AdminShiftState
    title = rx.el.span(
        state.driver,
        rx.el.span(status_badge(state.status, state.hue), class_name="font-sans"),
        class_name="flex flex-wrap items-center gap-3",
    )
    return rx.fragment(
        heading(title),
        rx.el.ul(rx.foreach(state.facts, _line), class_name="grid gap-0.5"),
        rx.el.div(
            rx.el.div(
                rx.cond(state.failure != "", note(state.failure, symbol="alert")),
                rx.cond(state.shift_state == "recount", note(cash_messages.RECOUNT_NEEDED, symbol="alert")),
                role="status",
                class_name="mt-3 grid max-w-130 gap-3 empty:hidden",
            ),
            rx.cond(_IS_COUNTING, rx.fragment(), _counts()),
            id=RESULT_ID,
            tab_index=-1,
            class_name="outline-none",
        ),
        rx.match(
            state.shift_state,
            ("open", _count_form()),
            ("recount", _count_form()),
            ("agrees", _close_form()),
            ("differs", _close_form(_explanation())),
            rx.fragment(),
        ),
    )


def _line(text: rx.Var[str]) -> rx.Component:
    return rx.el.li(text, key=text, class_name=_LINE)


def _box(*children: Any, title: str) -> rx.Component:
    return panel(
        *children,
        title=rx.el.span(title, class_name="block px-5 pt-4 pb-2.5"),
        class_name="mt-4 max-w-130",
    )


def _form(*fields: Any, submit_label: str, name: str, on_submit: Any) -> rx.Component:
    state = AdminShiftState
    return rx.el.form(
        *fields,
        rx.el.div(pending_button(submit_label, "Saving...", state.is_saving, type="submit")),
        form_key_field(state.form_key),
        on_submit=on_submit,
        no_validate=True,
        key=f"{name}-{state.form_key}",
        aria_label=name,
        class_name="grid gap-4 border-t border-line p-5",
    )


def _count_form() -> rx.Component:
    fields = [
        text_field(
            face(value),
            f"pieces_{value}",
            AdminShiftState.errors[f"pieces.{value}"],
            input_mode="numeric",
            auto_complete="off",
            placeholder="0",
        )
        for value in DENOMINATIONS
    ]
    return _box(
        _form(
            rx.el.p("How many of each bill and coin?", class_name="text-small text-ink-2"),
            rx.el.div(*fields, class_name="grid grid-cols-2 gap-3 sm:grid-cols-3"),
            submit_label="Save Count",
            name="Count",
            on_submit=AdminShiftState.count,
        ),
        title="Count the cash",
    )


def _explanation() -> rx.Component:
    state = AdminShiftState
    return rx.fragment(
        text_field("Why does it differ?", "reason", state.errors["reason"]),
        user_select("Seen by", "witness", state.witnesses, state.errors["witnessId"], "Choose a colleague"),
    )


def _close_form(*fields: Any) -> rx.Component:
    return _box(
        _form(*fields, submit_label="Close Shift", name="Close", on_submit=AdminShiftState.close),
        title="Hand in at the desk",
    )


def _counts() -> rx.Component:
    state = AdminShiftState
    return _box(
        rx.el.div(
            rx.el.p(state.result, class_name="text-small font-semibold tabular-nums"),
            rx.el.ul(rx.foreach(state.counts, _line), class_name="grid gap-1"),
            class_name="grid gap-2 border-t border-line p-5",
        ),
        title="Counts",
    )
