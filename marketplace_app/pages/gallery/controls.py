"""Everything that is pressed, filled in or chosen."""

import reflex as rx

from marketplace_app.components.buying.cart_drawer import cart_button
from marketplace_app.components.controls.buttons import (
    button,
    button_link,
    icon_button,
    icon_link,
    pending_button,
    sign_in_button,
    sign_in_icon,
)
from marketplace_app.components.controls.fields import (
    checkbox,
    checkbox_set,
    radio,
    select,
    select_field,
    slider,
    text_area,
    text_field,
)
from marketplace_app.components.controls.icons import icon
from marketplace_app.components.controls.links import link, mail_link
from marketplace_app.components.controls.pagination import pagination
from marketplace_app.components.controls.tabs import tabs
from marketplace_app.components.products.filter_groups import filter_group
from marketplace_app.components.products.filters import category_nav, filter_chip
from marketplace_app.components.shell.search import correction, search
from marketplace_app.pages.gallery.frame import NO_OP, captioned, columns, no_op_for, stack
from marketplace_app.pages.gallery.samples import FILTERS, LONG_NAME, LONG_TEXT, NO_FILTERS
from marketplace_app.states.products.catalogue_rows import FilterOption

VARIANTS = ("primary", "outline", "clear", "ghost", "amber", "danger")
SIZES = ("sm", "md", "lg")
NO_ERROR = rx.Var.create("")
TRUE = rx.Var.create(True)


def buttons(theme: str) -> rx.Component:
    def pending(variant: str) -> rx.Component:
        return pending_button("Add to Cart", "Adding...", TRUE, variant=variant)

    return stack(
        captioned("Variants", *[button(name.capitalize(), variant=name) for name in VARIANTS]),
        captioned("Sizes", *[button(f"Size {size}", size=size) for size in SIZES]),
        captioned("Pending", pending("primary"), pending("outline")),
        captioned("Disabled", *[button(name.capitalize(), variant=name, disabled=True) for name in VARIANTS]),
        captioned("With an icon", button(icon("sliders"), "Filters (2)", variant="outline")),
        captioned("Wide", button("Place Order", size="lg", wide=True), class_name="max-w-100"),
    )


def links(theme: str) -> rx.Component:
    return stack(
        captioned("Variants", *[button_link(name.capitalize(), href="#links", variant=name) for name in VARIANTS]),
        captioned("Sizes", *[button_link(f"Size {size}", href="#links", size=size) for size in SIZES]),
        captioned("To the sign-in", sign_in_button("Sign In to Shop")),
        captioned("In a text", rx.el.p("Write to ", mail_link("support@example.com"), ".")),
        captioned(
            "Squares",
            icon_button("search", "Search"),
            icon_button("plus", "More", size="sm", disabled=True),
            icon_link("user", "Account", "#links"),
            sign_in_icon(),
            *[cart_button(rx.Var.create(count)) for count in (0, 1, 128)],
        ),
    )


