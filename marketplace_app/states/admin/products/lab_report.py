"""Editing a product's lab report: four panels, and the laboratory's document."""

import reflex as rx
from anyio import to_thread
from typing_extensions import TypedDict

from marketplace_app import messages
from marketplace_app.adapters import storage
from marketplace_app.models import Permission
from marketplace_app.schemas.admin.products import AdminProductView
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.products.lab_reports import LAB_PANELS, LabReportAnswer, LabReportForm
from marketplace_app.services.admin import lab_reports, products
from marketplace_app.states.events.base import Updates, action, read, toast, write
from marketplace_app.states.events.failures import Explain, Fields

FIELDS = ("lot", "reportedOn", "pesticides", "heavyMetals", "residualSolvents", "microbials")
BLANK = {"lot": "", "reportedOn": ""} | dict.fromkeys(FIELDS[2:], "Not Detected")
assert len(FIELDS) == 2 + len(LAB_PANELS)


class LabReportFormData(TypedDict, total=False):
    lot: str
    reportedOn: str
    pesticides: str
    heavyMetals: str
    residualSolvents: str
    microbials: str


class AdminLabReportState(rx.State):
    product_id: int = 0
    has_report: bool = False
    date: str = ""
    """`Nov 02, 2026`"""
    values: dict[str, str] = BLANK
    errors: dict[str, str] = dict.fromkeys(FIELDS, "")
    pdf_url: str = ""
    is_saving: bool = False
    is_outdated: bool = False
    """Somebody else has saved or removed the report since the form was filled."""
    form_key: int = 0
    """A React key: a new number rebuilds the form with `values`."""

    @action(
        who=Permission.EDIT_PRODUCTS,
        on_failure=(Fields("errors", FIELDS), Explain(messages.ERROR, messages.LAB_REPORT_NOT_SAVED)),
    )
    async def save(self, form: LabReportFormData) -> Updates:
        self.is_saving, self.errors = True, dict.fromkeys(FIELDS, "")
        yield None
        try:
            parsed = parse(LabReportForm, {name: form.get(name, "") for name in FIELDS})
            product = await write(self, lab_reports.save, self.product_id, parsed)
        finally:
            self.is_saving = False
        self._show(product, keeps_form=False)
        await toast(self, "success", messages.LAB_REPORT_SAVED)

    @action(who=Permission.SEE_PRODUCTS)
    async def reload(self) -> None:
        """Discard what was typed and show what is saved.

        The key changes even if the saved values have not; otherwise the typed text would stay.
        """
        product = await read(self, products.get, self.product_id)
        self.form_key += 1
        self._show(product, keeps_form=False)

    @action(who=Permission.EDIT_PRODUCTS, on_failure=Explain(messages.ERROR, messages.LAB_REPORT_NOT_SAVED))
    async def remove(self) -> None:
        if not self.has_report:
            return
        url = await write(self, lab_reports.remove, self.product_id)
        await to_thread.run_sync(storage.delete_by_url, url)
        self.has_report, self.date, self.pdf_url = False, "", ""
        self._fill(BLANK)
        await toast(self, "success", messages.LAB_REPORT_REMOVED)

    @action(who=Permission.EDIT_PRODUCTS, on_failure=Explain(messages.ERROR, messages.LAB_REPORT_NOT_SAVED))
    async def remove_pdf(self) -> None:
        url = await write(self, lab_reports.set_pdf, self.product_id, "")
        await to_thread.run_sync(storage.delete_by_url, url)
        self.pdf_url = ""

    def _show(self, product: AdminProductView, *, keeps_form: bool) -> None:
        """With `keeps_form`, the form of the same product is not refilled, because somebody may be typing in it. If the
        saved values differ from those that it was filled with, it is marked as outdated."""
        is_another_product, self.product_id = product.id != self.product_id, product.id
        report = product.lab_report
        self.has_report, self.pdf_url = report is not None, report.pdf_url if report else ""
        self.date = f"{report.reported_on:%b %d, %Y}" if report else ""
        saved = _texts(report) if report else BLANK
        if is_another_product or not keeps_form:
            self._fill(saved, must_rebuild=is_another_product)
        else:
            self.is_outdated = saved != self.values

    def _fill(self, values: dict[str, str], *, must_rebuild: bool = False) -> None:
        if must_rebuild or values != self.values:
            self.values, self.form_key = values, self.form_key + 1
        self.errors, self.is_outdated = dict.fromkeys(FIELDS, ""), False


def _texts(report: LabReportAnswer) -> dict[str, str]:
    results = [panel.result for panel in report.panels]
    return dict(zip(FIELDS, (report.lot, report.reported_on.isoformat(), *results), strict=True))
