"""Editing a product's lab report: four panels, and the laboratory's document."""

import reflex as rx
from anyio import to_thread
from typing_extensions import TypedDict

from marketplace_app import messages
from marketplace_app.adapters import storage
from marketplace_app.models import Permission
from marketplace_app.schemas.admin.products import AdminProductView
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.lab_reports import LAB_PANELS, LabReportForm
from marketplace_app.services.admin import lab_reports
from marketplace_app.states.base import Updates, action, toast, write
from marketplace_app.states.failures import Explain, Fields

FIELDS = ("lot", "reportedOn", "pesticides", "heavyMetals", "residualSolvents", "microbials")
BLANK = {"lot": "", "reportedOn": ""} | dict.fromkeys(FIELDS[2:], "Not Detected")
assert len(FIELDS) == 2 + len(LAB_PANELS)


class FormData(TypedDict, total=False):
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
    form_key: int = 0
    """A React key: a new number rebuilds the form with `values`."""

    @action(
        who=Permission.EDIT_PRODUCTS,
        on_failure=(Fields("errors", FIELDS), Explain(messages.ERROR, messages.LAB_REPORT_NOT_SAVED)),
    )
    async def save(self, form: FormData) -> Updates:
        self.is_saving, self.errors = True, dict.fromkeys(FIELDS, "")
        yield None
        try:
            parsed = parse(LabReportForm, {name: form.get(name, "") for name in FIELDS})
            product = await write(self, lab_reports.save, self.product_id, parsed)
        finally:
            self.is_saving = False
        self._show(product)
        await toast(self, "success", messages.LAB_REPORT_SAVED)

    @action(who=Permission.EDIT_PRODUCTS, on_failure=Explain(messages.ERROR, messages.LAB_REPORT_NOT_SAVED))
    async def remove(self) -> None:
        url = await write(self, lab_reports.remove, self.product_id)
        await to_thread.run_sync(storage.delete_by_url, url)
        self._clear()
        await toast(self, "success", messages.LAB_REPORT_REMOVED)

    @action(who=Permission.EDIT_PRODUCTS, on_failure=Explain(messages.ERROR, messages.LAB_REPORT_NOT_SAVED))
    async def remove_pdf(self) -> None:
        url = await write(self, lab_reports.set_pdf, self.product_id, "")
        await to_thread.run_sync(storage.delete_by_url, url)
        self.pdf_url = ""

    def _show(self, product: AdminProductView) -> None:
        report = product.lab_report
        is_another_product = product.id != self.product_id
        self.product_id = product.id
        if report is None:
            if self.has_report or is_another_product:
                self._clear()
            return
        results = [result for _, result in report.panels]
        saved = dict(zip(FIELDS, (report.lot, report.reported_on.isoformat(), *results), strict=True))
        if saved != self.values or is_another_product or not self.has_report:
            self.values, self.errors, self.form_key = saved, dict.fromkeys(FIELDS, ""), self.form_key + 1
        self.has_report, self.pdf_url = True, report.pdf_url
        self.date = f"{report.reported_on:%b %d, %Y}"

    def _clear(self) -> None:
        self.has_report, self.date, self.pdf_url, self.values = False, "", "", BLANK
        self.errors, self.form_key = dict.fromkeys(FIELDS, ""), self.form_key + 1
