"""What the store says when something is missing, wrong, closed or done."""

from typing import Any

import reflex as rx

from marketplace_app import messages
from marketplace_app.components.controls.accordion import accordion, accordion_item
from marketplace_app.components.controls.buttons import button
from marketplace_app.components.controls.error_summary import error_summary
from marketplace_app.components.controls.notices import (
    empty_state,
    failed_state,
    invitation_required,
    note,
    outdated_note,
    sign_in_notice,
)
from marketplace_app.components.shell.auth_error import auth_error
from marketplace_app.components.shell.connection import offline_notice
from marketplace_app.components.shell.crash import crash_message
from marketplace_app.components.shell.overlays import install_prompt, privacy_notice
from marketplace_app.components.shell.script_messages import toast_from_script
from marketplace_app.messages import Notice
from marketplace_app.pages.gallery.frame import captioned, columns, stack
from marketplace_app.pages.gallery.samples import LONG_TEXT, field_errors

TRACE = "TypeError: Cannot read properties of undefined (reading 'name')\n    at Card (card.js:41:12)"


def notices(theme: str) -> rx.Component:
    return stack(
        note("Cash on delivery. The driver carries no change.", symbol="cash"),
        note("Prices or stock have changed. Please review the new total.", symbol="alert", variant="info"),
        note("This order could not be placed.", symbol="alert", variant="bad"),
        note(LONG_TEXT, symbol="leaf", variant="info"),
        outdated_note(rx.Var.create(True), messages.CHANGED_ELSEWHERE, rx.noop()),
        error_summary(field_errors(theme), "no-form"),
        rx.el.div(offline_notice(), class_name="justify-self-start"),
    )


def empties(theme: str) -> rx.Component:
    return columns(
        empty_state("nothing-found", messages.NO_PRODUCTS, button("Clear Filters", variant="outline")),
        failed_state(messages.LIST_FAILED, rx.noop()),
        empty_state("bag", messages.CART_EMPTY, button("Continue Shopping", variant="outline")),
        empty_state("receipt", "No orders yet."),
    )


def screens(theme: str) -> rx.Component:
    return stack(
        captioned("Invite-only", invitation_required(heading=rx.el.h3), class_name=""),
        captioned("Signed out", sign_in_notice(messages.SIGN_IN_TO_CHECK_OUT.text, heading=rx.el.h3), class_name=""),
        captioned(
            "After a sign-in that did not finish",
            auth_error("original.example", rx.Var.create("/"), title=rx.el.h3),
            class_name="",
        ),
        captioned(
            "Broken",
            rx.el.div(crash_message("Application Error", TRACE, heading=rx.el.h3), class_name="shell py-16"),
            class_name="",
        ),
    )


def questions(theme: str) -> rx.Component:
    return accordion(
        accordion_item("An open question?", rx.el.p("Yes."), anchor=f"open-{theme}", is_open=True),
        accordion_item("A folded one?", rx.el.p("Also."), anchor=f"folded-{theme}"),
        accordion_item(LONG_TEXT, rx.el.p(LONG_TEXT), anchor=f"long-{theme}", is_open=True),
    )


def overlays(theme: str) -> rx.Component:
    """Both at once and always; on other pages, `assets/overlays.js` shows one at a time, at the foot of the screen."""
    return stack(
        rx.el.div(install_prompt("max-w-100", suffix=f", {theme}"), data_panel="install"),
        rx.el.div(privacy_notice("max-w-100", suffix=f", {theme}"), data_panel="privacy"),
    )


def _show_on_click(kind: str, notice: Notice) -> dict[str, rx.Var[Any]]:
    """Shows the toast as the scripts in `assets/` do: in the browser, without a request to the server."""
    return {"onClick": rx.Var(f"() => {{ {toast_from_script(kind, notice)} }}")}


def toasts(theme: str) -> rx.Component:
    kinds = [
        ("A success", "success", messages.added("Fern Hollow")),
        ("A success without a text", "success", messages.AGE_VERIFIED),
        ("A failure", "error", messages.ORDER_FAILED),
        ("A long one", "error", Notice("Could not be saved", LONG_TEXT)),
    ]
    return captioned(
        "In the theme of the page",
        *[
            button(label, variant="outline", custom_attrs=_show_on_click(kind, notice), aria_label=f"Show: {label}")
            for label, kind, notice in kinds
        ],
    )
