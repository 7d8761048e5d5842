"""Stock corrections, and the ledger of movements (RULE stock-ledger)."""

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar

from pydantic import AfterValidator, Field

from marketplace_app.limits import MAX_PAGE_SIZE, MAX_STOCK
from marketplace_app.models import StockReason
from marketplace_app.schemas.base import Form, MomentText, PageQuery, View
from marketplace_app.schemas.texts import one_line


class StockForm(Form):
    EXAMPLE: ClassVar[Mapping[str, Any]] = {"change": -2, "note": "Two jars were broken"}

    MESSAGES: ClassVar[Mapping[str, str]] = {
        "change": "Enter how many to add, or a negative number to remove: a whole number other than 0.",
        "note": "A reason of 1 to 200 characters is required.",
    }

    change: Annotated[int, Field(ge=-MAX_STOCK, le=MAX_STOCK)]
    note: Annotated[str, Field(min_length=1, max_length=200), AfterValidator(one_line)]


class MovementQuery(PageQuery):
    limit: Annotated[int, Field(ge=1, le=MAX_PAGE_SIZE)] = MAX_PAGE_SIZE


class MovementView(View):
    id: int
    change: int = Field(examples=[-2])
    reason: StockReason
    note: str
    created_at: MomentText = Field(examples=["2026-11-20T11:40:00Z"])
    stock_after: int
    order_id: str | None
    order_number: int | None
    by: str
    """The member of staff who did it; empty for movements of orders, and of units that were set aside or released."""
