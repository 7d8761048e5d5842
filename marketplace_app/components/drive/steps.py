"""What a driver does at a door, a form for each step, in the order of RULE door."""

from typing import Any, Literal

import reflex as rx

from marketplace_app.components.controls.icons import icon
from marketplace_app.components.drive.parts import BOX, big_button, choice, field_text, message, step_heading
from marketplace_app.limits import MAX_STOP_NOTE
from marketplace_app.models import StopEventKind
from marketplace_app.services.dispatch.failures import RULES

QUESTIONS = (
    ("ofAge", "21 or older?"),
    ("nameMatches", "Does the name match?"),
    ("notExpired", "Still valid, not expired?"),
)


def steps() -> rx.Component:
    return rx.el.div(
        rx.el.p(field_text("progress"), class_name="text-small font-semibold text-ink-2", data_part="progress"),
        message(),
        _step(StopEventKind.ARRIVED, "Go to the door", big_button("I'm here", type="submit")),
        _step(
            StopEventKind.ID_CHECKED,
            "Look at the ID",
            *[_question(name, text) for name, text in QUESTIONS],
            big_button("ID Checked", type="submit"),
        ),
        _step(StopEventKind.PIN_ENTERED, "Ask for the door PIN", _pin(), big_button("Check PIN", type="submit")),
        _step(
            StopEventKind.CASH_COUNTED,
            rx.fragment("Collect ", field_text("cash", "whitespace-nowrap")),
            _cash(),
            big_button("Cash Counted", type="submit"),
        ),
        _step(StopEventKind.SIGNED, "Ask for a signature", _signature(), big_button("Signed", type="submit")),
        _step(
            StopEventKind.BAG_PLACED,
            "Place the bag, and step back",
            rx.el.p("When they have it, the order is delivered.", class_name="text-lead text-ink-2"),
            big_button("Bag Placed", type="submit"),
        ),
        rx.el.p(
            icon("clock", class_name="mt-1"),
            "Checking the PIN...",
            data_part="checking",
            tab_index=-1,
            hidden=True,
            class_name="flex gap-3 text-lead",
        ),
        _failure(),
        big_button("Couldn't Deliver", variant="danger", data_act="fail"),
        data_part="steps",
        class_name="grid gap-5",
    )


def _step(kind: StopEventKind, heading: Any, *controls: rx.Component) -> rx.Component:
    return rx.el.form(
        step_heading(heading),
        *controls,
        data_step=kind.value,
        no_validate=True,  # `assets/drive.js` says what is missing, in the page's own words
        auto_complete="off",
        hidden=True,
        class_name="grid gap-5",
    )


def _question(name: str, text: str) -> rx.Component:
    return rx.el.fieldset(
        rx.el.legend(text, class_name="mb-2 text-lead font-semibold"),
        rx.el.div(choice(name, "yes", "Yes"), choice(name, "no", "No"), class_name="grid grid-cols-2 gap-3"),
    )


def _number(label: str, name: str, mode: Literal["numeric", "decimal"], length: int) -> rx.Component:
    return rx.el.label(
        label,
        rx.el.input(
            name=name,
            input_mode=mode,
            max_length=length,
            auto_complete="off",
            class_name=f"{BOX} mt-2 text-center text-title tracking-widest",
        ),
        class_name="block text-lead font-semibold",
    )


def _pin() -> rx.Component:
    return _number("Four digits, from the customer's order", "pin", "numeric", 4)


def _cash() -> rx.Component:
    return rx.fragment(
        rx.el.p(field_text("paymentInstructions"), data_hide_if_empty="paymentInstructions", class_name="text-lead"),
        rx.el.div(_number("Cash counted", "counted", "decimal", 9), data_part="counted"),
        rx.el.div(_change_as_credit(), data_part="change-as-credit"),
    )


def _change_as_credit() -> rx.Component:
    """Shown while the shop offers it (RULE change-as-credit)."""
    return rx.el.label(
        rx.el.input(type="checkbox", name="changeAsCredit", class_name="size-6 flex-none accent-brand"),
        "The customer gets the change as store credit",
        class_name="flex min-h-14 items-center gap-3 rounded-3 border border-line-strong px-4 text-lead",
    )


def _signature() -> rx.Component:
    """Drawn with a finger: `assets/drive.js` makes the path of it."""
    return rx.el.div(
        rx.el.svg(
            rx.el.path(d="", class_name="fill-none stroke-ink stroke-2"),
            view_box="0 0 300 120",
            role="img",
            aria_label="Field for the signature",
            data_part="pad",
            class_name="aspect-5/2 w-full touch-none rounded-3 border border-line-strong bg-surface",
        ),
        big_button("Clear", variant="outline", data_act="clear"),
        class_name="grid gap-3",
    )


def _failure() -> rx.Component:
    return rx.el.form(
        step_heading("Why couldn't you deliver?"),
        rx.el.fieldset(
            rx.el.legend("Reason", class_name="sr-only"),
            *[choice("reason", reason.value, rule.label) for reason, rule in RULES.items()],
            class_name="grid gap-2",
        ),
        rx.el.label(
            "Note for dispatch, if needed",
            rx.el.textarea(
                name="note", rows=2, max_length=MAX_STOP_NOTE, class_name=f"{BOX} mt-2 py-3 text-body font-normal"
            ),
            class_name="block text-lead font-semibold",
        ),
        big_button("Report", type="submit", variant="danger"),
        big_button("Back to the Steps", variant="outline", data_act="back"),
        data_step=StopEventKind.FAILED.value,
        no_validate=True,
        auto_complete="off",
        hidden=True,
        class_name="grid gap-5",
    )
