"""Panels over the page: dialogs, drawers and a menu from the right, and sheets from below.

All of them are Radix's dialog primitive: focus stays inside and returns when the panel closes, and Escape or a click
outside closes it. With a trigger, they open in the browser at once, without a request to the server.
"""

from typing import Any

import reflex as rx

from marketplace_app.components.controls.buttons import button, icon_button

primitive = rx.radix.primitives.dialog
_SCRIM = "fixed inset-0 z-(--z-scrim) bg-scrim data-[state=open]:animate-fade-in data-[state=closed]:animate-fade-out"
_SHAPES = {
    "dialog": (
        "top-1/2 left-1/2 z-(--z-dialog) max-h-[88svh] w-[calc(100vw-2rem)] max-w-120 -translate-1/2 rounded-3 "
        "data-[state=open]:animate-rise"
    ),
    "wide": (
        "top-1/2 left-1/2 z-(--z-dialog) max-h-[88svh] w-[calc(100vw-2rem)] max-w-180 -translate-1/2 rounded-3 "
        "data-[state=open]:animate-rise"
    ),
    "drawer": (
        "inset-y-0 right-0 z-(--z-drawer) w-full max-w-drawer short:overflow-auto data-[state=open]:animate-drawer-in "
        "data-[state=closed]:animate-drawer-out"
    ),
    "menu": (
        "inset-y-0 right-0 z-(--z-drawer) w-[88vw] max-w-menu data-[state=open]:animate-drawer-in "
        "data-[state=closed]:animate-drawer-out"
    ),
    "sheet": (
        "inset-x-0 bottom-0 z-(--z-drawer) max-h-[88svh] rounded-t-3 data-[state=open]:animate-sheet-in "
        "data-[state=closed]:animate-sheet-out"
    ),
}


# Without a trigger the dialog itself remembers the focused element, and returns the focus to it.
_RETURN_FOCUS = {
    "onOpenAutoFocus": rx.Var("(event) => { event.target.openedFrom = document.activeElement; }"),
    "onCloseAutoFocus": rx.Var("(event) => { event.preventDefault(); event.target.openedFrom?.focus(); }"),
}


def dialog(*content: Any, trigger: rx.Component | None = None, shape: str = "dialog", **root: Any) -> rx.Component:
    """One `dialog_title` among the content names it. Without a trigger, `open` and `on_open_change` control it."""
    return primitive.root(
        *([primitive.trigger(trigger, as_child=True)] if trigger else []),
        primitive.portal(
            primitive.overlay(class_name=_SCRIM),
            primitive.content(
                *content,
                aria_describedby="",  # else Radix refers to a description that does not exist
                data_shape=shape,
                custom_attrs={} if trigger else dict(_RETURN_FOCUS),  # Reflex writes `data_shape` into it
                class_name=f"fixed flex flex-col bg-surface text-ink shadow-over outline-none {_SHAPES[shape]}",
            ),
        ),
        **root,
    )


def dialog_title(*children: Any, class_name: str = "text-h3") -> rx.Component:
    return primitive.title(rx.el.h2(*children, class_name=class_name), as_child=True)


def dialog_header(*title: Any, below: Any = None) -> rx.Component:
    """The title with a button that closes the dialog; `below` is a smaller line under the title."""
    return rx.el.header(
        rx.el.div(
            dialog_title(*title),
            rx.el.p(below, class_name="text-cap text-ink-3") if below is not None else None,
            class_name="min-w-0 py-2.25 wrap-anywhere",  # a title of one line is as high as the button
        ),
        close_button(),
        class_name="flex flex-none items-start justify-between gap-3 border-b border-line py-2 pr-2 pl-5",
    )


def dialog_footer(cancel: str, *buttons: Any) -> rx.Component:
    """`cancel` is the label of the button that closes the dialog and changes nothing."""
    return rx.el.footer(
        closes_dialog(button(cancel, variant="outline")),
        *buttons,
        class_name="flex flex-none flex-wrap justify-end gap-2.5 border-t border-line px-5 py-3.5",
    )


def closes_dialog(child: rx.Component) -> rx.Component:
    """A button or link that also closes the dialog it is in."""
    return primitive.close(child, as_child=True)


def close_button() -> rx.Component:
    return closes_dialog(icon_button("close", "Close"))
