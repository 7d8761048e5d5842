"""Recalls of batches, as staff order and see them (RULE recalls)."""

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar

from pydantic import Field

from marketplace_app.models import OrderStatus
from marketplace_app.schemas.base import Moment, View
from marketplace_app.schemas.batches import HoldForm


class RecallForm(HoldForm):
    """A batch, and why it is recalled: customers read the reason."""

    EXAMPLE: ClassVar[Mapping[str, Any]] = {"batchId": 12, "reason": "The laboratory found mould"}

    batch_id: Annotated[int, Field(ge=1, le=2**31 - 1)]


class RecalledOrder(View):
    """An order that has units of a recalled batch and is not cancelled."""

    order_id: str
    number: int = Field(examples=[1042])
    status: OrderStatus
    customer_name: str
    phone: str = Field(examples=["503 555 0142"])
    units: int = Field(examples=[2])


class RecallSummary(View):
    batch_id: int = Field(examples=[12])
    product_id: int
    product: str = Field(examples=["Fern Hollow"])
    code: str = Field(examples=["FH-2611"])
    reason: str = Field(examples=["The laboratory found mould"])
    recalled_at: Moment
    set_aside: int = Field(examples=[31])
    """Units that never left the shop, or came back."""
    units: int = Field(examples=[17])
    """Units in orders that are not cancelled."""
    orders: int = Field(examples=[11])
    buyers: int = Field(examples=[9])
    not_handed_over: int = Field(examples=[2])
    """Orders that are not delivered yet: do not hand them over."""


class RecallView(RecallSummary):
    do_not_hand_over: tuple[RecalledOrder, ...]
    """Orders that are not delivered yet, the earliest promise first."""


class DrillView(View):
    """What a recall would do. Nothing was changed, and nobody was written to."""

    recall: RecallView
    milliseconds: int = Field(examples=[140])
    letters: int = Field(examples=[9])
    """Buyers who would get a letter; the others have closed their account."""
    coverage: int = Field(examples=[100])
    """Of the units that left the batch, the percentage that is found in orders or among what was corrected."""
