"""Who sees the admin pages, and what everybody else sees in their place (RULE admin-access)."""

from typing import Any

import reflex as rx

from marketplace_app.components.controls.buttons import button_class, button_link
from marketplace_app.components.controls.links import document_link
from marketplace_app.components.controls.skeletons import skeleton_block
from marketplace_app.components.shell.header import header
from marketplace_app.components.shell.layout import MAIN
from marketplace_app.framework.expressions import expression
from marketplace_app.messages import ADMIN_DENIED, ADMIN_SIGNED_OUT, ADMIN_UNVERIFIABLE, not_an_admin
from marketplace_app.states.events.viewer import ViewerState


def _message(title: Any, sentence: Any, *links: rx.Component) -> rx.Component:
    main = rx.el.main(
        rx.el.h1(title, class_name="text-h1"),
        rx.el.p(sentence, class_name="mt-3 text-lead text-ink-2 wrap-anywhere"),
        rx.el.div(*links, class_name="mt-6 flex flex-wrap gap-3"),
        id=MAIN,
        tab_index=-1,
        class_name="shell max-w-orders py-16 md:py-24",
    )
    return rx.fragment(header(is_catalogue=False, is_home=False), main)


def _opened_path() -> rx.Var[str]:
    """Path and query of the page that was opened; `/admin` until the prerendered page is hydrated."""
    hook = """
const openedPath = useSyncExternalStore(() => () => {}, () => location.pathname + location.search, () => "/admin")
"""
    return expression("openedPath", str, react=["useSyncExternalStore"], hook=hook)


def _signed_out() -> rx.Component:
    path = _opened_path()
    sign_in = expression(f"'/api/login?return_to=' + encodeURIComponent({path})", str)
    return _message(
        ADMIN_SIGNED_OUT,
        "Please sign in with an admin account.",
        document_link("Log In as Admin", href=sign_in, class_name=button_class("primary", "lg")),
        button_link("Return to Home", href="/", variant="outline", size="lg"),
    )


def _unverifiable() -> rx.Component:
    return _message(
        ADMIN_UNVERIFIABLE.title,
        ADMIN_UNVERIFIABLE.text,
        document_link("Try Again", href=_opened_path(), class_name=button_class("primary", "lg")),
        button_link("Return to Home", href="/", variant="outline", size="lg"),
    )


def _denied() -> rx.Component:
    return _message(
        ADMIN_DENIED,
        rx.Var.create(not_an_admin(f"{ViewerState.email}")),
        button_link("Return to Home", href="/", variant="outline", size="lg"),
    )


def _checking() -> rx.Component:
    return rx.el.main(
        rx.el.p("Checking your access…", role="status", class_name="text-small text-ink-2"),
        rx.el.div(
            skeleton_block("h-8 w-48"),
            skeleton_block("mt-6 h-24 w-full"),
            skeleton_block("mt-4 h-96 w-full"),
            aria_hidden="true",
        ),
        id=MAIN,
        tab_index=-1,
        class_name="shell grid max-w-page gap-4 py-10",
    )


def for_staff(content: rx.Component, *, others: rx.Component | None = None) -> rx.Component:
    """The content for staff; other signed-in users get `others` or a refusal, and guests are asked to sign in."""
    return rx.cond(
        ViewerState.is_unverifiable,
        _unverifiable(),
        rx.cond(
            ~ViewerState.is_known,
            _checking(),
            rx.cond(
                ~ViewerState.is_signed_in,
                _signed_out(),
                rx.cond(ViewerState.is_staff, content, others if others is not None else _denied()),
            ),
        ),
    )
