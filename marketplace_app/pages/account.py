"""`/account?tab=`: profile, orders, saved products, referrals, settings."""

import reflex as rx

from marketplace_app.components.account.account_settings import delete_account, setting, sign_out_everywhere, your_data
from marketplace_app.components.account.address_book import address_book
from marketplace_app.components.account.profile_form import profile_form
from marketplace_app.components.account.referral_panel import referral_panel
from marketplace_app.components.buying.orders_list import order_card
from marketplace_app.components.buying.saved import saved_products
from marketplace_app.components.controls.badges import badge
from marketplace_app.components.controls.buttons import button, button_class, button_link
from marketplace_app.components.controls.facts import FIRST_ON_ITS_OWN, fact_list_from_state
from marketplace_app.components.controls.icons import icon
from marketplace_app.components.controls.links import document_link
from marketplace_app.components.controls.notices import empty_state, sign_in_notice
from marketplace_app.components.controls.pagination import pagination
from marketplace_app.components.controls.skeletons import orders_skeleton, skeleton_block
from marketplace_app.components.controls.tabs import tabs
from marketplace_app.components.shell.layout import page
from marketplace_app.components.shell.load_failure import unless_load_failed
from marketplace_app.messages import SIGN_IN_FOR_ACCOUNT
from marketplace_app.models import Permission
from marketplace_app.states.account.account import AccountState
from marketplace_app.states.buying.orders import OrdersState
from marketplace_app.states.events.viewer import ViewerState


def _drive() -> rx.Component:
    """The link to the driver's page, for those who may drive.

    It is not in the header, because every first visit fetches the header's code.
    """
    may_drive: rx.Var[bool] = ViewerState.permissions.contains(Permission.DRIVE.value)
    link = document_link(icon("truck"), "Drive", href="/drive", class_name=button_class(size="lg"))
    return rx.cond(may_drive, rx.el.div(link, class_name="mb-6"))


def _profile() -> rx.Component:
    verified = rx.cond(
        AccountState.is_age_verified,
        rx.el.p(badge(rx.fragment(icon("check", "sm", "size-3.5!"), "Verified (21+)"), "green")),
        rx.el.p(
            "Your age has not been verified yet. You will be asked when you order.", class_name="text-small text-ink-2"
        ),
    )
    known = rx.el.div(verified, fact_list_from_state(AccountState.facts, FIRST_ON_ITS_OWN), class_name="grid gap-4")
    return rx.el.div(
        _drive(),
        rx.cond(
            AccountState.is_loaded,
            known,
            rx.el.div(skeleton_block("h-6 w-28"), skeleton_block("mt-4 h-60 w-full"), aria_hidden="true"),
        ),
    )


def _orders() -> rx.Component:
    nothing = empty_state("receipt", "No orders yet.", button_link("Browse Products", href="/", variant="outline"))
    listed = rx.fragment(
        rx.el.ul(rx.foreach(OrdersState.orders, order_card)),
        pagination(OrdersState.page, OrdersState.pages, OrdersState.go_to),
    )
    return rx.el.div(
        rx.cond(OrdersState.is_loading, orders_skeleton(), rx.cond(OrdersState.orders.length() > 0, listed, nothing)),
    )


def _stacked_setting(heading: str, sentence: str, content: rx.Component) -> rx.Component:
    """A setting whose control, a form or a list, is below its description instead of beside it."""
    return rx.el.section(
        rx.el.div(
            rx.el.h2(heading, class_name="font-sans text-ui font-semibold"),
            rx.el.p(sentence, class_name="text-small text-ink-2"),
        ),
        content,
        class_name="grid gap-4 border-b border-line py-5 first:pt-0",
    )


def _settings() -> rx.Component:
    return rx.el.div(
        _stacked_setting("Profile", "Used to fill in checkout. Staff see it with your orders.", profile_form()),
        _stacked_setting(
            "Addresses", "Where we deliver your orders. Checkout starts with the default address.", address_book()
        ),
        setting(
            "Preferences",
            "What you like and what you want to avoid.",
            button("Update Preferences", variant="outline", on_click=rx.redirect("/preferences")),
        ),
        setting(
            "Privacy",
            "See what the store keeps about you, and withdraw your consent.",
            button("Manage Privacy", variant="outline", on_click=rx.redirect("/account/privacy")),
        ),
        your_data(),
        setting(
            "Sign out",
            "Sign out of this browser, or of every browser.",
            button("Sign Out", variant="outline", data_sign_out="here"),
            sign_out_everywhere(),
        ),
        delete_account(),
    )


def _body() -> rx.Component:
    parts = [
        ("profile", "Profile", _profile()),
        ("orders", "Orders", _orders()),
        ("saved", "Saved", saved_products()),
        ("referrals", "Referrals", referral_panel()),
        ("settings", "Settings", _settings()),
    ]
    guarded = [(key, label, unless_load_failed(content)) for key, label, content in parts]
    return rx.el.div(
        rx.el.h1("Your account", class_name="mb-4.5 text-h1"),
        tabs("Your account", guarded, AccountState.tab, AccountState.open_tab),
        class_name="shell min-h-svh max-w-account pt-8 pb-20",
    )


def account() -> rx.Component:
    return page(
        rx.cond(ViewerState.is_known & ~ViewerState.is_signed_in, sign_in_notice(SIGN_IN_FOR_ACCOUNT.text), _body())
    )
