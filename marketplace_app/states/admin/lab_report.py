"""Editing a product's lab report: four panels, and the laboratory's document."""

import reflex as rx
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


class Submitted(TypedDict, total=False):
    lot: str
    reportedOn: str
    pesticides: str
    heavyMetals: str
    residualSolvents: str
    microbials: str


class AdminLabReportState(rx.State):
    number: int = 0
    has_report: bool = False
    date: str = ""
    """`Nov 02, 2026`"""
    values: dict[str, str] = BLANK
    errors: dict[str, str] = dict.fromkeys(FIELDS, "")
    pdf_url: str = ""
    is_saving: bool = False
    form_key: int = 0

    @action(
        who=Permission.EDIT_PRODUCTS,
        on_failure=(Fields("errors", FIELDS), Explain(messages.ERROR, messages.LAB_REPORT_NOT_SAVED)),
    )
    async def save(self, form: Submitted) -> Updates:
        self.is_saving, self.errors = True, dict.fromkeys(FIELDS, "")
        yield None
        try:
            asked = parse(LabReportForm, {name: form.get(name, "") for name in FIELDS})
            product = await write(self, lab_reports.save, self.number, asked)
        finally:
            self.is_saving = False
        self._show(product)
        await toast(self, "success", messages.LAB_REPORT_SAVED)

    @action(who=Permission.EDIT_PRODUCTS, on_failure=Explain(messages.ERROR, messages.LAB_REPORT_NOT_SAVED))
    async def remove(self) -> None:
        storage.delete_by_url(await write(self, lab_reports.remove, self.number))
        self._empty()
        await toast(self, "success", messages.LAB_REPORT_REMOVED)

    @action(who=Permission.EDIT_PRODUCTS, on_failure=Explain(messages.ERROR, messages.LAB_REPORT_NOT_SAVED))
    async def remove_pdf(self) -> None:
        storage.delete_by_url(await write(self, lab_reports.set_pdf, self.number, ""))
        self.pdf_url = ""

    def _show(self, product: AdminProductView) -> None:
        report = product.lab_report
        is_other = product.id != self.number
        self.number = product.id
        if report is None:
            if self.has_report or is_other:
                self._empty()
            return
        results = [result for _, result in report.panels]
        fresh = dict(zip(FIELDS, (report.lot, report.reported_on.isoformat(), *results), strict=True))
        if fresh != self.values or is_other or not self.has_report:
            self.values, self.errors, self.form_key = fresh, dict.fromkeys(FIELDS, ""), self.form_key + 1
        self.has_report, self.pdf_url = True, report.pdf_url
        self.date = f"{report.reported_on:%b %d, %Y}"

    def _empty(self) -> None:
        self.has_report, self.date, self.pdf_url, self.values = False, "", "", BLANK
        self.errors, self.form_key = dict.fromkeys(FIELDS, ""), self.form_key + 1


assert len(FIELDS) == 2 + len(LAB_PANELS)
