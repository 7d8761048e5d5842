"""`/account/privacy`: what the store keeps about the user, and what they can do about it."""

from typing import Any

import reflex as rx

from marketplace_app.components.account.account_settings import delete_account, setting, sign_out_everywhere, your_data
from marketplace_app.components.controls.buttons import button, button_link
from marketplace_app.components.controls.dialogs import close_button, closes_dialog, dialog, dialog_title
from marketplace_app.components.controls.links import back_link, link
from marketplace_app.components.controls.notices import failed_state, sign_in_notice
from marketplace_app.components.controls.skeletons import skeleton_block
from marketplace_app.components.shell.layout import page
from marketplace_app.components.shell.load_failure import unless_load_failed
from marketplace_app.messages import SIGN_IN_FOR_PRIVACY
from marketplace_app.states.account.privacy import CHOICES_ID, SETTINGS_PATH, PrivacyState, StoredRow
from marketplace_app.states.events.viewer import ViewerState


def _stored_row(row: rx.Var[StoredRow]) -> rx.Component:
    show = link(
        "Show",
        rx.el.span(" ", row.name, class_name="sr-only"),
        href=row.href,
        class_name="inline-flex min-h-11 items-center text-small underline underline-offset-3 hover:text-brand-text",
    )
    return rx.el.li(
        rx.el.div(
            rx.el.h3(row.name, class_name="font-sans text-small font-semibold"),
            rx.el.p(row.why, class_name="text-small text-ink-2"),
            class_name="min-w-0 flex-1 basis-72",
        ),
        rx.el.p(row.stored, class_name="min-w-0 text-small tabular-nums wrap-anywhere"),
        rx.cond(row.href != "", show, rx.fragment()),
        key=row.name,
        class_name="flex min-h-11 flex-wrap items-center gap-x-5 gap-y-1 border-b border-line py-2",
    )


def _button_with_confirmation(label: str, question: str, sentence: str, on_click: Any) -> rx.Component:
    """A button that asks before it erases."""
    return dialog(
        rx.el.header(
            dialog_title(question),
            close_button(),
            class_name="flex flex-none items-center justify-between gap-3 border-b border-line py-2 pr-2 pl-5",
        ),
        rx.el.p(sentence, class_name="p-5 text-small text-ink-2"),
        rx.el.footer(
            closes_dialog(button("Cancel", variant="outline")),
            closes_dialog(button(label, variant="danger", on_click=on_click)),
            class_name="flex flex-wrap justify-end gap-2.5 border-t border-line px-5 py-3.5",
        ),
        trigger=button(label, variant="outline"),
    )


def _stored_data() -> rx.Component:
    return rx.el.section(
        rx.el.h2("What the store keeps about you", class_name="text-h3"),
        rx.el.ul(rx.foreach(PrivacyState.rows, _stored_row), class_name="mt-2"),
        rx.el.p(
            "Read more in the ",
            link("Privacy Policy", href="/privacy", class_name="underline underline-offset-3"),
            ". The store sends no marketing email.",
            class_name="mt-3 text-small text-ink-2",
        ),
        aria_label="What the store keeps about you",
    )


def _consents() -> rx.Component:
    delete = _button_with_confirmation(
        "Delete Preferences",
        "Delete your preferences?",
        "All of them are erased, medical needs too. Products are no longer picked for you.",
        PrivacyState.delete_preferences,
    )
    withdraw = _button_with_confirmation(
        "Withdraw Consent",
        "Withdraw your consent?",
        "Your medical needs are erased. Your other preferences stay.",
        PrivacyState.withdraw_consent,
    )
    edit = button_link("Edit Preferences", href="/preferences", variant="outline")
    return rx.fragment(
        setting(
            "Recommendations",
            rx.cond(
                PrivacyState.has_preferences,
                "Products are picked for you from the preferences you saved.",
                "No products are picked for you: you have saved no preferences.",
            ),
            edit,
            rx.cond(PrivacyState.has_preferences, delete),
        ),
        setting(
            "Medical needs",
            rx.cond(
                PrivacyState.consented_on != "",
                f"You agreed on {PrivacyState.consented_on} that the store may keep them.",
                "You have not agreed that the store may keep them, and it keeps none.",
            ),
            rx.cond(PrivacyState.consented_on != "", withdraw),
        ),
    )


def _ready() -> rx.Component:
    controls = rx.el.section(
        _consents(),
        setting(
            "Addresses",
            "Add, change or remove the addresses you have saved.",
            button_link("Manage Addresses", href=SETTINGS_PATH, variant="outline"),
        ),
        your_data(),
        setting("Sign out everywhere", "Ends every session, in this browser and all others.", sign_out_everywhere()),
        delete_account(),
        aria_label="Your choices",
        id=CHOICES_ID,
        tab_index=-1,
        class_name="outline-none",
    )
    return rx.el.div(_stored_data(), controls, class_name="grid gap-10")


def _body() -> rx.Component:
    failed = failed_state("Your privacy settings could not be loaded.", PrivacyState.load)
    skeleton = rx.el.div(skeleton_block("h-8 w-64"), skeleton_block("mt-4 h-96 w-full"), aria_hidden="true")
    return rx.el.div(
        rx.el.p(back_link("Account settings", href=SETTINGS_PATH), class_name="py-2.5"),
        rx.el.h1("Manage privacy", class_name="mb-6 text-h1"),
        unless_load_failed(rx.match(PrivacyState.view, ("ready", _ready()), ("failed", failed), skeleton)),
        class_name="shell min-h-svh max-w-account pb-20",
    )


def privacy() -> rx.Component:
    return page(
        rx.cond(ViewerState.is_known & ~ViewerState.is_signed_in, sign_in_notice(SIGN_IN_FOR_PRIVACY.text), _body())
    )
