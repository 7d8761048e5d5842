"""The footer: what the store is, beside three columns of links (RULE footer)."""

import reflex as rx

from marketplace_app.components.controls.links import link, shop_link
from marketplace_app.components.products.categories import CATEGORIES, category_url
from marketplace_app.components.shell.logo import logo
from marketplace_app.components.shell.settings_text import settings_text
from marketplace_app.config import get_settings

SUPPORT = (("Contact Support", "/support"), ("FAQ", "/faq"), ("Shipping Info", "/shipping"), ("Returns", "/returns"))
LEGAL = (
    ("Privacy Policy", "/privacy"),
    ("Terms of Service", "/terms"),
    ("Lab Results", "/lab-results"),
    ("Compliance", "/compliance"),
)
FDA = (
    "These statements have not been evaluated by the Food and Drug Administration. These products are not intended "
    "to diagnose, treat, cure or prevent any disease."
)
_LINK = "inline-flex min-h-11 items-center hover:text-ink hover:underline underline-offset-3 md:min-h-[34px]"


def _column(heading: str, label: str, *links: rx.Component) -> rx.Component:
    return rx.el.nav(
        rx.el.h2(heading, class_name="font-sans text-small font-semibold text-ink"),
        rx.el.ul(*[rx.el.li(item) for item in links], class_name="mt-2"),
        aria_label=label,
    )


def _about() -> rx.Component:
    return rx.el.div(
        rx.el.div(logo(), class_name="text-ink"),
        rx.el.p(
            "Private. Contactless delivery within ",
            settings_text("delivery_within"),
            ". Cash on delivery.",
            class_name="max-w-[26ch]",
        ),
        rx.el.p("Must be 21+ to purchase", class_name="font-semibold text-ink"),
        class_name="col-span-2 grid content-start justify-items-start gap-3.5 text-ink-2 md:col-span-1",
    )


def footer(suffix: str = "") -> rx.Component:
    """`suffix` makes the names of the landmarks unique where there are several footers."""
    return rx.el.footer(
        rx.el.div(
            rx.el.div(
                _about(),
                _column(
                    "Products",
                    f"Products{suffix}",
                    *[shop_link(name, href=category_url(name), class_name=_LINK) for name in CATEGORIES],
                ),
                _column(
                    "Support", f"Support{suffix}", *[link(name, href=href, class_name=_LINK) for name, href in SUPPORT]
                ),
                _column("Legal", f"Legal{suffix}", *[link(name, href=href, class_name=_LINK) for name, href in LEGAL]),
                class_name=(
                    "grid grid-cols-2 gap-6 pt-10 pb-6 md:grid-cols-[1.6fr_1fr_1fr_1fr] md:gap-8 md:pt-16 md:pb-10"
                ),
            ),
            rx.el.div(
                rx.el.p(FDA, class_name="max-w-[64ch]"),
                rx.el.p(f"© 2024 {get_settings().store_name}", class_name="whitespace-nowrap"),
                class_name="flex flex-col justify-between gap-3 border-t border-line pt-5 pb-8 md:flex-row md:gap-8",
            ),
            class_name="shell",
        ),
        data_ground="deep",
        class_name="bg-paper text-small text-ink-2",
    )
