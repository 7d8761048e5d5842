"""`/drive`: a driver's run (RULE drive-page).

Without state: it is served without Reflex's scripts (`framework/static_pages.py`), so that it needs no socket and works
without a connection. `assets/drive.js` does everything on it.
"""

from typing import Any

import orjson
import reflex as rx

from marketplace_app import dispatch_messages
from marketplace_app.components.controls.buttons import button
from marketplace_app.components.controls.dialogs import primitive
from marketplace_app.components.controls.links import document_link
from marketplace_app.components.drive.parts import big_button, field_text
from marketplace_app.components.drive.stop import stop, stop_list
from marketplace_app.components.shell.layout import MAIN, skip_link
from marketplace_app.components.shell.logo import logo
from marketplace_app.messages import SIGNED_OUT
from marketplace_app.models import StopEventKind
from marketplace_app.services.dispatch.failures import RULES

_SIGN_IN = (
    "inline-flex min-h-16 items-center justify-center rounded-3 bg-brand px-8 text-lead font-semibold text-on-brand"
)


def drive() -> rx.Component:
    return rx.el.div(
        rx.el.script(src="/drive.js", custom_attrs={"async": True}),
        _import_dialogs(),
        skip_link(),
        _header(),
        rx.el.main(
            rx.el.div(
                rx.el.h1("Your run", class_name="text-h3"),
                rx.el.p(field_text("run"), class_name="min-w-0 text-body text-ink-2 wrap-anywhere"),
                class_name="flex flex-wrap items-baseline justify-between gap-x-4",
            ),
            rx.el.div(
                rx.el.p(
                    field_text("notice"),
                    data_hide_if_empty="notice",
                    class_name="rounded-3 bg-amber-wash p-4 text-lead",
                ),
                role="alert",
                class_name="contents",
            ),
            *_views(),
            id=MAIN,
            tab_index=-1,
            class_name="mx-auto grid w-full max-w-page flex-1 grid-cols-1 content-start gap-4 px-4 py-4",
        ),
        data_drive=orjson.dumps(_texts()).decode(),
        class_name="relative flex min-h-svh flex-col",
    )


def _import_dialogs() -> rx.Component:
    """Renders nothing. Without it, this would be the only page without dialogs, so Vite would divide the scripts that
    all pages share into more files: 0.4 kB more on every first visit (`tests/e2e/test_weight.py`)."""
    return primitive.root()


def _texts() -> dict[str, Any]:
    return {
        **dispatch_messages.DRIVE_PAGE,
        "failures": {reason.value: rule.label for reason, rule in RULES.items()},
        "idRefused": dispatch_messages.REFUSALS["id_not_accepted"],
        "cancelled": dispatch_messages.CANCELLED_AT_DOOR,
        "recalled": dispatch_messages.RECALLED_AT_DOOR,
        "pinExpected": dispatch_messages.PIN_EXPECTED,
        "signatureMissing": dispatch_messages.MISSING_STEPS[StopEventKind.SIGNED],
        "cashShort": dispatch_messages.CASH_SHORT,
        "signedOut": {"title": SIGNED_OUT.title, "text": SIGNED_OUT.text},
    }


def _header() -> rx.Component:
    status = rx.el.div(
        rx.el.p(field_text("status"), role="status", class_name="min-w-0 flex-1 text-body font-semibold"),
        button("Send now", variant="outline", data_act="send", hidden=True),
        class_name="flex min-h-13 items-center gap-3 border-t border-line px-4 py-1 data-waiting:bg-amber-wash",
        data_part="status",
    )
    return rx.el.header(
        rx.el.div(
            logo(),
            button("Sign Out", variant="ghost", data_act="sign-out"),
            class_name="flex h-14 items-center justify-between gap-4 px-4",
        ),
        status,
        class_name="sticky top-0 z-(--z-header) border-b border-line bg-paper",
    )


def _view(name: str, *content: Any) -> rx.Component:
    return rx.el.div(*content, data_view=name, hidden=name != "loading", class_name="grid justify-items-start gap-5")


def _not_on_run() -> rx.Component:
    """For whoever scanned the label of another driver's bag (RULE bag-labels)."""
    text = rx.el.p(
        "Order ",
        field_text("wanted", "tabular-nums wrap-anywhere"),
        " is not on your run.",
        data_hide_if_empty="wanted",
        hidden=True,
        class_name="rounded-3 bg-amber-wash p-4 text-lead lg:col-span-full",
    )
    return rx.el.div(text, role="alert", class_name="contents")


def _views() -> tuple[rx.Component, ...]:
    def paragraph(text: str) -> rx.Component:
        return rx.el.p(text, class_name="max-w-text text-lead")

    return (
        _view("loading", paragraph("Loading your run...")),
        _view(
            "none",
            _not_on_run(),
            paragraph(dispatch_messages.NO_RUN),
            big_button("Look Again", variant="outline", data_act="send"),
        ),
        _view("offline", paragraph(dispatch_messages.NOTHING_KEPT), big_button("Try Again", data_act="send")),
        _view("denied", rx.el.p(field_text("denied"), class_name="max-w-text text-lead")),
        _view(
            "guest",
            paragraph(dispatch_messages.SIGN_IN_TO_SEND),
            document_link("Sign In", href="/api/login?return_to=/drive", data_part="sign-in", class_name=_SIGN_IN),
        ),
        rx.el.div(
            _not_on_run(),
            stop(),
            stop_list(),
            data_view="run",
            hidden=True,
            class_name="grid grid-cols-1 gap-4 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)] lg:items-start",
        ),
    )
