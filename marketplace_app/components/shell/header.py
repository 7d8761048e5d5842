"""The header of every page."""

from typing import Any

import reflex as rx

from marketplace_app.components.buying.cart_drawer import cart_drawer
from marketplace_app.components.controls.buttons import icon_button, icon_link, sign_in_icon
from marketplace_app.components.controls.links import link
from marketplace_app.components.shell.logo import logo
from marketplace_app.components.shell.menu import menu
from marketplace_app.components.shell.search import search
from marketplace_app.components.viewer import for_guests, for_members, over_hero
from marketplace_app.states.events.viewer import ViewerState

_LINK = "hidden min-h-11 items-center rounded-2 px-3 text-ui text-ink-2 hover:text-ink lg:flex"
_SEARCH_POPOVER = "search-popover"
_FOCUS = rx.Var("(event) => event.newState === 'open' && event.currentTarget.querySelector('input').focus()")


def _search_popover(is_catalogue: bool) -> rx.Component:
    """In the header from 768 px on; below that a popover, which opens with the cursor in the box."""
    return rx.el.div(
        search(is_catalogue),
        id=_SEARCH_POPOVER,
        custom_attrs={"popover": "auto", "onToggle": _FOCUS},
        class_name=(
            "fixed inset-x-0 top-14 bottom-auto m-0 w-full border-b border-line bg-paper p-3 text-ink md:static "
            "md:block md:w-auto md:max-w-110 md:flex-1 md:overflow-visible md:border-0 md:bg-transparent md:p-0"
        ),
    )


def _search_button() -> rx.Component:
    return icon_button("search", "Search", class_name="md:hidden", custom_attrs={"popoverTarget": _SEARCH_POPOVER})


def member_links(is_staff: rx.Var[bool], logout: rx.Component) -> rx.Component:
    return rx.fragment(
        link("FAQ", href="/faq", class_name=_LINK),
        link("Support", href="/support", class_name=_LINK),
        rx.cond(is_staff, link("Admin", href="/admin", class_name=_LINK)),
        logout,
        icon_link("user", "Account", "/account", "max-md:hidden"),
    )


def logout_button(**action: Any) -> rx.Component:
    return rx.el.button("Logout", type="button", class_name=_LINK, **action)


def header_row(search_popover: rx.Component, *items: rx.Component, label: str = "Main") -> rx.Component:
    return rx.el.div(
        logo(may_shrink=True),
        search_popover,
        rx.el.nav(*items, aria_label=label, class_name="-mr-3 ml-auto flex items-center gap-0.5"),
        class_name="shell flex h-14 items-center gap-4 md:h-16 md:gap-6",
    )


def header(is_catalogue: bool, is_home: bool) -> rx.Component:
    return rx.el.header(
        header_row(
            _search_popover(is_catalogue),
            _search_button(),
            for_members(member_links(ViewerState.is_staff, logout_button(data_sign_out=""))),
            for_guests(sign_in_icon()),
            cart_drawer(),
            menu(),
        ),
        data_over_hero=over_hero() if is_home else "no",
        class_name="sticky top-0 z-(--z-header) border-b border-line bg-paper",
    )
