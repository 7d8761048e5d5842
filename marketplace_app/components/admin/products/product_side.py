"""Beside a product's form: its picture and its lab report."""

import reflex as rx
from pydantic.alias_generators import to_camel

from marketplace_app.components.admin.products.product_form import editable
from marketplace_app.components.admin.shell import may, panel
from marketplace_app.components.controls.badges import badge
from marketplace_app.components.controls.buttons import button, pending_button
from marketplace_app.components.controls.fields import text_field
from marketplace_app.components.controls.links import download_link
from marketplace_app.components.controls.notices import outdated_note
from marketplace_app.components.controls.pictures import picture
from marketplace_app.components.controls.upload import done_button, upload_box
from marketplace_app.limits import MAX_PDF_BYTES, MAX_PICTURE_BYTES
from marketplace_app.messages import CHANGED_ELSEWHERE, PDF_NOT_SAVED, PDF_SAVED, PICTURE_NOT_SAVED, PICTURE_SAVED
from marketplace_app.models import Permission
from marketplace_app.packaging import PACKAGES_PREFIX
from marketplace_app.schemas.products.lab_reports import LAB_PANELS
from marketplace_app.states.admin.product import AdminProductState
from marketplace_app.states.admin.products.lab_report import AdminLabReportState


def _upload_url(path: str) -> rx.Var[str]:
    return rx.Var.create(f"/api/admin/products/{AdminProductState.id}/{path}")


def product_picture() -> rx.Component:
    shown = rx.el.div(
        picture(AdminProductState.image, "(min-width: 64rem) 300px, 92vw", AdminProductState.title, is_eager=True),
        class_name="relative aspect-4/5 w-full max-w-75 overflow-hidden rounded-2 bg-sunken",
    )
    drawn = rx.el.p("Drawn by the store until you add a photograph.", class_name="text-ink-2")
    box = upload_box(
        "picture-file",
        _upload_url("image"),
        done_button(AdminProductState.refresh),
        what="a picture",
        hint=(
            f"JPEG, PNG, WebP or AVIF, up to {MAX_PICTURE_BYTES // 1024**2} MB. "
            "Cropped to 4:5, or shown whole if too much would be lost."
        ),
        accept="image/jpeg,image/png,image/webp,image/avif",
        max_bytes=MAX_PICTURE_BYTES,
        done=PICTURE_SAVED.title,
        failed=PICTURE_NOT_SAVED,
    )
    save_first = rx.el.p("Save the product first, then add its picture.", class_name="text-ink-2")
    upload = rx.cond(may(Permission.EDIT_PRODUCTS), box)
    return panel(
        shown,
        rx.cond(AdminProductState.image.startswith(PACKAGES_PREFIX), drawn),
        rx.cond(AdminProductState.id > 0, upload, save_first),
        title="Picture",
        class_name="grid content-start gap-3.5 p-5",
    )


def _field(label: str, name: str, **props: str) -> rx.Component:
    error, value = AdminLabReportState.errors[name], AdminLabReportState.values[name]
    return text_field(label, name, error, default_value=value, **props)


def _report_form() -> rx.Component:
    remove = button("Remove Report", variant="ghost", size="sm", on_click=AdminLabReportState.remove)
    buttons = rx.el.div(
        pending_button("Save Report", "Saving...", AdminLabReportState.is_saving, variant="outline", type="submit"),
        rx.cond(AdminLabReportState.has_report, remove),
        class_name="flex flex-wrap items-center gap-2",
    )
    return rx.el.form(
        editable(
            rx.el.div(
                _field("Lot", "lot"),
                _field("Date", "reportedOn", type="date"),
                class_name="grid gap-3 sm:grid-cols-2 xl:grid-cols-1",
            ),
            *[_field(label, to_camel(name)) for label, name in LAB_PANELS],
            rx.cond(may(Permission.EDIT_PRODUCTS), buttons),
            class_name="grid gap-3",
        ),
        on_submit=AdminLabReportState.save,
        no_validate=True,
        key=AdminLabReportState.form_key.to_string(),
        aria_label="Lab report",
    )


def _document() -> rx.Component:
    box = upload_box(
        "report-file",
        _upload_url("lab-report/pdf"),
        done_button(AdminProductState.refresh),
        what="the PDF",
        hint=f"The laboratory's own document, up to {MAX_PDF_BYTES // 1024**2} MB.",
        accept="application/pdf",
        max_bytes=MAX_PDF_BYTES,
        done=PDF_SAVED.title,
        failed=PDF_NOT_SAVED,
    )
    remove = button("Remove PDF", variant="ghost", size="sm", on_click=AdminLabReportState.remove_pdf)
    current = rx.el.div(
        download_link(
            "Lab report (PDF)",
            AdminLabReportState.pdf_url,
            "inline-flex min-h-(--tap) items-center gap-1.5 text-brand-text underline underline-offset-3",
        ),
        rx.cond(may(Permission.EDIT_PRODUCTS), remove),
        class_name="flex flex-wrap items-center justify-between gap-2",
    )
    return rx.el.div(
        rx.cond(AdminLabReportState.pdf_url != "", current),
        rx.cond(may(Permission.EDIT_PRODUCTS), box),
        class_name="grid gap-2",
    )


def lab_report() -> rx.Component:
    none = badge("None on file", "grey")
    return panel(
        outdated_note(AdminLabReportState.is_outdated, CHANGED_ELSEWHERE, AdminLabReportState.reload),
        _report_form(),
        rx.cond(AdminLabReportState.has_report, _document()),
        title="Lab report",
        aside=rx.cond(AdminLabReportState.has_report, badge(AdminLabReportState.date), none),
        class_name="grid content-start gap-3.5 p-5",
    )
