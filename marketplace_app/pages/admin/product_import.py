"""`/admin/products/import`: a CSV file is checked, previewed, and applied completely or not at all."""

import reflex as rx

from marketplace_app.components.admin.shell import admin_page, heading, panel
from marketplace_app.components.admin.table import Column, cell, data_table, table_row
from marketplace_app.components.controls.buttons import button, button_class
from marketplace_app.components.controls.links import download_link
from marketplace_app.components.controls.notices import note
from marketplace_app.components.controls.upload import upload_box
from marketplace_app.limits import MAX_IMPORT_BYTES
from marketplace_app.messages import IMPORT_FAILED
from marketplace_app.schemas.admin.product_csv import COLUMNS as FILE_COLUMNS
from marketplace_app.states.admin.products.product_import import AdminImportState, BadLine, ChangedCell

BREADCRUMBS = (("Products", "/admin/products"),)
BUSY = "An import is being written and can no longer be stopped. Please choose the file again once it is done."
MISTAKE_COLUMNS = (Column("Line", is_number=True), Column("Column"), Column("What is wrong"))
CHANGE_COLUMNS = (Column("Line", is_number=True), *map(Column, ("SKU", "Column", "Before", "After")))


def _bad_line(bad: rx.Var[BadLine]) -> rx.Component:
    return table_row(
        cell(bad.line, narrow="lead", is_number=True, class_name="font-semibold"),
        cell(bad.column, narrow="first", class_name="text-ink-2"),
        cell(bad.message, narrow="second", class_name="wrap-anywhere"),
        key=bad.key,
    )


def _changed_cell(changed: rx.Var[ChangedCell]) -> rx.Component:
    return table_row(
        cell(changed.line, narrow="lead", is_number=True, class_name="font-semibold"),
        cell(changed.sku, narrow="first", class_name="wrap-anywhere"),
        cell(changed.column, narrow="figure", class_name="text-ink-2"),
        cell(changed.before, narrow="second", class_name="text-ink-3 wrap-anywhere"),
        cell(changed.after, narrow="third", class_name="wrap-anywhere"),
        key=changed.key,
    )


def _changes() -> rx.Component:
    table = rx.el.div(
        data_table("Changes", CHANGE_COLUMNS, AdminImportState.changes, _changed_cell),
        class_name="overflow-hidden rounded-2 border border-line",
    )
    more = rx.cond(AdminImportState.more != "", rx.el.p(AdminImportState.more, class_name="mt-2 text-cap text-ink-3"))
    has_any = (AdminImportState.view != "refused") & (AdminImportState.changes.length() > 0)
    return rx.cond(has_any, rx.el.div(table, more, class_name="w-full"))


def _apply() -> rx.Component:
    ready = (AdminImportState.view == "checked") & AdminImportState.has_changes
    return rx.cond(
        ready,
        button(
            f"Apply: {AdminImportState.created} new, {AdminImportState.updated} changed",
            custom_attrs={"data-upload-apply": AdminImportState.check_number},
        ),
    )


def _result() -> rx.Component:
    counts = rx.el.dl(
        *[
            rx.el.div(
                rx.el.dt(label, class_name="text-cap text-ink-3"),
                rx.el.dd(value, class_name="font-serif text-h2 tabular-nums lining-nums"),
            )
            for label, value in (
                ("New", AdminImportState.created),
                ("Changed", AdminImportState.updated),
                ("Unchanged", AdminImportState.unchanged),
            )
        ],
        class_name="flex flex-wrap gap-8",
    )
    bad = rx.el.div(
        data_table("Mistakes", MISTAKE_COLUMNS, AdminImportState.bad_lines, _bad_line),
        class_name="overflow-hidden rounded-2 border border-line",
    )
    sentence = rx.match(
        AdminImportState.view,
        ("refused", note(AdminImportState.summary, symbol="alert", variant="bad", role="alert")),
        note(AdminImportState.summary, symbol="check", variant="info", role="status"),
    )
    shown = rx.el.div(
        rx.el.h2(AdminImportState.file, class_name="font-sans text-ui font-semibold wrap-anywhere"),
        sentence,
        counts,
        _apply(),
        _changes(),
        rx.cond(AdminImportState.view == "refused", bad),
        class_name="grid justify-items-start gap-4 *:max-w-full",
    )
    return rx.cond(AdminImportState.view != "empty", shown)


def _report_form() -> rx.Component:
    """Hidden: `assets/upload.js` puts the server's answer into it and submits it."""
    return rx.el.form(
        rx.el.input(type="hidden", name="report"),
        on_submit=AdminImportState.show,
        custom_attrs={"data-upload-report": ""},
        class_name="hidden",
    )


def product_import() -> rx.Component:
    export = download_link("Export CSV", "/api/admin/products/export", button_class("outline", "sm"))
    box = upload_box(
        "import-file",
        "/api/admin/products/import",
        _report_form(),
        _result(),
        what="a CSV file",
        hint=(
            f"UTF-8, up to {MAX_IMPORT_BYTES // 1024**2} MB. "
            "It is checked first, and nothing changes until you apply it."
        ),
        accept=".csv,text/csv",
        max_bytes=MAX_IMPORT_BYTES,
        method="POST",
        working="Checking every line…",
        failed=IMPORT_FAILED,
        is_table=True,
        busy=BUSY,
    )
    columns = rx.el.p(
        "Use the columns of the export, in any order: ",
        ", ".join(FILE_COLUMNS),
        ". Products are matched by sku. Columns you leave out stay unchanged.",
        class_name="max-w-measure text-cap text-ink-3",
    )
    return admin_page(
        heading("Import products", export),
        panel(box, columns, class_name="grid gap-4 p-5"),
        current="products",
        breadcrumbs=BREADCRUMBS,
        name="Import",
    )
