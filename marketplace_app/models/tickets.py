"""Support tickets and the messages that follow them."""

from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import uuid4

from sqlalchemy import JSON, CheckConstraint, Index, UniqueConstraint
from sqlmodel import Field, Relationship, SQLModel

from marketplace_app.clock import now
from marketplace_app.limits import MAX_TICKET_MESSAGE, MAX_TICKET_SUBJECT, SHORT_ID_CHARACTERS
from marketplace_app.models.base import TextEnum, UtcDateTime, one_of


class TicketCategory(StrEnum):
    GENERAL = "general"
    BILLING = "billing"
    TECHNICAL = "technical"
    PRODUCT = "product"
    DELIVERY = "delivery"
    ACCOUNT = "account"


class TicketPriority(StrEnum):
    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"
    URGENT = "urgent"


class TicketStatus(StrEnum):
    OPEN = "open"
    IN_PROGRESS = "in_progress"
    RESOLVED = "resolved"
    CLOSED = "closed"


class SenderType(StrEnum):
    ADMIN = "admin"
    CUSTOMER = "customer"


def new_ticket_id() -> str:
    return str(uuid4())


class Ticket(SQLModel, table=True):
    __tablename__ = "tickets"
    __table_args__ = (
        one_of("category", TicketCategory),
        one_of("priority", TicketPriority),
        one_of("status", TicketStatus),
        CheckConstraint("user_id IS NOT NULL OR customer_email <> ''", name="customer_known"),
        CheckConstraint(f"length(subject) BETWEEN 1 AND {MAX_TICKET_SUBJECT}", name="subject_length"),
        CheckConstraint(f"length(message) BETWEEN 1 AND {MAX_TICKET_MESSAGE}", name="message_length"),
        Index("ix_tickets_user_id_created_at", "user_id", "created_at"),
        Index("ix_tickets_created_at", "created_at"),
        Index("ix_tickets_customer_email", "customer_email"),
    )

    id: str = Field(default_factory=new_ticket_id, primary_key=True)
    user_id: int | None = Field(default=None, foreign_key="users.id")
    """None for a guest's ticket."""
    order_id: str | None = Field(default=None, foreign_key="orders.id", index=True)
    """The customer's own order that the ticket is about, if there is one."""
    customer_email: str
    customer_name: str = ""
    subject: str
    message: str
    """What the customer wrote first; `messages` has what customer and staff wrote after it."""
    category: TicketCategory = Field(sa_type=TextEnum(TicketCategory))
    priority: TicketPriority = Field(sa_type=TextEnum(TicketPriority))
    status: TicketStatus = Field(default=TicketStatus.OPEN, sa_type=TextEnum(TicketStatus))
    tags: list[str] = Field(default_factory=list, sa_type=JSON)
    analysis: dict[str, Any] = Field(default_factory=dict, sa_type=JSON)
    """The result of `services.support.triage` when it was created: category, priority, estimatedResolution, words."""
    created_at: datetime = Field(default_factory=now, sa_type=UtcDateTime)

    messages: list["TicketMessage"] = Relationship(sa_relationship_kwargs={"order_by": "TicketMessage.position"})

    @property
    def short_id(self) -> str:
        """The id as screens show it (RULE ticket-display)."""
        return self.id[:SHORT_ID_CHARACTERS]

    @property
    def can_reply(self) -> bool:
        """Whether it can be replied to. A closed ticket stays closed."""
        return self.status is not TicketStatus.CLOSED


class TicketMessage(SQLModel, table=True):
    __tablename__ = "ticket_messages"
    __table_args__ = (
        UniqueConstraint("ticket_id", "position"),
        one_of("sender_type", SenderType),
        CheckConstraint(f"length(message) BETWEEN 1 AND {MAX_TICKET_MESSAGE}", name="message_length"),
    )

    id: str = Field(default_factory=new_ticket_id, primary_key=True)
    ticket_id: str = Field(foreign_key="tickets.id", ondelete="CASCADE")
    position: int
    sender_type: SenderType = Field(sa_type=TextEnum(SenderType))
    sender_id: int = Field(foreign_key="users.id", index=True)
    message: str
    created_at: datetime = Field(default_factory=now, sa_type=UtcDateTime)
