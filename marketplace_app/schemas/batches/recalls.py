"""Recalls of batches, as staff start and see them (RULE recalls)."""

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar

from pydantic import AfterValidator, Field

from marketplace_app import recall_messages
from marketplace_app.models import OrderStatus
from marketplace_app.schemas.base import Form, Moment, RowId, View
from marketplace_app.schemas.batches.batches import HoldForm
from marketplace_app.schemas.texts import one_line


class RecallForm(HoldForm):
    """A batch, and why it is recalled: customers read the reason."""

    EXAMPLE: ClassVar[Mapping[str, Any]] = {"batchId": 12, "reason": "The laboratory found mould"}
    MESSAGES: ClassVar[Mapping[str, str]] = {**HoldForm.MESSAGES, "batchId": recall_messages.CHOOSE_BATCH}

    batch_id: RowId


class RecalledOrder(View):
    """An order with units of a recalled batch that is not delivered yet, so it must not be handed over."""

    order_id: str
    number: int = Field(examples=[1042])
    status: OrderStatus
    customer_name: str
    phone: str = Field(examples=["503 555 0142"])
    units: int = Field(examples=[2])
    read_at: Moment | None
    """When the buyer confirmed having read the notice."""


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
    readers: int = Field(examples=[4])
    """Buyers who confirmed having read the notice."""
    not_handed_over: int = Field(examples=[2])
    """Orders that are not delivered yet: do not hand them over."""


class RecallView(RecallSummary):
    do_not_hand_over: tuple[RecalledOrder, ...]
    """Orders that are not delivered yet, the earliest promise first."""


class RecallNotice(View):
    """A recalled batch of an order."""

    batch_id: int = Field(examples=[12])
    product: str = Field(examples=["Fern Hollow"])
    code: str = Field(examples=["FH-2611"])
    reason: str = Field(examples=["The laboratory found mould"])
    recalled_at: Moment
    units: int = Field(examples=[2])
    read_at: Moment | None
    """When the buyer confirmed having read the notice."""


class BatchOption(View):
    """A batch that can be recalled."""

    batch_id: int = Field(examples=[12])
    product: str = Field(examples=["Fern Hollow"])
    code: str = Field(examples=["FH-2611"])
    units: int = Field(examples=[31])
    """For sale and set aside."""


class DrillView(View):
    """What a recall would do. Nothing was changed, and nobody was written to."""

    recall: RecallView
    milliseconds: int = Field(examples=[140])
    letters: int = Field(examples=[9])
    """Buyers who would get an email; the others have closed their account."""
    coverage: int = Field(examples=[100])
    """Of the units that the ledger says were taken for orders, the percentage that is found on orders."""


class FindBatchesForm(Form):
    EXAMPLE: ClassVar[Mapping[str, Any]] = {"text": "Fern Hollow"}
    MESSAGES: ClassVar[Mapping[str, str]] = {"text": recall_messages.TEXT_EXPECTED}

    text: Annotated[str, Field(min_length=1, max_length=100), AfterValidator(one_line)]
