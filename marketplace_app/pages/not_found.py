"""The page of every path that the site map does not have."""

import reflex as rx

from marketplace_app.components.controls.buttons import button_link
from marketplace_app.components.shell.layout import page

_ARCH = "M160 8C236 8 288 62 288 138V372H32V138C32 62 84 8 160 8Z"
_SHELVES = "M32 300H288M32 196H288"
_JARS = (
    "M56 300v-64q0-10 10-10h28q10 0 10 10v64M62 226v-14h36v14M132 300v-40q0-8 8-8h30q8 0 8 8v40M116 "
    "196v-58h36v58M122 138v-12h24v12M196 196v-44q0-8 8-8h26q8 0 8 8v44"
)


def _illustration() -> rx.Component:
    """An arch of shelves with one empty place."""
    return rx.el.svg(
        rx.el.path(d=_ARCH, class_name="fill-wash"),
        rx.el.path(d=_SHELVES + _JARS),
        rx.el.path(d="M210 300h52", class_name="stroke-amber stroke-3"),
        view_box="0 0 320 380",
        class_name="icon w-full max-w-80 justify-self-center text-brand-text",
        aria_hidden="true",
    )


def not_found() -> rx.Component:
    return page(
        rx.el.div(
            rx.el.div(
                rx.el.h1("404 Page Not Found", class_name="text-[clamp(2.5rem,2rem+2vw,3.25rem)] leading-[1.1]"),
                rx.el.p(
                    "The page may have moved, or the address may be mistyped.",
                    class_name="mt-3.5 mb-6.5 max-w-[40ch] text-lead text-ink-2",
                ),
                rx.el.div(
                    button_link("Back to Products", href="/", size="lg"),
                    button_link("Contact Support", href="/support", variant="outline", size="lg"),
                    class_name="flex flex-wrap gap-3",
                ),
            ),
            _illustration(),
            class_name="shell grid items-center gap-12 py-10 md:min-h-160 md:grid-cols-[1.2fr_.8fr]",
        )
    )
