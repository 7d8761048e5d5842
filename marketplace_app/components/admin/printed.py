"""A page for the printer: a sheet, and above it a bar that is not printed."""

from typing import Any

import reflex as rx

from marketplace_app.components.admin.access import for_staff
from marketplace_app.components.controls.buttons import button
from marketplace_app.components.controls.icons import icon
from marketplace_app.components.controls.links import link
from marketplace_app.components.shell.layout import MAIN
from marketplace_app.components.shell.load_failure import unless_load_failed

_PRINT = rx.Var("() => window.print()")


def printed_page(
    view: rx.Var[str],
    sheet: rx.Component,
    back_label: str,
    back_href: Any,
    *others: tuple[str, rx.Component],
    title: str,
    skeleton: rx.Component,
) -> rx.Component:
    """`view` is 'loading', 'found' or the name of one of `others`, each with what it shows in place of the sheet.

    `title` is the heading if the page could not be loaded. `back_label` and `back_href` are for the link to the page
    that this one belongs to.
    """
    bar = rx.el.div(
        link(
            icon("arrow-left", "sm"),
            back_label,
            href=back_href,
            class_name="inline-flex min-h-11 items-center gap-2 font-semibold text-brand-text hover:underline",
        ),
        button(icon("printer", "sm"), "Print", size="sm", custom_attrs={"onClick": _PRINT}),
        class_name="flex items-center justify-between gap-3 print:hidden",
    )
    return for_staff(
        rx.el.main(
            unless_load_failed(
                rx.match(
                    view,
                    ("found", rx.el.div(bar, sheet, class_name="grid grid-cols-1 gap-6")),
                    *others,
                    skeleton,
                ),
                title=title,
            ),
            id=MAIN,
            tab_index=-1,
            class_name="mx-auto min-h-svh max-w-180 px-4 py-6 text-small print:max-w-none print:p-0",
        )
    )
