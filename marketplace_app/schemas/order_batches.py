"""The batches of an order, and what its customer wants if it is packed from others (RULE batch-wish)."""

from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any, ClassVar

from pydantic import Field

from marketplace_app.models import BatchState
from marketplace_app.schemas.base import Form, View
from marketplace_app.schemas.order_forms import Wish
from marketplace_app.schemas.recalls import RecallNotice


class WishForm(Form):
    """Another wish for an order that is not out yet."""

    EXAMPLE: ClassVar[Mapping[str, Any]] = {"substitution": "close"}

    substitution: Wish


class OrderBatch(View):
    """Units of one batch in an order."""

    product_id: int
    product: str = Field(examples=["Fern Hollow"])
    batch_id: int = Field(examples=[12])
    code: str = Field(examples=["FH-2611"])
    expires_on: date | None
    thc_percent: float | None = Field(examples=[22.4])
    state: BatchState
    units: int = Field(examples=[2])
    recall: RecallNotice | None = Field(default=None, exclude=True)
    # Only of a batch that was recalled: for the pages.


def recalled(batches: Iterable[OrderBatch]) -> tuple[RecallNotice, ...]:
    """Those of them that were."""
    return tuple(each.recall for each in batches if each.recall)
