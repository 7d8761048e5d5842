"""Products from a CSV file: the report on a check or an import, which `assets/upload.js` receives and passes on."""

from dataclasses import dataclass

import orjson
import reflex as rx
from typing_extensions import TypedDict

from marketplace_app import messages
from marketplace_app.display.paging import counted
from marketplace_app.errors import InvalidInput
from marketplace_app.models import Permission
from marketplace_app.schemas.admin.product_csv import at_least_if_capped
from marketplace_app.schemas.admin.product_import import ImportReportForm
from marketplace_app.schemas.base import parse
from marketplace_app.states.events.base import action, toast
from marketplace_app.states.events.failures import ShowPageFailed
from marketplace_app.states.events.viewer import ViewerState


@dataclass(frozen=True)
class BadLine:
    key: int
    line: str
    column: str
    message: str


@dataclass(frozen=True)
class ChangedCell:
    key: int
    line: str
    sku: str
    column: str
    before: str
    after: str


class ImportFormData(TypedDict, total=False):
    report: str


class AdminImportState(rx.State):
    view: str = "empty"
    """empty, checked, refused or applied"""
    file: str = ""
    check_number: int = 0
    """The number of the check that is shown: its file is applied, even if another one was chosen since."""
    created: str = ""
    updated: str = ""
    unchanged: str = ""
    has_changes: bool = False
    changes: list[ChangedCell] = []
    """The first ones; `more` tells whether there are others."""
    more: str = ""
    """`The first 100 changes are shown.`; empty if these are all."""
    bad_lines: list[BadLine] = []
    summary: str = ""

    @action(who=Permission.EDIT_PRODUCTS, on_failure=ShowPageFailed())
    async def load(self) -> None:
        """on_load. A reconnect calls it too, and must not discard the report."""
        if not (await self.get_state(ViewerState))._has_reconnected:
            self.reset()  # type: ignore[no-untyped-call]

    @action(who=Permission.EDIT_PRODUCTS)
    async def show(self, form: ImportFormData) -> None:
        """Submit of the form that `assets/upload.js` filled in."""
        report = parse(ImportReportForm, _read(form.get("report", "")))
        self.file, self.check_number = report.file, report.check
        counts = (report.created, report.updated, report.unchanged)
        self.created, self.updated, self.unchanged = (f"{count:,}" for count in counts)
        self.has_changes = report.created + report.updated > 0
        self.changes = [
            ChangedCell(index, f"{each.line:,}", each.sku, each.column or "New product", each.before, each.after)
            for index, each in enumerate(report.changes)
        ]
        self.more = f"The first {len(self.changes)} changes are shown." if report.has_more_changes else ""
        self.bad_lines = [
            BadLine(index, f"{error.line:,}", error.column, error.message) for index, error in enumerate(report.errors)
        ]
        self.summary = " ".join(filter(None, (_summary(report), _warnings(report))))
        self.view = "refused" if report.error_count else "applied" if report.is_applied else "checked"
        if self.view == "applied":
            await toast(self, "success", messages.IMPORTED)


def _read(text: object) -> object:
    try:
        return orjson.loads(str(text))
    except orjson.JSONDecodeError:
        raise InvalidInput({"report": "This report could not be read. Please choose the file again."}) from None


def _warnings(report: ImportReportForm) -> str:
    if not report.warning_count:
        return ""
    lines = f"{at_least_if_capped(report.warning_count)}{report.warning_count:,} lines"
    more = f" The same applies to {lines}." if report.warning_count > 1 else ""
    return f"{report.warning} It will be imported anyway.{more}"


def _summary(report: ImportReportForm) -> str:
    if report.error_count:
        mistakes = (at_least_if_capped(report.error_count) + counted(report.error_count, "mistake")).capitalize()
        shown = f" The first {len(report.errors)} are shown." if report.error_count > len(report.errors) else ""
        return f"{mistakes} in this file. Nothing was written; correct the file and choose it again.{shown}"
    if report.is_applied:
        return "Every line was imported."
    if report.created + report.updated == 0:
        return "Every product already matches this file. There is nothing to apply."
    return "No mistakes. Nothing changes until you apply it."
