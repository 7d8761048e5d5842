"""Panels over a page that do not block it: the install prompt and the browser privacy notice.

`assets/overlays.js` decides when to show them and remembers the answers. Its `data-panel` on `<html>` names the one
that is shown.
"""

from typing import Any

import reflex as rx

from marketplace_app import clock
from marketplace_app.components.controls.buttons import button, button_class
from marketplace_app.components.controls.icons import icon
from marketplace_app.components.controls.links import document_link
from marketplace_app.components.shell.logo import mark
from marketplace_app.config import get_settings
from marketplace_app.limits import INSTALL_PROMPT_AGAIN_AFTER, PRIVACY_NOTICE_DELAY

_SHOWN = {"install": "in-data-[panel=install]:grid", "privacy": "in-data-[panel=privacy]:grid"}
# On narrow screens, the checkout and the page of a product have a bar at the foot; the panels are above it.
_POSITION = (
    "fixed bottom-4 left-4 z-(--z-sticky) w-[calc(100vw-2rem)] max-w-100 animate-rise "
    "max-lg:in-[body:has([data-foot-bar])]:bottom-24"
)


def _panel(
    name: str, symbol: rx.Component, title: str, text: str, *answers: Any, class_name: str, suffix: str, **data: Any
) -> rx.Component:
    return rx.el.section(
        rx.el.div(symbol, class_name="grid size-10 place-items-center rounded-2 bg-wash text-brand-text"),
        rx.el.div(
            rx.el.h2(title, class_name="font-sans text-ui font-semibold"),
            rx.el.p(text, class_name="mt-0.5 text-small text-pretty text-ink-2"),
        ),
        rx.el.div(*answers, class_name="col-span-2 flex flex-wrap gap-2.5"),
        aria_label=f"{title}{suffix}",
        data_panel=name,
        class_name=(
            f"hidden {_SHOWN[name]} grid-cols-[auto_1fr] gap-x-3.5 gap-y-3 rounded-3 border border-line bg-surface p-4 "
            f"text-ink shadow-over {class_name}"
        ),
        **data,
    )


def install_prompt(class_name: str = "", suffix: str = "") -> rx.Component:
    """`suffix` makes the panel's name unique where there are several."""
    name = get_settings().store_name
    return _panel(
        "install",
        mark("size-6"),
        f"{name} as an app",
        "It opens from your home screen in its own window. You can remove it at any time.",
        button("Install App", data_answer="install"),
        button("Later", variant="outline", data_answer="later"),
        class_name=class_name,
        suffix=suffix,
        data_again_after=clock.in_milliseconds(INSTALL_PROMPT_AGAIN_AFTER),
    )


def privacy_notice(class_name: str = "", suffix: str = "") -> rx.Component:
    return _panel(
        "privacy",
        icon("help"),
        "Browser privacy notice",
        "This page is shown inside another site or as a preview, where your browser may block sign-in and the cart. "
        "Everything works in a separate tab.",
        document_link(
            "Open in New Tab", href="/", class_name=button_class(), target="_blank", rel="noopener", data_answer="open"
        ),
        button("Continue Here", variant="outline", data_answer="stay"),
        class_name=class_name,
        suffix=suffix,
        data_after=clock.in_milliseconds(PRIVACY_NOTICE_DELAY),
        data_preview_domain=get_settings().preview_domain,
    )


def overlays() -> rx.Component:
    return rx.el.div(install_prompt(_POSITION), privacy_notice(_POSITION), aria_live="polite")
