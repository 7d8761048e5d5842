"""`/invite/[invitation_code]`: an invitation, looked up and accepted."""

from typing import Any

import reflex as rx

from marketplace_app.components.buttons import button_link, pending_button
from marketplace_app.components.icons import icon
from marketplace_app.components.layout import page
from marketplace_app.components.links import mail_link
from marketplace_app.components.skeletons import skeleton_block
from marketplace_app.config import get_settings
from marketplace_app.messages import INVITATION_REFUSED, NO_INVITATION
from marketplace_app.states.invitation import InvitationState
from marketplace_app.states.viewer import ViewerState


def _card(symbol: str, heading: str, *content: Any) -> rx.Component:
    return rx.el.div(
        icon(symbol, "lg", "text-brand-text"),
        rx.el.h1(heading, class_name="text-h1"),
        *content,
        class_name="grid justify-items-start gap-4 py-16 md:py-24",
    )


def _sentence(*parts: Any) -> rx.Component:
    return rx.el.p(*parts, class_name="max-w-text text-lead text-ink-2")


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
        # Signing in returns to this page.
        pending_button(
            "Sign In to Accept",
            "Signing in...",
            InvitationState.is_accepting,
            size="lg",
            on_click=InvitationState.accept,
        ),
    )
    hello = rx.cond(InvitationState.first_name != "", f"Welcome, {InvitationState.first_name}.", "Welcome.")
    return _card(
        "mail",
        "You are invited",
        _sentence(
            hello,
            " ",
            "This invitation was sent to ",
            rx.el.b(InvitationState.email, class_name="inline-block max-w-full wrap-anywhere"),
            ".",
        ),
        _sentence("A private store for adults 21 and over. Accept to start shopping. The link works only once."),
        accept,
    )


def _invalid() -> rx.Component:
    return _card(
        "alert",
        INVITATION_REFUSED.title,
        _sentence(InvitationState.problem, "."),
        _sentence(INVITATION_REFUSED.text, " ", mail_link(get_settings().support_email)),
        _store_link(),
    )


def _none() -> rx.Component:
    """There is no such invitation."""
    return _card("alert", NO_INVITATION.title, _sentence(NO_INVITATION.text), _store_link())


def _skeleton() -> rx.Component:
    return rx.el.div(
        rx.el.h1("Invitation", class_name="sr-only"),
        skeleton_block("h-8 w-8"),
        skeleton_block("h-10 w-72 max-w-full"),
        skeleton_block("h-14 w-full max-w-text"),
        skeleton_block("h-13 w-56"),
        class_name="grid gap-4 py-16 md:py-24",
    )


def invite() -> rx.Component:
    shown = rx.match(InvitationState.view, ("valid", _valid()), ("invalid", _invalid()), ("none", _none()), _skeleton())
    return page(rx.el.div(shown, class_name="shell min-h-[60svh]"))
