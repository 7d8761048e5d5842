"""Radio buttons as rows in a frame, one below the other."""

from typing import Any

import reflex as rx

CHOICES = "grid divide-y divide-line rounded-2 border border-line bg-surface"
"""The frame around the rows."""


def choice_row(text: Any, note: Any = None, *, key: Any, is_disabled: Any = False, **props: Any) -> rx.Component:
    """A radio button with its text; `note` is at the end of the row. `props` are for the radio button."""
    return rx.el.label(
        rx.el.input(
            type="radio",
            value=key,
            disabled=is_disabled,
            class_name=(
                "size-4.5 flex-none appearance-none rounded-full border-[1.5px] border-line-strong bg-surface "
                "checked:border-[5px] checked:border-brand"
            ),
            **props,
        ),
        rx.el.span(text, class_name="min-w-0 flex-1 tabular-nums wrap-anywhere"),
        *([] if note is None else [note]),
        key=key,
        class_name=[
            "flex min-h-(--tap) items-center gap-3 px-3.5 py-1.5 text-ui",
            rx.cond(is_disabled, "text-ink-3", "cursor-pointer"),
        ],
    )
