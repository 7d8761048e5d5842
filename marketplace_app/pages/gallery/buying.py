"""From the cart to the order."""

import reflex as rx

from marketplace_app.components.account.address_book import address_row
from marketplace_app.components.buying.batch_questions import batch_question
from marketplace_app.components.buying.batch_wish import wish_choice
from marketplace_app.components.buying.buy_again import buy_again_note
from marketplace_app.components.buying.cart_drawer import cart_line
from marketplace_app.components.buying.delivery_times import time_choice
from marketplace_app.components.buying.orders_list import order_card
from marketplace_app.components.buying.quote import blocker_notice, meters, progress_bar, shortfall, totals
from marketplace_app.components.buying.ready_question import ready_question
from marketplace_app.components.controls.buttons import button
from marketplace_app.components.products.legal_limit_mark import fit_mark
from marketplace_app.limits import MINIMUM_ORDER_CENTS
from marketplace_app.messages import minimum_hint
from marketplace_app.pages.gallery.frame import captioned, columns, no_op_for, stack
from marketplace_app.pages.gallery.samples import ADDRESSES, DELIVERY_TIMES, FITS, LIMITS, ORDERS, QUOTE_LINES, REFUSAL
from marketplace_app.pages.gallery.samples import cart_lines as sample_cart_lines
from marketplace_app.states.buying.order_questions import QuestionRow


def quotes(theme: str) -> rx.Component:
    return columns(
        captioned("In the cart", totals(QUOTE_LINES, "Total", "$49.20"), class_name=""),
        captioned("At the checkout", totals(QUOTE_LINES, "Total, in cash", "$49.20", has_reasons=True), class_name=""),
        captioned(
            "Under the minimum", shortfall(minimum_hint(MINIMUM_ORDER_CENTS), "Add $52 more to continue"), class_name=""
        ),
        captioned(
            "Under free delivery", progress_bar("Add $56 more for free delivery", "$144 / $200", 72), class_name=""
        ),
        captioned("Legal limits", meters(LIMITS), class_name=""),
        captioned("Over a legal limit", blocker_notice(REFUSAL), class_name=""),
        *[captioned(caption, fit_mark(rx.Var.create(over))) for caption, over in FITS],
    )


def delivery_times(theme: str) -> rx.Component:
    chosen = rx.Var.create("12-2026-11-28")
    return stack(
        time_choice(DELIVERY_TIMES, chosen, no_op_for, f"{theme}-slot"),
        time_choice(DELIVERY_TIMES, chosen, no_op_for, f"{theme}-other-slot", is_in_dialog=True),
    )


def batch_wishes(theme: str) -> rx.Component:
    return stack(wish_choice(rx.Var.create("close"), no_op_for, f"{theme}-wish"))


def batch_questions(theme: str) -> rx.Component:
    sentence = (
        "Your 2 units of Fern Hollow are from batch FH-2611 (THC 22.4%). "
        "We would like to pack from batch FH-2612 (THC 25.1%) instead."
    )
    return stack(
        *(
            batch_question(
                rx.Var.create(QuestionRow(1, sentence)),
                rx.Var.create(is_saving),
                no_op_for("yes"),
                no_op_for("no"),
                name=f"Batch, {theme}, {'saving' if is_saving else 'asked'}",
            )
            for is_saving in (False, True)
        )
    )


def ready_questions(theme: str) -> rx.Component:
    sentence = "It comes Fri, Nov 27, 5:00 PM to 7:00 PM. Please be there with your ID and exactly $152.50 in cash."
    return stack(
        *(
            ready_question(
                sentence,
                rx.Var.create(is_saving),
                no_op_for("yes"),
                button("Another time", variant="outline"),
                button("Cancel Order", variant="outline"),
                name=f"Question, {theme}, {'saving' if is_saving else 'asked'}",
            )
            for is_saving in (False, True)
        )
    )


def cart_lines(theme: str) -> rx.Component:
    return rx.el.ul(
        *[
            cart_line(line, no_op_for, no_op_for)
            for line in sample_cart_lines(id_offset=100 if theme == "light" else 200)
        ],
        class_name="max-w-drawer",
    )


def orders(theme: str) -> rx.Component:
    return stack(rx.el.ul(*[order_card(order) for order in ORDERS], class_name="max-w-orders"))


def bought_again(theme: str) -> rx.Component:
    def shown(caption: str, added: str, missing: str) -> rx.Component:
        return captioned(caption, buy_again_note(rx.Var.create(added), rx.Var.create(missing)), class_name="")

    return columns(
        shown("All of it", "Fern Hollow, Quiet Mint have been added to your cart.", ""),
        shown("Some of it", "Fern Hollow has been added to your cart.", "Not enough in stock: Slow Honey."),
        shown("None of it", "", "No longer available: Slow Honey."),
    )


def addresses(theme: str) -> rx.Component:
    return rx.el.ul(*[address_row(row) for row in ADDRESSES], class_name="max-w-orders")
