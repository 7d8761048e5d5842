"""`/welcome`: what a referral link opens. It says who sent it and what it is worth."""

from typing import Any

import reflex as rx

from marketplace_app.components.age_gate import age_gate
from marketplace_app.components.buttons import button_link, sign_in_button
from marketplace_app.components.icons import icon
from marketplace_app.components.layout import page
from marketplace_app.components.settings_text import settings_text
from marketplace_app.components.skeletons import skeleton_block
from marketplace_app.states.viewer import ViewerState
from marketplace_app.states.welcome import WelcomeState


def _card(symbol: str, heading: Any, *content: Any) -> rx.Component:
    return rx.el.div(
        icon(symbol, "lg", "text-brand-text"),
        rx.el.h1(heading, class_name="max-w-text text-h1 text-balance wrap-anywhere"),
        *content,
        class_name="grid justify-items-start gap-4 py-16 md:py-24",
    )


def _sentence(*parts: Any) -> rx.Component:
    return rx.el.p(*parts, class_name="max-w-text text-lead text-ink-2")


def _store_link() -> rx.Component:
    return button_link("Go to the store", href="/", size="lg")


def _for_guests() -> rx.Component:
    about = _sentence(
        "A private store for adults 21 and over. Delivered contactless within ",
        settings_text("delivery_within"),
        ", paid in cash at the door.",
    )
    return rx.cond(
        WelcomeState.offer != "",
        _card(
            "award",
            WelcomeState.offer,
            _sentence("Sign in, and the discount is applied to your first order automatically."),
            about,
            sign_in_button("Sign In to Shop"),
        ),
        _card("award", "Welcome", about, sign_in_button("Sign In to Shop")),
    )


def _for_members() -> rx.Component:
    return _card(
        "award", "Welcome back", rx.cond(WelcomeState.refusal != "", _sentence(WelcomeState.refusal)), _store_link()
    )


def _skeleton() -> rx.Component:
    return rx.el.div(
        rx.el.h1("Welcome", class_name="sr-only"),
        skeleton_block("h-8 w-8"),
        skeleton_block("h-10 w-96 max-w-full"),
        skeleton_block("h-14 w-full max-w-text"),
        skeleton_block("h-13 w-56"),
        class_name="grid gap-4 py-16 md:py-24",
    )


def welcome() -> rx.Component:
    shown = rx.cond(
        WelcomeState.is_loaded, rx.cond(ViewerState.is_signed_in, _for_members(), _for_guests()), _skeleton()
    )
    gate_mode = rx.cond(ViewerState.is_known & ViewerState.is_signed_in, "", "once-a-day")
    return page(rx.el.div(shown, class_name="shell min-h-[60svh]"), age_gate(gate_mode, update_on=ViewerState.is_known))
