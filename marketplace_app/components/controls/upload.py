"""A drop zone for a file, which `assets/upload.js` sends by REST, showing the progress."""

from typing import Any

import reflex as rx

from marketplace_app.components.controls.buttons import icon_button
from marketplace_app.components.controls.icons import icon
from marketplace_app.errors import Unavailable


def upload_box(
    id: str,
    href: Any,
    *content: Any,
    what: str,
    hint: str,
    accept: str,
    max_bytes: int,
    failed: str,
    method: str = "PUT",
    working: str = "Saving…",
    done: str = "",
    is_table: bool = False,
    busy: str = "",
) -> rx.Component:
    """A drop zone for `what`, such as 'a picture'.

    `working` is shown while the server is busy with the file. A toast says that it was uploaded, with the title `done`,
    or that it was not, with the title `failed`.

    With `is_table` the file is a CSV, which is checked before it is imported. Instead of the toast `done` there is the
    server's report, and `busy` says why another file is refused while one is being imported.

    `content` is placed inside, where the script finds it: a `done_button` or, for a table, the form by which the
    server's report reaches the state of the page.
    """
    return rx.el.div(
        rx.el.script(src="/upload.js", custom_attrs={"async": True}),
        _drop_zone(id, what, hint, accept),
        _progress(),
        *content,
        class_name="grid gap-3",
        custom_attrs={
            "data-upload": href,
            "data-method": method,
            "data-max-bytes": str(max_bytes),
            "data-too-large": f"A file may be at most {max_bytes // 1024**2} MB.",
            "data-offline": Unavailable.message,
            "data-working": working,
            "data-failed": failed,
            "data-done": done,
            "data-busy": busy,
            **({"data-table": ""} if is_table else {}),
        },
    )


def _drop_zone(id: str, what: str, hint: str, accept: str) -> rx.Component:
    return rx.el.label(
        icon("upload", "md", "flex-none text-ink-2"),
        rx.el.span(
            rx.el.span(
                rx.el.span(f"Drop {what} here", class_name="font-semibold pointer-coarse:hidden"),
                rx.el.span(" or ", class_name="pointer-coarse:hidden"),
                rx.el.span(
                    "choose a file",
                    class_name=(
                        "inline-block text-brand-text underline underline-offset-3 "
                        "pointer-coarse:first-letter:uppercase"
                    ),
                ),
            ),
            rx.el.span(hint, id=f"{id}-hint", class_name="text-cap text-ink-3"),
            class_name="grid gap-0.5",
        ),
        rx.el.input(
            type="file",
            id=id,
            accept=accept,
            aria_label=f"Choose {what}",
            aria_describedby=f"{id}-hint",
            class_name="sr-only",
        ),
        html_for=id,
        class_name=(
            "relative flex cursor-pointer items-center gap-3.5 rounded-2 border-[1.5px] border-dashed "
            "border-line-strong bg-paper p-4 text-small hover:bg-wash has-focus-visible:outline-2 "
            "has-focus-visible:outline-offset-2 has-focus-visible:outline-focus"
        ),
    )


def _progress() -> rx.Component:
    """Hidden until the script writes a message into it."""
    return rx.el.div(
        rx.el.span(
            rx.el.span(
                custom_attrs={"data-upload-text": ""}, role="status", class_name="truncate text-small tabular-nums"
            ),
            rx.el.progress(
                max=100,
                custom_attrs={"data-upload-bar": ""},
                aria_label="Upload progress",
                class_name=(
                    "h-1 w-full appearance-none overflow-hidden rounded-full bg-sunken [&::-moz-progress-bar]:bg-brand "
                    "[&::-webkit-progress-bar]:bg-sunken [&::-webkit-progress-value]:bg-brand"
                ),
            ),
            class_name="grid min-w-0 flex-1 gap-1.5",
        ),
        icon_button(
            "close",
            "Cancel upload",
            size="sm",
            class_name="[[hidden]]:hidden",
            custom_attrs={"data-upload-cancel": ""},
        ),
        hidden=True,
        custom_attrs={"data-upload-progress": ""},
        class_name="flex items-center gap-2 [[hidden]]:hidden",
    )


def done_button(on_click: Any) -> rx.Component:
    """A hidden button, which the script clicks when the file has been uploaded."""
    return rx.el.button(
        type="button", hidden=True, tab_index=-1, on_click=on_click, custom_attrs={"data-upload-done": ""}
    )
