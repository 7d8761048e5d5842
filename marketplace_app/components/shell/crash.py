"""Error boundaries: one for the main content, so that header and footer stay, and one for the whole page."""

from collections.abc import Callable
from typing import Any

import reflex as rx

from marketplace_app.components.controls.buttons import button
from marketplace_app.components.controls.icons import icon
from marketplace_app.components.shell.logo import logo
from marketplace_app.framework.components import error_boundary

RELOAD = rx.Var("() => window.location.reload()")
_DETAILS = rx.Var("event_args.error?.name + ': ' + event_args.error?.message + '\\n' + (event_args.error?.stack || '')")


def crash_screen(error: rx.Var[Any]) -> rx.Component:
    return rx.fragment(
        rx.el.header(
            rx.el.div(logo(is_link=False), class_name="shell flex h-14 items-center md:h-16"),
            class_name="border-b border-line",
        ),
        rx.el.main(crash_message("Application Error", error), class_name="shell py-10 md:py-16"),
    )


def crash_message(title: str, error: Any, heading: Callable[..., rx.Component] = rx.el.h1) -> rx.Component:
    return rx.el.div(
        heading(title, class_name="text-h1"),
        rx.el.p(
            "Something went wrong on this page. Your cart and your orders are safe.",
            class_name="mt-3 text-lead text-ink-2",
        ),
        rx.el.div(button("Refresh Page", size="lg", custom_attrs={"onClick": RELOAD}), class_name="mt-6"),
        rx.el.details(
            rx.el.summary(
                "Technical details",
                icon("chevron-down", "sm", "transition-[rotate] group-open:rotate-180"),
                class_name="inline-flex min-h-11 items-center gap-1.5 text-small text-ink-2",
            ),
            rx.el.pre(error, class_name="max-h-60 overflow-auto rounded-2 bg-sunken p-4 text-cap whitespace-pre-wrap"),
            class_name="group mt-6",
        ),
    )


@rx.memo
def content_crash(details: rx.Var[str]) -> rx.Component:
    return rx.el.div(crash_message("App Component Error", details), class_name="shell py-10 md:py-16")


def content_boundary(*content: Any) -> rx.Component:
    """An error in here does not break the rest of the page."""
    return error_boundary(*content, fallback=content_crash(details=_DETAILS))


def page_boundary(is_stateful: bool) -> rx.Component:
    """For `framework.components.app_wraps`. An app without state has no server to report the error to."""
    props = {} if is_stateful else {"on_error": rx.noop()}
    return error_boundary(fallback=crash_screen(_DETAILS), **props)
