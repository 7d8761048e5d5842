"""Controls of the driver's page: large enough for a thumb in the rain, and without state."""

from typing import Any

import reflex as rx

from marketplace_app.components.controls.icons import icon

_BUTTON = "inline-flex min-h-16 w-full items-center justify-center gap-3 rounded-3 border px-5 text-lead font-semibold"
_VARIANTS = {
    "primary": "border-transparent bg-brand text-on-brand active:bg-brand-press",
    "outline": "border-line-strong bg-surface text-ink active:bg-wash",
    "danger": "border-current bg-surface text-bad active:bg-bad-wash",
}
BOX = "w-full min-h-16 rounded-3 border border-line-strong bg-surface px-4 text-ink"
CARD = "rounded-3 border border-line bg-surface p-4"


def big_button(*children: Any, variant: str = "primary", **props: Any) -> rx.Component:
    return rx.el.button(*children, class_name=f"{_BUTTON} {_VARIANTS[variant]}", **({"type": "button"} | props))


def step_heading(*children: Any) -> rx.Component:
    """Takes the focus when its step comes."""
    return rx.el.h3(*children, tab_index=-1, class_name="font-serif text-h2")


def field_text(name: str, class_name: str = "", **props: Any) -> rx.Component:
    """An empty element. `fill` in `assets/drive.js` writes its text."""
    return rx.el.span(data_field=name, class_name=class_name, **props)


def message(**props: Any) -> rx.Component:
    """What was refused, and what to do. Always there, so that screen readers announce a new text."""
    return rx.el.div(
        rx.el.p(
            icon("alert", class_name="mt-1"),
            field_text("message"),
            data_part="message",
            hidden=True,
            class_name="flex gap-3 rounded-3 bg-bad-wash p-4 text-lead font-semibold text-bad",
        ),
        role="alert",
        class_name="contents",
        **props,
    )


def choice(name: str, value: str, label: str, class_name: str = "") -> rx.Component:
    """A radio button as large as any other button."""
    return rx.el.label(
        rx.el.input(type="radio", name=name, value=value, required=True, class_name="size-6 flex-none accent-brand"),
        label,
        class_name=(
            "flex min-h-14 items-center gap-3 rounded-3 border border-line-strong px-4 text-lead "
            f"has-checked:border-brand-text has-checked:bg-wash has-checked:font-semibold {class_name}"
        ).strip(),
    )
