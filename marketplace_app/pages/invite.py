"""`/invite/[invitation_code]`: an invitation, looked up and accepted."""

import reflex as rx

from marketplace_app.components.account.invitation_card import card_skeleton, invitation_card, sentence
from marketplace_app.components.controls.buttons import button, button_link, pending_button
from marketplace_app.components.controls.links import mail_link
from marketplace_app.components.shell.layout import page
from marketplace_app.components.shell.load_failure import unless_load_failed
from marketplace_app.config import get_settings
from marketplace_app.messages import INVITATION_INVALID, INVITATION_REFUSED, NO_INVITATION
from marketplace_app.states.account.invitation import InvitationState
from marketplace_app.states.events.viewer import ViewerState


def _store_link() -> rx.Component:
    return button_link("Go to the store", href="/", variant="outline", size="lg")


def _valid() -> rx.Component:
    accept = rx.cond(
        ViewerState.is_signed_in,
        pending_button(
            "Accept Invitation",
            "Accepting...",
            InvitationState.is_accepting,
            size="lg",
            on_click=InvitationState.accept,
        ),
        # `accept` sends guests to sign in, and signing in returns to this page.
        pending_button(
            "Sign In to Accept",
            "Signing in...",
            InvitationState.is_accepting,
            size="lg",
            on_click=InvitationState.accept,
        ),
    )
    hello = rx.cond(InvitationState.first_name != "", f"Welcome, {InvitationState.first_name}.", "Welcome.")
    return invitation_card(
        "mail",
        "You are invited",
        sentence(
            hello,
            " ",
            "This invitation was sent to ",
            rx.el.b(InvitationState.email, class_name="inline-block max-w-full wrap-anywhere"),
            ".",
        ),
        sentence("A private store for adults 21 and over. Accept to start shopping. The link works only once."),
        rx.cond(InvitationState.flavor_text != "", sentence(InvitationState.flavor_text)),
        accept,
    )


def _invalid() -> rx.Component:
    return invitation_card(
        "alert",
        INVITATION_REFUSED.title,
        sentence(INVITATION_INVALID, "."),
        sentence(INVITATION_REFUSED.text, " ", mail_link(get_settings().support_email)),
        _store_link(),
    )


def _failed() -> rx.Component:
    again = button("Try again", variant="outline", size="lg", on_click=InvitationState.load)
    return invitation_card("cloud-off", "Your invitation could not be loaded", again)


def _none() -> rx.Component:
    """The URL has no code."""
    return invitation_card("alert", NO_INVITATION.title, sentence(NO_INVITATION.text), _store_link())


def invite() -> rx.Component:
    shown = rx.match(
        InvitationState.view,
        ("valid", _valid()),
        ("invalid", _invalid()),
        ("failed", _failed()),
        ("none", _none()),
        card_skeleton("Invitation", "w-72"),
    )
    return page(rx.el.div(unless_load_failed(shown, title="Invitation"), class_name="shell min-h-[60svh]"))
