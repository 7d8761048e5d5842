"""All orders, for staff: listing, viewing and changing them."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from typing import Annotated, Any, ClassVar

from pydantic import ConfigDict, Field, field_validator

from marketplace_app.limits import MAX_BULK_ORDERS
from marketplace_app.models import OrderStatus, Substitution, TicketStatus
from marketplace_app.schemas.base import Answer, Cents, Day, Form, Moment, PageQuery, View
from marketplace_app.schemas.batches.recalls import RecallNotice
from marketplace_app.schemas.buying.order_batches import BatchQuestionView, OrderBatch, recalled
from marketplace_app.schemas.buying.orders import OrderView
from marketplace_app.schemas.products.products import SortDirection


class OrderSortKey(StrEnum):
    PLACED = "placed"
    TOTAL = "total"
    CUSTOMER = "customer"
    STATUS = "status"
    NUMBER = "number"


class OrderQuery(PageQuery):
    """Filters combine with AND, the statuses among themselves with OR. Days are the store's; bounds are inclusive."""

    model_config = ConfigDict(validate_by_name=True)

    q: Annotated[str, Field(max_length=200)] = ""
    """The number, the beginning or the end of the id, or words of name, email, phone, address and products."""
    status: Annotated[list[OrderStatus], Field(max_length=len(OrderStatus))] = []
    placed_from: Day | None = None
    placed_to: Day | None = None
    min_total: Cents | None = None
    max_total: Cents | None = None
    sort: OrderSortKey = OrderSortKey.PLACED
    order: SortDirection = SortDirection.DESCENDING


@dataclass(frozen=True)
class AdminOrderRow:
    """One line of the table."""

    id: str
    number: int
    customer_name: str
    customer_email: str
    created_at: datetime
    item_count: int
    """Units, not lines."""
    total_cents: int
    status: OrderStatus
    address: str


@dataclass(frozen=True)
class AdminOrderPage:
    orders: tuple[AdminOrderRow, ...]
    total: int
    """How many match."""
    counts: dict[OrderStatus, int]
    """For every status, also where it is 0: how many orders with this status match the other filters."""


class ManyStatusForm(Form):
    """One status for several orders. An order that is named twice counts once."""

    EXAMPLE: ClassVar[Mapping[str, Any]] = {"ids": ["4f7c2a9e-5f0b-4f6e-9d83-0a8de7c1b2f4"], "status": "confirmed"}

    ids: Annotated[list[Annotated[str, Field(min_length=1, max_length=64)]], Field(min_length=1)]
    status: Annotated[OrderStatus, Field(strict=False)]

    @field_validator("ids")
    @classmethod
    def _each_once(cls, ids: list[str]) -> list[str]:
        once = list(dict.fromkeys(ids))
        if len(once) > MAX_BULK_ORDERS:
            raise ValueError(f"at most {MAX_BULK_ORDERS} orders at once")
        return once


# What a change of status does, or would do, to one order.
class StatusOutcomeAnswer(View):
    id: str
    number: int
    from_status: OrderStatus = Field(alias="from")
    to_status: OrderStatus = Field(alias="to")
    is_change: bool = Field(alias="changes")
    problem: str | None = Field(examples=["Only 1 of Fern Hollow left."])
    """Why the order cannot be changed; None if it can."""


# Who did something.
class ActorView(View):
    id: int
    name: str
    email: str


class AdminStatusChange(View):
    from_status: OrderStatus | None = Field(alias="from")
    to_status: OrderStatus = Field(alias="to")
    at: Moment
    by: ActorView | None
    # For the page alone: whether staff set the order to delivered without a report from the door.
    is_by_hand: bool = Field(default=False, exclude=True)


class AuditLine(View):
    at: Moment
    action: str = Field(examples=["order.status"])
    by: ActorView | None
    details: dict[str, Any]


@dataclass(frozen=True)
class OrderTicket:
    """A ticket that the customer wrote about this order."""

    id: str
    subject: str
    status: TicketStatus
    created_at: datetime


@dataclass(frozen=True)
class KeptBirthDate:
    """The birth date on an order's record, and for how long after the order it is kept (RULE order-record)."""

    birth_date: date
    keep_days: int


@dataclass(frozen=True)
class AdminOrder:
    """One order, with its history and who made each change."""

    order: OrderView
    customer: ActorView
    history: tuple[AdminStatusChange, ...]
    audit: tuple[AuditLine, ...]
    """Empty for those who may not see the audit trail."""
    tickets: tuple[OrderTicket, ...] = ()
    """Newest first, only for the page; empty for those who may not see tickets."""
    birth_date: KeptBirthDate | None = None
    """Only for the page, and for those who may edit orders."""
    batches: tuple[OrderBatch, ...] = ()
    """The batches whose units the order has; empty for a cancelled order."""
    wish: Substitution = Substitution.ASK
    """What the customer wants if the order is packed from another batch; only for the page."""
    questions: tuple[BatchQuestionView, ...] = ()
    """What the customer was asked about other batches, if anything."""

    @property
    def recalls(self) -> tuple[RecallNotice, ...]:
        return recalled(self.batches)

    def wire(self) -> dict[str, Any]:
        return self.order.wire() | {
            "userId": self.customer.id,
            "history": [change.wire() for change in self.history],
            "audit": [line.wire() for line in self.audit],
            **({"batches": [batch.wire() for batch in self.batches]} if self.batches else {}),
            **({"batchQuestions": [each.wire() for each in self.questions]} if self.questions else {}),
        }


class AdminOrderAnswer(OrderView):
    user_id: int
    batches: tuple[OrderBatch, ...] = Field((), description="Left out where there are none.")
    batch_questions: tuple[BatchQuestionView, ...] = Field((), description="Left out likewise.")
    history: tuple[AdminStatusChange, ...]  # type: ignore[assignment]
    audit: tuple[AuditLine, ...]


class DeletedAnswer(Answer):
    message: str = Field(examples=["Order deleted successfully"])
