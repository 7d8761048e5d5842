"""Terms, privacy, compliance and returns: the owner's text, or a short default one."""

from collections.abc import Callable

import reflex as rx

from marketplace_app import faq
from marketplace_app.components.controls.buttons import button_link
from marketplace_app.components.controls.skeletons import skeleton_block
from marketplace_app.components.legal_text import legal_text
from marketplace_app.components.shell.layout import page
from marketplace_app.components.shell.load_failure import unless_load_failed
from marketplace_app.models import LegalPage
from marketplace_app.states.legal import LegalState
from marketplace_app.states.shop import ShopState

DEFAULT_TEXTS: dict[LegalPage, tuple[str | rx.Var[str], ...]] = {
    LegalPage.RETURNS: (
        f"If you received the wrong product, tell us through Support. {faq.WRONG_PRODUCT}",
        f"Order issues are answered within 1 hour, {ShopState.texts.support_hours}.",
    ),
    LegalPage.PRIVACY: (
        ShopState.texts.birth_date,
        "We keep your name, address and phone number with your orders so that we can deliver them, and in your account "
        "to fill in checkout. You can change or remove those in your account settings.",
        "Anyone who opens your referral link sees your first name and nothing else about you.",
        "We use your preferences to pick products for you, and for nothing else. Medical needs are kept only with your "
        "consent, are not used to pick products, and are erased when you withdraw your consent.",
        "In your account settings you can download everything the store knows about you, change it, and delete your "
        "account. Once it is deleted, the sales records that the law requires us to keep no longer contain your name, "
        "address or contact details.",
    ),
    LegalPage.TERMS: (
        "You must be 21 or older to purchase. Orders are paid in cash when they are delivered.",
        "The total you agree to at checkout is the total you pay. You can see your orders, and what each of them cost, "
        "in your account at any time.",
    ),
    LegalPage.COMPLIANCE: (
        "We sell to adults aged 21 or older. Your age is verified before you can place an order.",
        "Keep products out of reach of children. They have not been analyzed by the FDA.",
    ),
}


def legal_view(legal_page: LegalPage) -> Callable[[], rx.Component]:
    def view() -> rx.Component:
        default = rx.fragment(
            *[rx.el.p(text, class_name="max-w-measure text-lead text-ink-2") for text in DEFAULT_TEXTS[legal_page]]
        )
        written = rx.fragment(
            rx.el.p("Last updated ", LegalState.published, class_name="text-small text-ink-3"),
            legal_text(LegalState.blocks),
        )
        # Until the text of this page arrives, that of the page before is not shown under its heading.
        is_of_another = (LegalState.page != "") & (LegalState.page != legal_page.value)
        waiting = rx.el.div(skeleton_block("h-60 w-full"), aria_hidden="true", class_name="w-full")
        text = rx.cond(is_of_another, waiting, rx.cond(LegalState.published != "", written, default))
        return page(
            rx.el.article(
                rx.el.h1(legal_page.label, class_name="text-h1"),
                unless_load_failed(text),
                rx.el.div(button_link("Contact Support", href="/support", variant="outline"), class_name="mt-2"),
                class_name="shell grid justify-items-start gap-4 pt-8 pb-20 md:pt-14",
            )
        )

    return view
