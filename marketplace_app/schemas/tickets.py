"""Support tickets, as written and as shown."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated, Any, ClassVar

from pydantic import AfterValidator, BeforeValidator, ConfigDict, Field

from marketplace_app import clock
from marketplace_app.limits import MAX_PAGE_SIZE, MAX_TICKET_MESSAGE, MAX_TICKET_SUBJECT, TICKETS_PAGE_SIZE
from marketplace_app.messages import EMAIL_REQUIRED, TICKET_INCOMPLETE
from marketplace_app.models import SenderType, Ticket, TicketCategory, TicketPriority, TicketStatus
from marketplace_app.schemas.base import Answer, Form
from marketplace_app.schemas.emails import Email
from marketplace_app.schemas.texts import plain


def _text(most: int, missing: str) -> AfterValidator:
    """Some words, of a bounded length. Nul characters go: no database keeps them in a text."""

    def check(text: str) -> str:
        words = text.replace("\x00", "").strip()
        if not words:
            raise ValueError(missing)
        if len(words) > most:
            raise ValueError(f"Please write at most {most:,} characters.")
        return words

    return AfterValidator(check)


Subject = Annotated[str, AfterValidator(plain), _text(MAX_TICKET_SUBJECT, TICKET_INCOMPLETE)]
Message = Annotated[str, _text(MAX_TICKET_MESSAGE, TICKET_INCOMPLETE)]
Category = Annotated[TicketCategory, Field(strict=False)]
Priority = Annotated[TicketPriority, Field(strict=False)]
Status = Annotated[TicketStatus, Field(strict=False)]


class TicketForm(Form):
    """Only guests say who they are: of signed-in users, name and email are ignored (RULE ticket-author)."""

    EXAMPLE: ClassVar[Mapping[str, Any]] = {
        "subject": "Where is my order?",
        "message": "It was due at noon.",
        "category": "delivery",
    }

    SENTENCES: ClassVar[Mapping[str, str]] = {
        "subject": TICKET_INCOMPLETE,
        "message": TICKET_INCOMPLETE,
        "category": f"The category must be one of {', '.join(TicketCategory)}.",
    }

    subject: Subject
    message: Message
    category: Annotated[Category | None, BeforeValidator(lambda given: given or None)] = None
    order_id: Annotated[str, Field(max_length=64)] | None = None
    """One of the caller's own orders, which it is about."""
    customer_email: Annotated[str, Field(max_length=254)] | None = None
    customer_name: Annotated[str, Field(max_length=160), AfterValidator(plain)] | None = None
    user_id: Annotated[int, Field(ge=0, lt=2**63)] | Annotated[str, Field(max_length=64)] | None = None


class GuestTicketForm(TicketForm):
    """Who is a guest says where the answer goes."""

    SENTENCES: ClassVar[Mapping[str, str]] = {**TicketForm.SENTENCES, "customerEmail": EMAIL_REQUIRED}

    customer_email: Email


class ReplyForm(Form):
    EXAMPLE: ClassVar[Mapping[str, Any]] = {"message": "It is on its way now."}

    SENTENCES: ClassVar[Mapping[str, str]] = {"message": "A message is required."}

    message: Annotated[str, _text(MAX_TICKET_MESSAGE, "A message is required.")]


class TicketEditForm(Form):
    """What staff may change; what is left out stays (RULE ticket-statuses)."""

    EXAMPLE: ClassVar[Mapping[str, Any]] = {"status": "resolved", "priority": "low"}

    SENTENCES: ClassVar[Mapping[str, str]] = {
        "status": f"The status must be one of {', '.join(TicketStatus)}.",
        "priority": f"The priority must be one of {', '.join(TicketPriority)}.",
        "category": f"The category must be one of {', '.join(TicketCategory)}.",
    }

    status: Status | None = None
    priority: Priority | None = None
    category: Category | None = None

    def columns(self) -> dict[str, Any]:
        return {name: value for name in type(self).model_fields if (value := getattr(self, name)) is not None}


class TicketQuery(Form):
    """Which tickets staff look at."""

    model_config = ConfigDict(strict=False, extra="ignore")

    status: TicketStatus | None = None
    priority: TicketPriority | None = None
    category: TicketCategory | None = None
    limit: Annotated[int, Field(ge=1, le=MAX_PAGE_SIZE)] = MAX_PAGE_SIZE
    offset: Annotated[int, Field(ge=0, le=1_000_000)] = 0


