"""Batches, as staff write and see them (RULE batch-keeping)."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Annotated, Any, ClassVar, Literal

from pydantic import AfterValidator, Field, ValidationInfo, field_validator
from pydantic.alias_generators import to_camel

from marketplace_app.limits import MAX_BATCH_CODE, MAX_BATCH_REASON, MAX_PRICE_CENTS, MAX_STOCK
from marketplace_app.models import Batch, BatchState
from marketplace_app.schemas.base import CalendarDay, Cents, Form, Moment, Money, PageQuery, RowId, View
from marketplace_app.schemas.products.lab_reports import LAB_PANELS, RESULT_EXPECTED, ReportDay, Result
from marketplace_app.schemas.products.product_fields import Percent
from marketplace_app.schemas.products.stock import StockForm
from marketplace_app.schemas.texts import one_line


class BatchReport(Form):
    """The lab report of a batch."""

    reported_on: ReportDay
    pesticides: Result
    heavy_metals: Result
    residual_solvents: Result
    microbials: Result


class BatchForm(Form):
    """What is known of a batch. What is left out, or null, is not known."""

    EXAMPLE: ClassVar[Mapping[str, Any]] = {
        "code": "FH-2611",
        "packedOn": "2026-11-02",
        "expiresOn": "2027-05-02",
        "report": {
            "reportedOn": "2026-11-05",
            "pesticides": "Not Detected",
            "heavyMetals": "Not Detected",
            "residualSolvents": "Not Detected",
            "microbials": "Not Detected",
        },
        "thcPercent": 22.4,
        "cbdPercent": 0.3,
        "unitCost": "18.50",
        "isApproved": True,
    }
    MESSAGES: ClassVar[Mapping[str, str]] = {
        "code": f"A code of 1 to {MAX_BATCH_CODE} characters is required.",
        "packedOn": "A date such as 2026-11-02 is expected.",
        "expiresOn": "A date such as 2027-05-02 is expected.",
        "unitCost": "An amount such as 18.50 is expected.",
        "report.reportedOn": "A date such as 2026-11-02 is required.",
        "units": f"How many units came: a whole number from 1 to {MAX_STOCK:,}.",
    } | {f"report.{to_camel(panel)}": RESULT_EXPECTED for _, panel in LAB_PANELS}

    code: Annotated[str, Field(min_length=1, max_length=MAX_BATCH_CODE), AfterValidator(one_line)]
    packed_on: CalendarDay | None = None
    expires_on: CalendarDay | None = None
    report: BatchReport | None = None
    thc_percent: Percent | None = None
    cbd_percent: Percent | None = None
    unit_cost: Annotated[Cents, Field(ge=0, le=MAX_PRICE_CENTS)] | None = None
    is_approved: bool = True

    @field_validator("expires_on")
    @classmethod
    def _not_before_it_is_packed(cls, day: date | None, info: ValidationInfo) -> date | None:
        packed = info.data.get("packed_on")
        if day and packed and day < packed:
            raise ValueError("a batch expires on the day it is packed, or later")
        return day

    def columns(self) -> dict[str, Any]:
        no_report: dict[str, Any] = {"reported_on": None, **{panel: "" for _, panel in LAB_PANELS}}
        return (self.report.model_dump() if self.report else no_report) | {
            "code": self.code,
            "packed_on": self.packed_on,
            "expires_on": self.expires_on,
            "thc_percent": self.thc_percent,
            "cbd_percent": self.cbd_percent,
            "unit_cost_cents": self.unit_cost,
            "is_approved": self.is_approved,
        }


class ReceiveForm(BatchForm):
    """A batch that has come, with its units."""

    EXAMPLE: ClassVar[Mapping[str, Any]] = {"productId": 7, "units": 48, **BatchForm.EXAMPLE}

    product_id: RowId
    units: Annotated[int, Field(ge=1, le=MAX_STOCK)]


class HoldForm(Form):
    EXAMPLE: ClassVar[Mapping[str, Any]] = {"reason": "A jar smelled of mould"}
    MESSAGES: ClassVar[Mapping[str, str]] = {"reason": f"A reason of 1 to {MAX_BATCH_REASON} characters is required."}

    reason: Annotated[str, Field(min_length=1, max_length=MAX_BATCH_REASON), AfterValidator(one_line)]


class UnitsForm(StockForm):
    """Units that were found, broken or destroyed."""

    EXAMPLE: ClassVar[Mapping[str, Any]] = {"change": -2, "note": "Two jars were broken"}


class BatchQuery(PageQuery):
    product_id: RowId | None = None


class BatchRef(Form):
    """Which batch on the screen is meant, by its id."""

    id: RowId


class BatchStep(BatchRef):
    """What staff want to do with a batch on the screen. Each step has a dialog."""

    step: Literal["hold", "release", "units"]


class BatchReportView(View):
    reported_on: date
    pesticides: str = Field(examples=["Not Detected"])
    heavy_metals: str = Field(examples=["Not Detected"])
    residual_solvents: str = Field(examples=["Not Detected"])
    microbials: str = Field(examples=["Not Detected"])


class BatchView(View):
    id: int
    product_id: int
    code: str = Field(examples=["FH-2611"])
    packed_on: date | None
    expires_on: date | None
    report: BatchReportView | None
    thc_percent: float | None = Field(examples=[22.4])
    cbd_percent: float | None = Field(examples=[0.3])
    unit_cost_cents: Money | None = Field(examples=["18.50"])
    is_approved: bool
    state: BatchState
    hold_reason: str = Field(examples=[""])
    recalled_at: Moment | None
    recall_reason: str = Field(examples=[""])
    units: int = Field(examples=[48])
    """Units that are for sale."""
    set_aside: int = Field(examples=[0])
    """Units that are there but may not be sold."""
    created_at: Moment

    def values(self) -> dict[str, Any]:
        """The values of a `BatchForm` that would store this batch, by their wire names."""
        return {
            "code": self.code,
            "packedOn": self.packed_on,
            "expiresOn": self.expires_on,
            "report": BatchReport.model_validate(self.report.wire()) if self.report else None,
            "thcPercent": self.thc_percent,
            "cbdPercent": self.cbd_percent,
            "unitCost": self.unit_cost_cents,
            "isApproved": self.is_approved,
        }


@dataclass(frozen=True)
class BatchPage:
    batches: tuple[BatchView, ...]
    total: int


def view_of(batch: Batch, state: BatchState) -> BatchView:
    """`state` is not read from the batch, because it depends on the day."""
    report = BatchReportView.of(batch) if batch.reported_on else None
    own = {name: getattr(batch, name) for name in BatchView.model_fields if name not in ("state", "report")}
    return BatchView(**own, state=state, report=report)
