"""Writing a legal text: the pages at the top, then the field, its preview and the versions."""

import reflex as rx

from marketplace_app.components.admin.shell import heading, may, panel
from marketplace_app.components.controls.buttons import pending_button
from marketplace_app.components.controls.fields import text_area
from marketplace_app.components.controls.links import link
from marketplace_app.components.controls.notices import note
from marketplace_app.components.controls.skeletons import skeleton_block
from marketplace_app.components.legal_text import legal_text
from marketplace_app.limits import MAX_LEGAL_TEXT
from marketplace_app.models import LegalPage, Permission
from marketplace_app.states.admin.legal_texts import AdminLegalState, LegalVersionRow

PREVIEW_DELAY_MS = 300
_HINT = "Start a heading with # and a space, and a list item with - and a space. An empty line starts a new paragraph."
_TAB = (
    "flex min-h-11 items-center rounded-2 px-3 hover:bg-wash aria-[current=page]:bg-surface "
    "aria-[current=page]:font-semibold lg:min-h-9.5"
)


def legal() -> rx.Component:
    return rx.fragment(
        heading("Legal pages", below="What you publish here appears in the store right away, with its date."),
        _pages(),
        rx.cond(AdminLegalState.is_loading, skeleton_block("h-72 w-full rounded-2"), _text()),
    )


def _text() -> rx.Component:
    return rx.fragment(
        rx.cond(
            AdminLegalState.older_version > 0,
            _older_version(),
            rx.cond(may(Permission.EDIT_SETTINGS), _form(), rx.fragment()),
        ),
        panel(
            rx.cond(
                AdminLegalState.preview.length() > 0,
                legal_text(AdminLegalState.preview),
                rx.el.p(
                    "Nothing to show yet. Until you publish a text, the store shows a short default text.",
                    class_name="text-ink-2",
                ),
            ),
            title="Preview",
            class_name="grid gap-3.5 p-5",
        ),
        rx.cond(AdminLegalState.versions.length() > 0, _versions()),
    )


def _pages() -> rx.Component:
    return rx.el.nav(
        *[
            link(
                page.label,
                href=f"/admin/legal?page={page}",
                class_name=_TAB,
                aria_current=rx.cond(AdminLegalState.page == page.value, "page", "false"),
            )
            for page in LegalPage
        ],
        aria_label="Legal pages",
        class_name="flex flex-wrap gap-1",
    )


def _form() -> rx.Component:
    return rx.el.form(
        panel(
            text_area(
                "Text",
                "body",
                AdminLegalState.error,
                _HINT,
                rows=16,
                max_length=MAX_LEGAL_TEXT,
                default_value=AdminLegalState.body,
                on_change=AdminLegalState.show_preview(AdminLegalState.form_key).debounce(PREVIEW_DELAY_MS),
            ),
            rx.el.div(pending_button("Publish", "Publishing...", AdminLegalState.is_saving, type="submit")),
            title=AdminLegalState.title,
            class_name="grid gap-3.5 p-5",
        ),
        on_submit=AdminLegalState.publish,
        no_validate=True,
        key=f"form-{AdminLegalState.form_key}",
        aria_label="Legal text",
    )


def _older_version() -> rx.Component:
    explanation = rx.el.p(
        "This is version ", AdminLegalState.older_version, " as it was published. It cannot be changed."
    )
    back = link(
        rx.cond(may(Permission.EDIT_SETTINGS), "Edit the current version", "Show the current version"),
        href=f"/admin/legal?page={AdminLegalState.page}",
        class_name="font-semibold underline underline-offset-3",
    )
    return note(
        rx.el.div(explanation, back, class_name="grid justify-items-start gap-2.5"), symbol="alert", role="status"
    )


def _versions() -> rx.Component:
    return panel(
        rx.el.ol(rx.foreach(AdminLegalState.versions, _version), class_name="grid divide-y divide-line"),
        title="Versions",
        class_name="grid gap-2 p-5",
    )


def _version(row: rx.Var[LegalVersionRow]) -> rx.Component:
    return rx.el.li(
        link(
            "Version ",
            row.version,
            href=row.href,
            class_name="min-w-24 font-semibold underline-offset-3 hover:underline",
            aria_current=rx.cond(row.is_shown, "true", "false"),
        ),
        rx.el.span(row.when, class_name="text-ink-2"),
        rx.el.span(row.author, class_name="min-w-0 wrap-anywhere text-ink-2"),
        class_name="flex min-h-11 flex-wrap items-center gap-x-4 gap-y-1 py-1.5",
    )