def fields(theme: str) -> rx.Component:
    def name(field: str) -> str:
        return f"{theme}-{field}"

    some, wrong = rx.Var.create(["Relaxed", "Calm"]), rx.Var.create("Please choose from the list")
    levels = [("", "Not set"), ("low", "Low"), ("high", "High")]
    return columns(
        select_field("Tolerance level", name("choice"), levels, NO_ERROR, default_value="low"),
        select_field("Tolerance level", name("choice-error"), levels, wrong),
        slider(
            "Desired intensity", name("slider"), ("Mild", "Intense"), rx.Var.create(5), NO_ERROR, minimum=1, maximum=10
        ),
        checkbox_set("Effects", name("set"), ["Happy", "Relaxed", "Calm", LONG_NAME], some, NO_ERROR),
        checkbox_set("Effects to avoid", name("set-error"), ["Happy", "Calm"], some, wrong, hint="Never picked."),
        checkbox_set("Medical needs", name("set-off"), ["Relaxed", "Stress"], some, NO_ERROR, disabled=True),
        text_field("City", name("plain"), NO_ERROR, default_value="Portland"),
        text_field("State", name("empty"), NO_ERROR, placeholder="OR"),
        text_field("Contact phone", name("hint"), NO_ERROR, hint="For the driver, on the day only.", type="tel"),
        text_field("Zip code", name("zip"), rx.Var.create("Valid zip code is required"), default_value="972"),
        text_field("City", name("city"), rx.Var.create("City is required"), hint="Where the order is brought."),
        text_field("Address", name("long"), NO_ERROR, default_value=LONG_TEXT),
        text_field("Closed", name("disabled"), NO_ERROR, default_value="Cannot be changed", disabled=True),
        text_field("Date of birth", name("date"), NO_ERROR, hint="Month / day / year", type="date"),
        text_area(
            "Delivery instructions", name("area"), NO_ERROR, placeholder="Which door to use, and whether to ring."
        ),
        text_area(
            "Payment pickup instructions",
            name("area-error"),
            rx.Var.create("Payment pickup instructions are required, in a sentence that runs over more than one line"),
            default_value=LONG_TEXT,
        ),
    )


def choices(theme: str) -> rx.Component:
    def checkbox_row(option: rx.Var[FilterOption], index: rx.Var[int]) -> rx.Component:
        return checkbox(option.label, f"{theme}-check-{index}", option.is_on, NO_OP, option.count)

    def radio_row(option: rx.Var[FilterOption], index: rx.Var[int]) -> rx.Component:
        return radio(option.label, f"{theme}-radio-{index}", f"{theme}-radio", option.is_on, NO_OP, option.count)

    return columns(
        filter_group("Checkboxes", FILTERS, checkbox_row, skeleton_rows=3),
        filter_group("Radio buttons", FILTERS, radio_row, skeleton_rows=3),
        filter_group("Before they are known", NO_FILTERS, checkbox_row, skeleton_rows=3),
        captioned(
            "Select",
            select([("featured", "Featured"), ("long", LONG_NAME)], "Sort", rx.Var.create("featured"), NO_OP),
            class_name="",
        ),
    )


def searching(theme: str) -> rx.Component:
    return stack(
        captioned("Search", search(False, f"{theme}-search", aria_label=f"Products, {theme}"), class_name="max-w-110"),
        captioned("A corrected search", correction("wedding cake", "weding cake", "#search")),
        captioned(
            "Chosen filters",
            filter_chip("Indica", NO_OP),
            filter_chip("Under $50", NO_OP),
            filter_chip(LONG_NAME, NO_OP),
        ),
        captioned(
            "Categories",
            category_nav(rx.Var.create("Vapes"), no_op_for, f"Categories, {theme}"),
            class_name="overflow-hidden",
        ),
        captioned("A plain link", link("Back to Products", href="#search", class_name="underline")),
    )


def paging(theme: str) -> rx.Component:
    parts: list[tuple[str, str, rx.Component]] = [
        (f"{theme}-description", "Description", rx.el.p("The chosen one.")),
        (f"{theme}-ingredients", "Ingredients", rx.el.p("Another.")),
        (f"{theme}-lab", "Lab Results", rx.el.p("And another.")),
    ]

    def pages(at: int, of: int) -> rx.Component:
        return pagination(rx.Var.create(at), rx.Var.create(of), no_op_for, f"Pages, {at} of {of}, {theme}")

    return stack(
        captioned("Tabs", tabs("About this product", parts, rx.Var.create(parts[0][0]), no_op_for), class_name=""),
        captioned(
            "Pages: the first, one within, the last; of many",
            pages(1, 3),
            pages(2, 3),
            pages(3, 3),
            pages(3, 5),
            pages(5, 9),
            pages(7, 200),
            class_name="",
        ),
    )