class SupportParams(Form):
    """`/support?status=open&page=2&ticket=...`: what the page shows."""

    model_config = ConfigDict(strict=False, extra="ignore")

    status: TicketStatus | None = None
    priority: TicketPriority | None = None
    category: TicketCategory | None = None
    page: Annotated[int, Field(ge=1, le=10_000)] = 1
    ticket: Annotated[str, Field(max_length=64)] = ""

    def parameters(self) -> dict[str, str]:
        """What differs from the plain page, for the address bar."""
        plain = SupportParams()
        given = {name: getattr(self, name) for name in type(self).model_fields}
        return {name: str(value) for name, value in given.items() if value != getattr(plain, name)}

    def query(self) -> TicketQuery:
        return TicketQuery(
            status=self.status,
            priority=self.priority,
            category=self.category,
            limit=TICKETS_PAGE_SIZE,
            offset=(self.page - 1) * TICKETS_PAGE_SIZE,
        )


class TicketFilterChoice(Form):
    """One filter of the staff's list; an empty value takes it off."""

    name: Annotated[str, Field(pattern="^(status|priority|category)$")]
    value: Annotated[str, Field(max_length=20)]


class Opened(Form):
    is_open: bool


class Typed(Form):
    text: Annotated[str, Field(max_length=100_000)]


@dataclass(frozen=True)
class MessageView:
    id: str
    sender_type: SenderType
    message: str
    created_at: datetime

    def wire(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "senderType": self.sender_type.value,
            "message": self.message,
            "createdAt": clock.iso(self.created_at),
        }


@dataclass(frozen=True)
class AnalysisView:
    category: TicketCategory
    priority: TicketPriority
    estimated_resolution: str
    words: tuple[str, ...]

    def wire(self) -> dict[str, Any]:
        return {
            "category": self.category.value,
            "priority": self.priority.value,
            "estimatedResolution": self.estimated_resolution,
            "words": list(self.words),
        }


@dataclass(frozen=True)
class TicketView:
    id: str
    user_id: int | None
    order_id: str | None
    customer_email: str
    customer_name: str
    subject: str
    message: str
    category: TicketCategory
    priority: TicketPriority
    status: TicketStatus
    tags: tuple[str, ...]
    analysis: AnalysisView
    created_at: datetime
    messages: tuple[MessageView, ...] | None = field(default=None)
    """The answers, oldest first; None in lists."""

    def wire(self) -> dict[str, Any]:
        body: dict[str, Any] = {
            "id": self.id,
            "userId": self.user_id,
            "orderId": self.order_id,
            "customerEmail": self.customer_email,
            "customerName": self.customer_name,
            "subject": self.subject,
            "message": self.message,
            "category": self.category.value,
            "priority": self.priority.value,
            "status": self.status.value,
            "tags": list(self.tags),
            "aiAnalysis": self.analysis.wire(),
            "createdAt": clock.iso(self.created_at),
        }
        return body if self.messages is None else body | {"messages": [each.wire() for each in self.messages]}

    def created_wire(self) -> dict[str, Any]:
        """As the call that created it answers: the analysis under its own name, tags and all."""
        return self.wire() | {"analysis": self.analysis.wire() | {"tags": list(self.tags)}}


def view_of(ticket: Ticket, *, with_messages: bool = False) -> TicketView:
    analysis = ticket.analysis
    return TicketView(
        id=ticket.id,
        user_id=ticket.user_id,
        order_id=ticket.order_id,
        customer_email=ticket.customer_email,
        customer_name=ticket.customer_name,
        subject=ticket.subject,
        message=ticket.message,
        category=ticket.category,
        priority=ticket.priority,
        status=ticket.status,
        tags=tuple(ticket.tags),
        analysis=AnalysisView(
            category=TicketCategory(analysis["category"]),
            priority=TicketPriority(analysis["priority"]),
            estimated_resolution=analysis["estimatedResolution"],
            words=tuple(analysis["words"]),
        ),
        created_at=ticket.created_at,
        messages=tuple(
            MessageView(each.id, each.sender_type, each.message, each.created_at) for each in ticket.messages
        )
        if with_messages
        else None,
    )


class AnalysisAnswer(Answer):
    category: TicketCategory
    priority: TicketPriority
    estimated_resolution: str = Field(examples=["Within 1 hour"])
    words: list[str] = Field(examples=[["driver", "could not find"]])


class CreatedAnalysisAnswer(AnalysisAnswer):
    tags: list[str] = Field(examples=[["delivery", "order issue"]])


class TicketAnswer(Answer):
    id: str
    user_id: int | None
    order_id: str | None
    customer_email: str
    customer_name: str
    subject: str
    message: str
    category: TicketCategory
    priority: TicketPriority
    status: TicketStatus
    tags: list[str]
    ai_analysis: AnalysisAnswer
    created_at: str = Field(examples=["2026-11-20T11:40:00Z"])


class CreatedTicketAnswer(TicketAnswer):
    analysis: CreatedAnalysisAnswer


class MessageAnswer(Answer):
    id: str
    sender_type: SenderType
    message: str
    created_at: str = Field(examples=["2026-11-20T11:40:00Z"])


class TicketDetailAnswer(TicketAnswer):
    messages: list[MessageAnswer]
