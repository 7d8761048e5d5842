"""Lab reports, as written and as shown (RULE lab-report-edit, RULE lab-results)."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Annotated, Any, ClassVar

from pydantic import AfterValidator, Field
from pydantic.alias_generators import to_camel

from marketplace_app import clock
from marketplace_app.schemas.base import Form, IsoDay, View
from marketplace_app.schemas.texts import one_line

LAB_PANELS = (
    ("Pesticides", "pesticides"),
    ("Heavy Metals", "heavy_metals"),
    ("Residual Solvents", "residual_solvents"),
    ("Microbials", "microbials"),
)
RESULT_EXPECTED = "A result of 1 to 80 characters is required, such as Not Detected."
LAB_COLUMNS = ("lot", "reported_on", "pdf", *(name for _, name in LAB_PANELS))


def _not_in_future(day: date) -> date:
    """One day of tolerance: in some time zones it is tomorrow already."""
    if (day - clock.now().date()).days > 1:
        raise ValueError("a report cannot be dated in the future")
    return day


ReportDay = Annotated[IsoDay, AfterValidator(_not_in_future)]
Result = Annotated[str, Field(min_length=1, max_length=80), AfterValidator(one_line)]


class LabReportForm(Form):
    EXAMPLE: ClassVar[Mapping[str, Any]] = {
        "lot": "5712",
        "reportedOn": "2026-11-02",
        "pesticides": "Not Detected",
        "heavyMetals": "Not Detected",
        "residualSolvents": "Not Detected",
        "microbials": "Not Detected",
    }

    MESSAGES: ClassVar[Mapping[str, str]] = {
        "lot": "A lot number of 1 to 60 characters is required.",
        "reportedOn": "A date such as 2026-11-02 is required.",
    } | {to_camel(panel): RESULT_EXPECTED for _, panel in LAB_PANELS}

    lot: Annotated[str, Field(min_length=1, max_length=60), AfterValidator(one_line)]
    reported_on: ReportDay
    pesticides: Result
    heavy_metals: Result
    residual_solvents: Result
    microbials: Result


class LabPanelAnswer(View):
    name: str
    result: str


class LabReportAnswer(View):
    lot: str
    reported_on: date
    panels: tuple[LabPanelAnswer, ...]
    """In the order of RULE lab-results."""
    pdf_url: str = Field(examples=["/uploads/reports/9b1d.pdf"])
    """Empty if there is no document."""


def lab_report_of_row(row: Sequence[Any]) -> LabReportAnswer | None:
    """From the values of LAB_COLUMNS; None if the lot is null, as for a product without a report."""
    lot, reported_on, pdf, *results = row
    if lot is None:
        return None
    panels = tuple(
        LabPanelAnswer(name=label, result=result) for (label, _), result in zip(LAB_PANELS, results, strict=True)
    )
    return LabReportAnswer(lot=lot, reported_on=reported_on, panels=panels, pdf_url=pdf)
