"""Notes, empty states, and what a whole page says when access is denied."""

from collections.abc import Callable
from typing import Any

import reflex as rx

from marketplace_app.components.controls.buttons import button, button_link, sign_in_button
from marketplace_app.components.controls.dialogs import closes_dialog
from marketplace_app.components.controls.icons import icon
from marketplace_app.components.controls.links import mail_link
from marketplace_app.config import get_settings

_NOTE_COLOURS = {
    "amber": ("bg-amber-wash", "text-amber-text"),
    "bad": ("bg-bad-wash", "text-bad"),
    "info": ("bg-wash", "text-brand-text"),
}


def note(*children: Any, symbol: str, variant: str = "amber", **props: Any) -> rx.Component:
    """A tinted strip with an icon: banner, error summary, changed total."""
    background, tint = _NOTE_COLOURS[variant]
    return rx.el.div(
        icon(symbol, class_name=f"mt-px {tint}"),
        rx.el.div(*children, class_name="min-w-0 flex-1 wrap-anywhere"),
        class_name=f"flex gap-3 rounded-2 px-4 py-3.5 text-small {background}",
        **props,
    )


def outdated_note(is_outdated: rx.Var[bool], sentence: str, reload: Any) -> rx.Component:
    """For a form whose saved values were changed elsewhere meanwhile; the form keeps what is typed in it."""
    again = button("Show what was saved", variant="outline", size="sm", on_click=reload)
    content = rx.el.div(rx.el.p(sentence), again, class_name="flex flex-wrap items-center justify-between gap-2")
    return rx.cond(is_outdated, note(content, symbol="alert", role="alert"))


def empty_state(symbol: str, sentence: Any, action: rx.Component | None = None, **props: Any) -> rx.Component:
    """For a list without rows or one that failed to load: an icon, a sentence, and at most one action."""
    return rx.el.div(
        icon(symbol, "lg", "text-ink-3"),
        rx.el.p(sentence, class_name="text-body text-ink-2"),
        *([action] if action else []),
        class_name="grid justify-items-start gap-4 py-10",
        **props,
    )


def failed_state(sentence: Any, load: Any) -> rx.Component:
    """In place of what could not be loaded; 'Try again' calls `load`."""
    again = button("Try again", variant="outline", on_click=load)
    return empty_state("cloud-off", sentence, again, role="alert")


def _full_page(
    title: str, sentence: Any, *actions: rx.Component, heading: Callable[..., rx.Component] = rx.el.h1
) -> rx.Component:
    return rx.el.div(
        heading(title, class_name="text-h1"),
        rx.el.p(sentence, class_name="mt-3 max-w-text text-lead text-ink-2"),
        rx.el.div(*actions, class_name="mt-6 flex flex-wrap gap-3"),
        class_name="shell py-16 md:py-24",
    )


def sign_in_notice(sentence: str, heading: Callable[..., rx.Component] = rx.el.h1) -> rx.Component:
    """For a guest on a page of members. `heading` is something other than `h1` if the page already has one."""
    return _full_page("Please Sign In", sentence, sign_in_button("Sign In"), heading=heading)


def invitation_required(heading: Callable[..., rx.Component] = rx.el.h1, *, in_dialog: bool = False) -> rx.Component:
    faq = button_link("Read the FAQ", href="/faq", variant="outline", size="lg")
    return _full_page(
        "Invitation required",
        rx.fragment(
            "This store is by invitation only. Open the link in your invitation, or write to ",
            mail_link(get_settings().support_email),
            ".",
        ),
        closes_dialog(faq) if in_dialog else faq,
        heading=heading,
    )
