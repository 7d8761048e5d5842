"""The batches of an order, and what its customer wants if it is packed from others (RULE batch-wish)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Annotated, Any, ClassVar

from pydantic import Field

from marketplace_app.models import BatchState, Substitution
from marketplace_app.schemas.base import Form, View
from marketplace_app.schemas.cart import ProductId
from marketplace_app.schemas.order_forms import Wish
from marketplace_app.schemas.recalls import RecallNotice

BatchNumber = Annotated[int, Field(ge=1, le=2**31 - 1)]


class WishForm(Form):
    """Another wish for an order that is not out yet."""

    EXAMPLE: ClassVar[Mapping[str, Any]] = {"substitution": "close"}

    substitution: Wish


class SwapForm(Form):
    """All units that a line has of one batch, in exchange for those of another."""

    EXAMPLE: ClassVar[Mapping[str, Any]] = {"fromBatchId": 12, "toBatchId": 15}

    from_batch_id: BatchNumber
    to_batch_id: BatchNumber


class LineShare(Form):
    """The units of one batch on a line, as the page names them."""

    product_id: ProductId
    batch_id: BatchNumber


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


@dataclass(frozen=True)
class ChoiceOfBatch:
    """A batch that can take the place of one in an order."""

    batch_id: int
    code: str
    expires_on: date | None
    thc_percent: float | None
    units: int
    asks: bool
    """The customer is asked first."""


@dataclass(frozen=True)
class BatchChoices:
    now: OrderBatch
    wish: Substitution
    others: tuple[ChoiceOfBatch, ...]
