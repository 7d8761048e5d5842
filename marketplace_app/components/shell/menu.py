"""The menu on phones and tablets: a drawer from the right."""

import reflex as rx

from marketplace_app.components.controls.buttons import button, icon_button, sign_in_button
from marketplace_app.components.controls.dialogs import close_button, closes_dialog, dialog, dialog_title
from marketplace_app.components.controls.icons import icon
from marketplace_app.components.controls.links import link, shop_link
from marketplace_app.components.products.categories import CATEGORIES, category_url
from marketplace_app.components.shell.logo import logo
from marketplace_app.components.viewer import for_guests, for_members
from marketplace_app.states.events.viewer import ViewerState

_CATEGORY = "flex min-h-12 items-center border-b border-line font-serif text-h3"
_PAGE_LINK = "flex min-h-11 items-center gap-3"


def _categories() -> rx.Component:
    names = [("All Products", "/"), *[(name, category_url(name)) for name in CATEGORIES]]
    links = [shop_link(name, href=href, class_name=_CATEGORY) for name, href in names]
    return rx.el.ul(*[rx.el.li(closes_dialog(each)) for each in links])


def _page_link(symbol: str, label: str, href: str) -> rx.Component:
    return rx.el.li(closes_dialog(link(icon(symbol), label, href=href, class_name=_PAGE_LINK)))


def member_menu_links(is_staff: rx.Var[bool]) -> rx.Component:
    return rx.el.ul(
        _page_link("user", "Account", "/account"),
        rx.cond(is_staff, _page_link("dashboard", "Admin Dashboard", "/admin")),
    )


def menu() -> rx.Component:
    return menu_panel(
        icon_button("menu", "Menu", class_name="lg:hidden"),
        for_members(member_menu_links(ViewerState.is_staff)),
        for_members(button("Logout", variant="outline", wide=True, data_sign_out="")),
        for_guests(sign_in_button("Sign In", size="md", wide=True)),
    )


def menu_panel(trigger: rx.Component, more_links: rx.Component, *foot: rx.Component) -> rx.Component:
    links = rx.el.div(
        rx.el.ul(_page_link("help", "FAQ", "/faq"), _page_link("support", "Support", "/support")),
        more_links,
        class_name="mt-4",
    )
    head = rx.el.div(
        dialog_title("Menu", class_name="sr-only"),
        logo(is_link=False),
        close_button(),
        class_name="flex h-14 flex-none items-center justify-between border-b border-line pr-2 pl-5",
    )
    return dialog(
        head,
        rx.el.nav(_categories(), links, aria_label="Menu", class_name="flex-1 overflow-auto px-5 py-2"),
        rx.el.div(*foot, class_name="border-t border-line px-5 pt-3.5 pb-5.5"),
        trigger=trigger,
        shape="menu",
    )
