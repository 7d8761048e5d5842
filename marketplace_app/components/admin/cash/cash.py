"""`/admin/cash`: the cash in the shop, the drivers' shifts, and every movement."""

from typing import Any

import reflex as rx

from marketplace_app.components.admin.list_panels import LIST, ROW, empty_note, form_dialog, list_panel
from marketplace_app.components.admin.shell import heading
from marketplace_app.components.controls.badges import status_badge
from marketplace_app.components.controls.buttons import button
from marketplace_app.components.controls.fields import labelled_select, select_field, text_field
from marketplace_app.components.controls.links import link
from marketplace_app.components.controls.pagination import pagination
from marketplace_app.states.admin.cash.cash import AdminCashState, MovementRow, ShiftRow
from marketplace_app.states.admin.cash.cash_forms import KINDS, ON_SITE_ACCOUNTS, AdminCashFormsState, UserOption


def cash() -> rx.Component:
    state, forms = AdminCashState, AdminCashFormsState
    return rx.fragment(
        heading(
            "Cash",
            button("Count", size="sm", variant="outline", on_click=forms.open_form("count")),
            button("Move Cash", size="sm", variant="outline", on_click=forms.open_form("move")),
            button("Open Shift", size="sm", on_click=forms.open_form("shift")),
            below="From the door to the bank. What drivers carry is shown once it is counted.",
        ),
        rx.el.dl(
            _figure("Desk", state.desk),
            _figure("Safe", state.safe),
            _figure("Bank", state.bank),
            _figure("Over or short", state.variance),
            class_name="grid grid-cols-2 gap-3 lg:grid-cols-4",
        ),
        rx.el.div(
            _shifts(),
            _movements(),
            class_name="mt-4 grid items-start gap-4 xl:grid-cols-2",
        ),
        _shift_dialog(),
        _move_dialog(),
        _count_dialog(),
    )


def _figure(label: str, value: rx.Var[str]) -> rx.Component:
    return rx.el.div(
        rx.el.dt(label, class_name="text-cap text-ink-3"),
        rx.el.dd(value, class_name="min-h-7 font-serif text-h3 wrap-anywhere tabular-nums lining-nums"),
        class_name="min-w-0 rounded-3 border border-line bg-surface px-5 py-3.5",
    )


def _shifts() -> rx.Component:
    state = AdminCashState
    listed = rx.el.ul(
        rx.foreach(state.open_shifts, _shift),
        rx.foreach(state.closed_shifts, _shift),
        class_name=LIST,
        aria_label="Shifts",
    )
    is_empty = (state.open_shifts.length() == 0) & (state.closed_shifts.length() == 0)
    none = empty_note("No shifts yet. One begins when a run leaves, or when you open it.")
    return list_panel("shifts", "Shifts", state.is_loading, rx.cond(is_empty, none, listed))


def _shift(row: rx.Var[ShiftRow]) -> rx.Component:
    words = rx.el.div(
        link(
            row.driver,
            href=row.href,
            class_name="inline-flex min-h-6 items-center font-semibold wrap-anywhere text-brand-text underline",
        ),
        rx.el.p(row.facts, class_name="text-cap text-ink-2 tabular-nums wrap-anywhere"),
        class_name="min-w-0 text-small",
    )
    return rx.el.li(words, status_badge(row.status, row.hue), key=row.id, class_name=ROW)


def _movements() -> rx.Component:
    state = AdminCashState
    listed = rx.fragment(
        rx.el.ul(rx.foreach(state.movements, _movement), class_name=LIST, aria_label="Movements"),
        rx.cond(
            state.pages > 1,
            rx.el.div(
                rx.el.p(state.range_label, class_name="text-cap text-ink-3 tabular-nums"),
                pagination(state.page, state.pages, state.go_to, "Pages of movements", class_name=""),
                class_name="flex flex-wrap items-center justify-between gap-3 border-t border-line px-5 py-3",
            ),
        ),
    )
    none = empty_note("No cash has moved yet.")
    return list_panel("movements", "Movements", state.is_loading, rx.cond(state.movements.length() > 0, listed, none))


def _movement(row: rx.Var[MovementRow]) -> rx.Component:
    words = rx.el.div(
        rx.el.p(row.what, class_name="text-small wrap-anywhere"),
        rx.el.p(row.facts, class_name="text-cap text-ink-3 tabular-nums wrap-anywhere"),
        class_name="min-w-0",
    )
    amount = rx.el.p(row.amount, class_name="flex-none text-small font-semibold tabular-nums")
    return rx.el.li(words, amount, key=row.id, class_name=ROW)


def user_select(label: str, name: str, users: rx.Var[list[UserOption]], error: rx.Var[str], first: str) -> rx.Component:
    """`first` is the text of the first option, with which nobody is chosen."""
    options = rx.foreach(users, lambda user: rx.el.option(user.name, value=user.id))
    return labelled_select(label, name, rx.el.option(first, value=""), options, error=error)


def _amount(label: str, name: str, error: rx.Var[str], hint: str = "") -> rx.Component:
    return text_field(label, name, error, hint, input_mode="decimal", auto_complete="off")


def _dialog(form: str, label: str, title: str, *fields: Any, submit_label: str, on_submit: Any) -> rx.Component:
    """`form` is what `open_form` takes to open it; `label` is the accessible name."""
    state = AdminCashFormsState
    return form_dialog(
        label,
        title,
        *fields,
        submit_label=submit_label,
        is_saving=state.is_saving,
        form_key=state.form_key,
        on_submit=on_submit,
        open=state.form == form,
        on_open_change=state.set_open,
    )


def _shift_dialog() -> rx.Component:
    state = AdminCashFormsState
    return _dialog(
        "shift",
        "Shift",
        "Open a shift",
        user_select("Driver", "driver", state.drivers, state.errors["driverId"], "Choose a driver"),
        _amount(
            "Float, $", "float", state.errors["float"], "Cash that the driver begins with. Leave it empty for none."
        ),
        select_field("From", "source", ON_SITE_ACCOUNTS, state.errors["from"]),
        submit_label="Open Shift",
        on_submit=state.open_shift,
    )


def _move_dialog() -> rx.Component:
    state = AdminCashFormsState
    return _dialog(
        "move",
        "Move cash",
        "Move cash",
        select_field("Where", "kind", KINDS, state.errors["kind"]),
        _amount("Amount, $", "amount", state.errors["amount"]),
        text_field("Slip number", "slip", state.errors["slipNumber"], "From the bank, for a deposit or a withdrawal."),
        text_field("Note", "note", state.errors["note"]),
        user_select("Seen by", "witness", state.witnesses, state.errors["witnessId"], "Nobody"),
        submit_label="Move Cash",
        on_submit=state.move,
    )


def _count_dialog() -> rx.Component:
    state = AdminCashFormsState
    return _dialog(
        "count",
        "Count",
        "Count the desk or the safe",
        select_field("What", "account", ON_SITE_ACCOUNTS, state.errors["account"]),
        _amount("Counted, $", "counted", state.errors["counted"], "The ledger follows your count."),
        text_field("Why", "note", state.errors["note"], "Such as: opening balance."),
        user_select("Seen by", "witness", state.witnesses, state.errors["witnessId"], "Nobody"),
        submit_label="Save Count",
        on_submit=state.correct,
    )
