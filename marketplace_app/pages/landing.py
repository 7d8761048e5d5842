"""The landing page: what a guest sees on `/`."""

from typing import Any

import reflex as rx

from marketplace_app.components.controls.buttons import sign_in_button
from marketplace_app.components.controls.icons import icon
from marketplace_app.components.controls.links import shop_link
from marketplace_app.components.controls.pictures import picture
from marketplace_app.components.film import film, film_toggle
from marketplace_app.components.products.categories import category_url
from marketplace_app.components.shell.age_gate import age_gate
from marketplace_app.components.shell.settings_text import hidden_if_empty, settings_text
from marketplace_app.states.events.viewer import ViewerState

_DELIVERY_TIME = rx.fragment("At your door within ", settings_text("delivery_within"), ". You choose where it is left.")
FEATURES = (
    ("flask", "Lab Tested", "Product pages show lab reports: pesticides, metals, solvents, microbials."),
    ("award", "Premium Quality", "Every product lists its type, potency and what it contains."),
    ("truck", "Fast Shipping", _DELIVERY_TIME),
    ("leaf", "Natural", "Product pages list what each product is made of."),
)
CATEGORY_PICTURES = (
    ("THC Flower", "fern-hollow"),
    ("Pre-Rolls", "first-light"),
    ("Concentrates", "slow-honey"),
    ("Vapes", "amber-road"),
    ("Edibles", "blackberry-dusk"),
)


def _hero() -> rx.Component:
    """The text beside the picture in a wide window, above it in a narrow or tall one."""
    still = rx.el.div(class_name="hero-still absolute inset-x-0 bottom-0 h-2/3 wide:inset-0 wide:h-full")
    gradient = rx.el.div(
        class_name=(
            "absolute inset-0 bg-linear-to-b from-deep from-34% to-transparent to-60% wide:from-[rgb(11_22_15/.55)] "
            "wide:from-0% wide:to-22%"
        )
    )
    introduction = rx.el.div(
        rx.el.h1("Careful cannabis, brought to your door.", class_name="max-w-[11.5em] text-display"),
        rx.el.p(
            "A private store for adults 21 and over. Contactless delivery within ",
            settings_text("delivery_within"),
            ", paid in cash at the door.",
            class_name="mt-3.5 mb-5 max-w-[29rem] text-body text-balance text-ink-2 md:mt-5.5 md:mb-7.5 md:text-lead",
        ),
        rx.el.div(
            sign_in_button("Sign In to Shop"),
            sign_in_button("Browse Products", variant="clear"),
            class_name="flex flex-col gap-3 sm:flex-row",
        ),
        class_name="shell relative flex-1 pt-18 md:pt-24 wide:flex wide:flex-col wide:justify-center wide:py-16",
    )
    return rx.el.section(
        still,
        film(),
        gradient,
        introduction,
        film_toggle(),
        data_ground="deep",
        aria_label="Welcome",
        class_name=(
            "relative flex min-h-190 flex-col overflow-hidden bg-paper wide:min-h-[max(640px,calc(100svh-80px))]"
        ),
    )


def _offers() -> rx.Component:
    def offer(heading: Any, text: Any) -> rx.Component:
        return rx.el.div(
            rx.el.p(heading, class_name="font-serif text-h3 text-ink md:text-h2"),
            rx.el.p(text),
            class_name=(
                "grid content-center gap-0.5 border-line p-4 text-small text-ink-2 not-nth-2:border-l lg:border-l "
                "lg:px-7 lg:py-6"
            ),
        )

    first_purchase = rx.el.div(
        rx.el.p(
            settings_text("percent_off"), class_name="row-span-2 font-serif text-[2.25rem] leading-none md:text-[3rem]"
        ),
        rx.el.p("First purchase", class_name="text-over font-semibold uppercase"),
        rx.el.p("Applied automatically at checkout. No code.", class_name="text-small text-pretty"),
        class_name=(
            "col-span-2 grid items-center gap-x-4 gap-y-0.5 xs:grid-cols-[auto_1fr] bg-amber p-4 text-on-amber "
            "lg:col-span-1 lg:gap-x-6 lg:px-7 lg:py-6"
        ),
    )
    return rx.el.section(
        rx.el.div(
            hidden_if_empty("percent_off", first_purchase),
            hidden_if_empty("referral_off", offer(settings_text("referral_off"), "with a referral")),
            offer("Free shipping", settings_text("free_shipping")),
            class_name=(
                "relative -mt-5.5 grid grid-cols-2 rounded-1 border border-ink bg-surface shadow-lift outline "
                "outline-surface md:-mt-7.5 lg:grid-cols-[1.5fr_1fr_1fr]"
            ),
        ),
        aria_label="Offers",
        class_name="shell",
    )


def _features() -> rx.Component:
    def feature(symbol: str, heading: str, text: Any) -> rx.Component:
        return rx.el.li(
            icon(symbol, "lg", "text-brand-text"),
            rx.el.h2(heading, class_name="mt-3.5 mb-1.5 text-h3"),
            rx.el.p(text, class_name="text-small text-ink-2"),
            class_name="pr-3.5 md:px-7 md:not-first:border-l md:first:pl-0 border-line",
        )

    return rx.el.section(
        rx.el.ul(
            *[feature(*each) for each in FEATURES],
            class_name="grid grid-cols-2 gap-y-7 py-10 md:grid-cols-4 md:pt-18 md:pb-16",
        ),
        aria_label="What to expect",
        class_name="shell",
    )


def _categories() -> rx.Component:
    def tile(name: str, slug: str) -> rx.Component:
        return rx.el.li(
            shop_link(
                rx.el.span(
                    picture(rx.Var.create(f"/pictures/{slug}"), "(min-width: 48rem) 20vw, 44vw"),
                    class_name="relative block aspect-4/5 overflow-hidden rounded-2 bg-sunken",
                ),
                rx.el.span(
                    name,
                    icon("arrow-right", "sm"),
                    class_name=(
                        "flex min-h-11 items-center justify-between text-ui font-semibold group-hover:text-brand-text"
                    ),
                ),
                href=category_url(name),
                class_name="group block rounded-2",
            )
        )

    return rx.el.section(
        rx.el.h2("On the shelf", class_name="text-h2"),
        rx.el.ul(
            *[tile(*each) for each in CATEGORY_PICTURES],
            class_name=(
                "scrollbar-none -mx-(--gutter) mt-3.5 mb-12 grid grid-cols-[repeat(5,44vw)] gap-3 overflow-x-auto "
                "px-(--gutter) md:mx-0 md:mt-5 md:mb-22 md:grid-cols-5 md:gap-4 md:px-0 after-paint"
            ),
        ),
        class_name="shell",
    )


def _create_account() -> rx.Component:
    return rx.el.section(
        rx.el.div(
            rx.el.div(
                rx.el.h2("Create Your Account", class_name="text-h2"),
                rx.el.p(
                    settings_text("account_offer"),
                    class_name="mt-1.5 text-ink-2",
                ),
            ),
            sign_in_button("Create Your Account", variant="amber"),
            class_name="shell flex flex-col justify-between gap-8 py-10 md:flex-row md:items-center md:py-14",
        ),
        class_name="border-t border-line bg-wash",
    )


def landing() -> rx.Component:
    return rx.el.div(
        _hero(),
        _offers(),
        _features(),
        _categories(),
        _create_account(),
        age_gate("once-a-day", update_on=ViewerState.is_known),
    )
