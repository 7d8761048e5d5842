"""`/test`: the number of products, the first as raw data, and a test image; public."""

import reflex as rx

from marketplace_app.components.controls.notices import note
from marketplace_app.components.controls.pictures import picture
from marketplace_app.components.controls.skeletons import skeleton_block
from marketplace_app.components.shell.layout import page
from marketplace_app.components.shell.load_failure import unless_load_failed
from marketplace_app.states.self_check import SelfCheckState


def _raw(text: rx.Var[str]) -> rx.Component:
    return rx.el.pre(text, class_name="rounded-2 bg-sunken p-4 text-cap break-words whitespace-pre-wrap")


def result(count: rx.Var[int], first: rx.Var[str], image: rx.vars.StringVar[str]) -> rx.Component:
    figure = rx.el.figure(
        rx.el.div(
            picture(image, "(min-width: 48rem) 18rem, 12rem", "Test image", is_eager=True),
            class_name="relative aspect-4/5 w-48 overflow-hidden rounded-2 bg-sunken md:w-72",
        ),
        rx.el.figcaption("Test image", class_name="mt-2 text-cap text-ink-3"),
    )
    data = rx.el.div(
        rx.el.h2("First product", class_name="mb-3 text-h3"),
        _raw(first),
        class_name="min-w-0",
    )
    return rx.el.div(
        rx.el.p("Number of products: ", rx.el.b(count, class_name="font-semibold"), class_name="text-lead"),
        rx.cond(
            first != "",
            rx.el.div(data, figure, class_name="grid gap-8 md:grid-cols-[minmax(0,1fr)_auto]"),
            rx.el.p("There are no products.", class_name="text-ink-2"),
        ),
        class_name="grid gap-6",
    )


def failed(error: rx.Var[str] | str) -> rx.Component:
    return note(
        rx.el.p(rx.el.b("Error:", class_name="font-semibold"), " ", error), symbol="alert", variant="bad", role="alert"
    )


def skeleton() -> rx.Component:
    return rx.el.div(
        skeleton_block("h-7 w-56"),
        rx.el.div(
            skeleton_block("h-120 w-full"),
            skeleton_block("aspect-4/5 w-48 md:w-72"),
            class_name="grid gap-8 md:grid-cols-[minmax(0,1fr)_auto]",
        ),
        aria_hidden="true",
        class_name="grid gap-6",
    )


def self_check() -> rx.Component:
    body = rx.match(
        SelfCheckState.view,
        ("ready", result(SelfCheckState.count, SelfCheckState.first, SelfCheckState.image)),
        ("failed", failed(SelfCheckState.error)),
        skeleton(),
    )
    return page(
        rx.el.div(
            rx.el.h1("Product test", class_name="text-h1"),
            rx.el.div(unless_load_failed(body), aria_busy=SelfCheckState.view == "loading", class_name="mt-6"),
            class_name="shell pt-8 pb-20 md:pt-14",
        )
    )
