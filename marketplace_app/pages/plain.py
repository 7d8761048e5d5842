"""Short pages of text that the footer links to."""

from collections.abc import Callable
from dataclasses import dataclass

import reflex as rx

from marketplace_app import faq
from marketplace_app.components.controls.buttons import button_link
from marketplace_app.components.shell.layout import page
from marketplace_app.states.shop import ShopState


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
            f"{ShopState.texts.delivery_time} Every delivery is contactless.",
            f"{ShopState.texts.delivery_fee} {ShopState.texts.minimum_order}",
            f"{faq.CASH_ONLY} {faq.NOTHING_ELSE}",
        ),
    ),
    PlainPage(
        "/lab-results",
        "Lab Results",
        (
            "A product with a lab report shows it on its page, under Lab Results, with the date and the lot.",
            "The report has four panels: Pesticides, Heavy Metals, Residual Solvents and Microbials.",
            "A product without a lab report says so and does not show the 'Lab Tested' mark.",
        ),
    ),
)


def plain_view(plain: PlainPage) -> Callable[[], rx.Component]:
    def view() -> rx.Component:
        return page(
            rx.el.article(
                rx.el.h1(plain.title, class_name="text-h1"),
                *[rx.el.p(text, class_name="max-w-measure text-lead text-ink-2") for text in plain.paragraphs],
                rx.el.div(button_link("Contact Support", href="/support", variant="outline"), class_name="mt-2"),
                class_name="shell grid justify-items-start gap-4 pt-8 pb-20 md:pt-14",
            )
        )

    return view
