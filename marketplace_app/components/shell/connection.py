"""The notice that is shown while the connection to the server is down."""

import reflex as rx

from marketplace_app.components.controls.icons import icon
from marketplace_app.framework.components import is_connection_lost


def connection_overlay(is_stateful: bool) -> rx.Component | None:
    """For `framework.components.app_wraps`, replacing Reflex's own."""
    return rx.fragment(_live_region()) if is_stateful else None


def offline_notice() -> rx.Component:
    return rx.el.p(
        icon("cloud-off", class_name="text-bad"),
        "No connection to the store. Trying again...",
        class_name=(
            "flex items-center gap-3 rounded-3 border border-line bg-surface px-4 py-3 text-small text-ink shadow-over"
        ),
    )


def _live_region() -> rx.Component:
    return rx.el.div(
        rx.cond(
            is_connection_lost(),
            rx.el.div(
                offline_notice(),
                id="offline",
                class_name="fixed bottom-4 left-4 z-(--z-toast) max-w-[calc(100vw-2rem)]",
            ),
        ),
        aria_live="polite",
    )
