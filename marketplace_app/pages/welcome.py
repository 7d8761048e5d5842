"""`/welcome`: the page that a referral link opens. It says who sent the link and what it is worth."""

import reflex as rx

from marketplace_app.components.account.invitation_card import card_skeleton, invitation_card, sentence
from marketplace_app.components.controls.buttons import button_link, sign_in_button
from marketplace_app.components.shell.age_gate import age_gate
from marketplace_app.components.shell.layout import page
from marketplace_app.components.shell.load_failure import unless_load_failed
from marketplace_app.components.shell.settings_text import settings_text
from marketplace_app.states.account.welcome import WelcomeState
from marketplace_app.states.events.viewer import ViewerState


def _store_link() -> rx.Component:
    return button_link("Go to the store", href="/", size="lg")


def _for_guests() -> rx.Component:
    about = sentence(
        "A private store for adults 21 and over. Contactless delivery within ",
        settings_text("delivery_within"),
        ", paid in cash at the door.",
    )
    return rx.cond(
        WelcomeState.offer != "",
        invitation_card(
            "award",
            WelcomeState.offer,
            sentence("Sign in, and the discount is applied to your first order automatically."),
            about,
            sign_in_button("Sign In to Shop"),
        ),
        invitation_card("award", "Welcome", about, sign_in_button("Sign In to Shop")),
    )


def _for_members() -> rx.Component:
    return invitation_card(
        "award", "Welcome back", rx.cond(WelcomeState.refusal != "", sentence(WelcomeState.refusal)), _store_link()
    )


def welcome() -> rx.Component:
    shown = rx.cond(
        WelcomeState.is_loaded,
        rx.cond(ViewerState.is_signed_in, _for_members(), _for_guests()),
        card_skeleton("Welcome", "w-96"),
    )
    gate_mode = rx.cond(ViewerState.is_known & ViewerState.is_signed_in, "", "once-a-day")
    return page(
        rx.el.div(unless_load_failed(shown, title="Welcome"), class_name="shell min-h-[60svh]"),
        age_gate(gate_mode, update_on=ViewerState.is_known),
    )
