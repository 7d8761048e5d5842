"""Shared by the settings and the privacy page of the account: a row, and the controls that both show."""

import reflex as rx

from marketplace_app.components.controls.buttons import button
from marketplace_app.messages import ACCOUNT_DELETED, ACCOUNT_NOT_DELETED, CONFIRM_DELETION


def setting(heading: str, sentence: rx.Var[str] | str, *controls: rx.Component) -> rx.Component:
    return rx.el.section(
        rx.el.div(
            rx.el.h2(heading, class_name="font-sans text-ui font-semibold"),
            rx.el.p(sentence, class_name="text-small text-ink-2"),
            class_name="min-w-0 flex-1 basis-72",
        ),
        rx.el.div(*controls, class_name="flex flex-wrap gap-2.5"),
        class_name="flex flex-wrap items-center gap-x-8 gap-y-3 border-b border-line py-5 first:pt-0",
    )


def your_data() -> rx.Component:
    return setting(
        "Your data",
        "Download everything the store knows about you.",
        button("Request Data", variant="outline", data_download="/api/account/export"),
    )


def sign_out_everywhere() -> rx.Component:
    return button("Sign Out Everywhere", variant="outline", data_sign_out="everywhere")


def delete_account() -> rx.Component:
    return setting(
        "Delete account",
        "This cannot be undone. Open orders are cancelled.",
        button(
            "Delete Account",
            variant="danger",
            data_delete_account=CONFIRM_DELETION,
            data_done=ACCOUNT_DELETED.title,
            data_failed=ACCOUNT_NOT_DELETED,
        ),
    )
