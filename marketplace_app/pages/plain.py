"""Short pages of text behind the footer. What only the shop's lawyer may write is named as missing, not invented."""

from collections.abc import Callable
from dataclasses import dataclass

import reflex as rx

from marketplace_app import faq
from marketplace_app.components.buttons import button_link
from marketplace_app.components.layout import page
from marketplace_app.states.shop import ShopState

UNWRITTEN = (
    "The full text is the shop's to write with its lawyer. It is not published yet; ask us for it through Support."
)


@dataclass(frozen=True)
class PlainPage:
    route: str
    title: str
    paragraphs: tuple[str, ...]


PLAIN_PAGES = (
    PlainPage(
        "/shipping",
        "Shipping Info",
        (
            f"{ShopState.words.delivery_time} Contactless, always.",
            f"{ShopState.words.delivery_fee} {ShopState.words.minimum_order}",
            f"{faq.CASH_ONLY} {faq.NOTHING_ELSE}",
        ),
    ),
    PlainPage(
        "/returns",
        "Returns",
        (
            f"If you received the wrong product, tell us through Support. {faq.WRONG_PRODUCT}",
            f"Order issues are answered within 1 hour, {ShopState.words.support_hours}.",
        ),
    ),
    PlainPage(
        "/privacy",
        "Privacy Policy",
        (
            "Your date of birth is compared once and forgotten. We keep that you are of age, never when you were born.",
            "Your name, address and phone number are kept with your orders, so that they can be delivered, and in your "
            "account, so that checkout opens filled in. You can change and remove them in its settings.",
            "Somebody who opens your referral link sees your first name, and nothing else of you.",
            "Your preferences pick products for you, and nothing else. Medical needs are kept with your consent alone, "
            "pick nothing, and are erased when you withdraw it.",
            "You can delete your account. Sales lines that the law makes us keep then stay without your name.",
            UNWRITTEN,
        ),
    ),
    PlainPage(
        "/terms",
        "Terms of Service",
        ("You must be 21 or older to purchase. Orders are paid in cash when they are delivered.", UNWRITTEN),
    ),
    PlainPage(
        "/lab-results",
        "Lab Results",
        (
            "A product with a lab report shows it on its page, under Lab Results, with the date and the lot.",
            "The report has four panels: Pesticides, Heavy Metals, Residual Solvents and Microbials.",
            "A product without one says so. Then it carries no 'Lab Tested' mark either.",
        ),
    ),
    PlainPage(
        "/compliance",
        "Compliance",
        (
            "We sell to adults aged 21 or older. Your age is checked before you enter and again before you order.",
            "Keep products out of reach of children. They have not been analyzed by the FDA.",
            UNWRITTEN,
        ),
    ),
)


def plain_view(plain: PlainPage) -> Callable[[], rx.Component]:
    def view() -> rx.Component:
        return page(
            rx.el.article(
                rx.el.h1(plain.title, class_name="text-h1"),
                *[rx.el.p(words, class_name="max-w-measure text-lead text-ink-2") for words in plain.paragraphs],
                rx.el.div(button_link("Contact Support", href="/support", variant="outline"), class_name="mt-2"),
                class_name="shell grid justify-items-start gap-4 pt-8 pb-20 md:pt-14",
            )
        )

    return view
