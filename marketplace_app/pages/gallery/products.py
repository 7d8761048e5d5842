"""Products, their badges, facts and thumbnails."""

from typing import Any

import reflex as rx

from marketplace_app.components.controls.badges import HUES, badge, status_badge
from marketplace_app.components.controls.facts import fact_list, fact_list_from_state
from marketplace_app.components.controls.pictures import thumbnail
from marketplace_app.components.controls.skeletons import (
    card_skeletons,
    cart_lines_skeleton,
    form_skeleton,
    orders_skeleton,
    product_skeleton,
    row_skeletons,
)
from marketplace_app.components.controls.stars import five_stars, rating
from marketplace_app.components.products.picks import pick_layout, pick_row
from marketplace_app.components.products.product_card import CARD_BUTTON, GRID, add_button, card_layout, row_layout
from marketplace_app.pages.gallery.frame import NO_OP, captioned, columns, stack
from marketplace_app.pages.gallery.samples import FACTS, LONG_WORD, STATUSES, cards
from marketplace_app.pages.gallery.samples import picks as sample_picks
from marketplace_app.states.products.recommendations import Pick


def badges(theme: str) -> rx.Component:
    def stars(filled: int, text: str) -> rx.Component:
        return five_stars(rx.Var.create(filled), rx.Var.create(text))

    return stack(
        captioned("Hues", *[badge(hue.capitalize(), hue) for hue in HUES]),
        captioned("Statuses of an order", *[status_badge(label, hue) for label, hue in STATUSES]),
        captioned(
            "Rating on a card",
            rating(rx.Var.create("4.6"), rx.Var.create("181")),
            rating(rx.Var.create("0.0"), rx.Var.create("0")),
        ),
        captioned("Rating on a page", stars(0, ""), stars(3, "3.9 (1 review)"), stars(5, "5.0 (214 reviews)")),
    )


def labels(theme: str) -> rx.Component:
    plain = [("Payment", "Cash on delivery"), ("Contact phone", "503 555 0142"), ("Note", LONG_WORD)]
    return columns(
        captioned("From the page", fact_list(plain), class_name=""),
        captioned("From state, an odd number of facts", fact_list_from_state(FACTS), class_name=""),
        captioned("Thumbnails", thumbnail(rx.Var.create("/pictures/fern-hollow")), thumbnail(rx.Var.create(""))),
    )


def _buy_button(is_adding: bool) -> Any:
    def buy(id: Any, in_stock: Any, described_by: Any) -> rx.Component:
        return add_button(in_stock, rx.Var.create(is_adding), described_by, NO_OP, **CARD_BUTTON)

    return buy


def product_cards(theme: str) -> rx.Component:
    shown = cards(id_offset=100 if theme == "light" else 200).items()
    return rx.el.ul(*[card_layout(card, True, _buy_button(case == "Adding")) for case, card in shown], class_name=GRID)


def picks(theme: str) -> rx.Component:
    def pick(each: rx.Var[Pick]) -> rx.Component:
        return pick_layout(each, _buy_button(False))

    return pick_row(sample_picks(id_offset=500 if theme == "light" else 600), pick, f"Picked for you, {theme}")


def product_rows(theme: str) -> rx.Component:
    shown = cards(id_offset=300 if theme == "light" else 400).items()
    return rx.el.ul(*[row_layout(card, True, _buy_button(case == "Adding")) for case, card in shown])


def skeletons(theme: str) -> rx.Component:
    return stack(
        captioned("Cards", card_skeletons(GRID), class_name="max-h-120 overflow-hidden"),
        captioned("Rows", row_skeletons(), class_name="max-h-80 overflow-hidden"),
        captioned("Lines of the cart", cart_lines_skeleton(), class_name="max-w-drawer"),
        captioned("A form", form_skeleton(), class_name="max-h-120 max-w-measure overflow-hidden"),
        captioned("Orders", orders_skeleton(), class_name="max-w-measure"),
        captioned("A product", product_skeleton(), class_name="max-h-120 overflow-hidden"),
    )
