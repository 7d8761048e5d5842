"""What surrounds every page, what opens over it, and the design tokens."""

from typing import Any

import reflex as rx

from marketplace_app.components.buying.cart_drawer import cart_body, cart_button, cart_head, cart_line
from marketplace_app.components.buying.quote import progress_bar, totals
from marketplace_app.components.controls.buttons import button, button_link, icon_button, sign_in_button, sign_in_icon
from marketplace_app.components.controls.dialogs import close_button, closes_dialog, dialog, dialog_title
from marketplace_app.components.controls.fields import text_field
from marketplace_app.components.controls.icons import PATHS, icon
from marketplace_app.components.shell.age_gate import gate_form, gate_layout
from marketplace_app.components.shell.footer import footer
from marketplace_app.components.shell.header import header_row, logout_button, member_links
from marketplace_app.components.shell.logo import logo
from marketplace_app.components.shell.menu import member_menu_links, menu_panel
from marketplace_app.components.shell.search import search
from marketplace_app.framework.components import inline_style
from marketplace_app.pages.gallery.frame import captioned, no_op_for, stack
from marketplace_app.pages.gallery.samples import QUOTE_LINES, cart_lines
from marketplace_app.theme.tokens import LIGHT, TYPE

_PREVENT_SUBMIT = rx.Var("(event) => { event.preventDefault(); event.stopPropagation(); }")
_SERIF = ("display", "h1", "name", "title", "h2", "h3")
IS_ADMIN, NOT_ADMIN = rx.Var.create(True), rx.Var.create(False)


def headers(theme: str) -> rx.Component:
    def row(who: str, *items: rx.Component, is_over_film: bool = False) -> rx.Component:
        search_box = rx.el.div(
            search(False, f"{theme}-{who}-search", aria_label=f"Products, {who}, {theme}"),
            class_name="hidden max-w-110 flex-1 md:block",
        )
        ground: dict[str, Any] = {"data_ground": "deep"} if is_over_film else {}
        bar = rx.el.div(
            header_row(search_box, *items, label=f"Main, {who}, {theme}"),
            class_name="border-b border-line bg-paper",
            **ground,
        )
        return captioned(who, bar, class_name="-mx-4 md:-mx-6")

    menu = icon_button("menu", "Menu", class_name="lg:hidden")
    cart = cart_button(rx.Var.create(3))
    return stack(
        row("A guest", sign_in_icon(), cart_button(rx.Var.create(0)), menu),
        row("A shopper", member_links(NOT_ADMIN, logout_button()), cart, menu),
        row("An owner", member_links(IS_ADMIN, logout_button()), cart, menu),
        row("Over the film", sign_in_icon(), cart_button(rx.Var.create(0)), menu, is_over_film=True),
        captioned("The name", logo(is_link=False)),
    )


def footers(theme: str) -> rx.Component:
    return rx.el.div(footer(f", {theme}"), class_name="-m-4 md:-m-6")


def age_gates(theme: str) -> rx.Component:
    form = gate_form(f"-{theme}", custom_attrs={"onSubmit": _PREVENT_SUBMIT})
    return rx.el.div(
        gate_layout(form), class_name="mx-auto max-w-gate overflow-hidden rounded-3 bg-surface shadow-over"
    )


def panels(theme: str) -> rx.Component:
    """A button for each panel. Panels open over the whole gallery, so they have the theme of the page."""
    return captioned("Open", _dialog(), _drawer(), _sheet(), *map(_menu, ("a guest", "a shopper", "an owner")))


def _dialog() -> rx.Component:
    return dialog(
        rx.el.div(
            dialog_title("Rename the category"),
            close_button(),
            class_name="flex items-center justify-between border-b border-line py-2.5 pr-2.5 pl-6",
        ),
        rx.el.div(text_field("Name", "category-name", rx.Var.create("")), class_name="overflow-auto p-6"),
        rx.el.div(
            closes_dialog(button("Cancel", variant="outline")),
            closes_dialog(button("Save")),
            class_name="flex justify-end gap-3 border-t border-line px-6 py-4",
        ),
        trigger=button("A dialog", variant="outline"),
    )


def _drawer() -> rx.Component:
    return dialog(
        cart_head(rx.Var.create(102)),
        cart_body(
            rx.fragment(*[cart_line(line, no_op_for, no_op_for) for line in cart_lines(id_offset=300)]),
            progress_bar("Add $56 more for free delivery", "$144 / $200", 72),
            totals(QUOTE_LINES, "Total", "$49.20"),
            closes_dialog(button_link("Proceed to Checkout", href="#panels", size="lg", wide=True)),
        ),
        trigger=button("The cart", variant="outline"),
        shape="drawer",
    )


def _sheet() -> rx.Component:
    return dialog(
        rx.el.div(dialog_title("Filters"), close_button(), class_name="flex items-center justify-between px-5 pt-3"),
        rx.el.div(closes_dialog(button("Show 37 products", wide=True)), class_name="p-5"),
        trigger=button("A sheet", variant="outline"),
        shape="sheet",
    )


def _menu(who: str) -> rx.Component:
    is_guest = who == "a guest"
    foot = (
        sign_in_button("Sign In", size="md", wide=True) if is_guest else button("Logout", variant="outline", wide=True)
    )
    links = rx.fragment() if is_guest else member_menu_links(IS_ADMIN if who == "an owner" else NOT_ADMIN)
    return menu_panel(button(f"The menu of {who}", variant="outline"), links, foot)


def tokens(theme: str) -> rx.Component:
    def swatch(name: str) -> rx.Component:
        return rx.el.li(
            rx.el.span(
                class_name="block h-9 rounded-1 border border-line",
                **inline_style(background=f"var(--{name})"),
            ),
            rx.el.span(name, class_name="text-cap text-ink-2"),
        )

    def step(name: str) -> rx.Component:
        size, line_height, _ = TYPE[name]
        class_name = "font-serif" if name in _SERIF else ""
        return rx.el.p(name, **inline_style(fontSize=size, lineHeight=line_height), class_name=class_name)

    return stack(
        captioned(
            "Colours",
            rx.el.ul(*[swatch(name) for name in LIGHT], class_name="grid grid-cols-3 gap-3 md:grid-cols-6"),
            class_name="",
        ),
        captioned("Type", *[step(name) for name in TYPE], class_name="flex flex-wrap items-baseline gap-x-6 gap-y-2"),
        captioned("Icons", *[icon(name) for name in PATHS], icon("leaf", "sm"), icon("leaf", "lg")),
    )
