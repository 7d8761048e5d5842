"""Support tickets, as written and as shown."""

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar

from pydantic import AfterValidator, BeforeValidator, ConfigDict, Field

from marketplace_app.limits import (
    MAX_EMAIL,
    MAX_GUEST_NAME,
    MAX_PAGE_SIZE,
    MAX_TICKET_MESSAGE,
    MAX_TICKET_SUBJECT,
    TICKETS_PAGE_SIZE,
)
from marketplace_app.messages import EMAIL_REQUIRED, TICKET_INCOMPLETE
from marketplace_app.models import SenderType, Ticket, TicketCategory, TicketPriority, TicketStatus
from marketplace_app.schemas.base import Form, MomentText, Offset, PageOfList, View
from marketplace_app.schemas.emails import Email
from marketplace_app.schemas.texts import one_line_without_nul

REPLY_REQUIRED = "A message is required."


def _text(max_length: int, empty_message: str) -> AfterValidator:
    """Not empty, of limited length, without NUL characters."""

    def check(text: str) -> str:
        cleaned = text.replace("\x00", "").strip()
        if not cleaned:
            raise ValueError(empty_message)
        if len(cleaned) > max_length:
            raise ValueError(f"Please write at most {max_length:,} characters.")
        return cleaned

    return AfterValidator(check)


_Subject = Annotated[str, AfterValidator(one_line_without_nul), _text(MAX_TICKET_SUBJECT, TICKET_INCOMPLETE)]
_Message = Annotated[str, _text(MAX_TICKET_MESSAGE, TICKET_INCOMPLETE)]
_Category = Annotated[TicketCategory, Field(strict=False)]
_Priority = Annotated[TicketPriority, Field(strict=False)]
_Status = Annotated[TicketStatus, Field(strict=False)]


class TicketForm(Form):
    """Name and email are ignored from signed-in users, and `userId` from everyone (RULE ticket-author)."""

    EXAMPLE: ClassVar[Mapping[str, Any]] = {
        "subject": "Where is my order?",
        "message": "It was due at noon.",
        "category": "delivery",
    }

    MESSAGES: ClassVar[Mapping[str, str]] = {
        "subject": TICKET_INCOMPLETE,
        "message": TICKET_INCOMPLETE,
        "category": f"The category must be one of {', '.join(TicketCategory)}.",
    }

    subject: _Subject
    message: _Message
    category: Annotated[_Category | None, BeforeValidator(lambda given: given or None)] = None
    order_id: Annotated[str, Field(max_length=64)] | None = None
    """The caller's own order that the ticket is about."""
    customer_email: Annotated[str, Field(max_length=MAX_EMAIL)] | None = None
    customer_name: Annotated[str, Field(max_length=MAX_GUEST_NAME), AfterValidator(one_line_without_nul)] | None = None
    user_id: Annotated[int, Field(ge=0, lt=2**63)] | Annotated[str, Field(max_length=64)] | None = None


class GuestTicketForm(TicketForm):
    """For guests, who must give an email address for the answer."""

    MESSAGES: ClassVar[Mapping[str, str]] = {**TicketForm.MESSAGES, "customerEmail": EMAIL_REQUIRED}

    customer_email: Email


class ReplyForm(Form):
    EXAMPLE: ClassVar[Mapping[str, Any]] = {"message": "It is on its way now."}

    MESSAGES: ClassVar[Mapping[str, str]] = {"message": REPLY_REQUIRED}

    message: Annotated[str, _text(MAX_TICKET_MESSAGE, REPLY_REQUIRED)]


class TicketEditForm(Form):
    """What staff may change; a field left out stays (RULE ticket-statuses)."""

    EXAMPLE: ClassVar[Mapping[str, Any]] = {"status": "resolved", "priority": "low"}

    MESSAGES: ClassVar[Mapping[str, str]] = {
        "status": f"The status must be one of {', '.join(TicketStatus)}.",
        "priority": f"The priority must be one of {', '.join(TicketPriority)}.",
        "category": f"The category must be one of {', '.join(TicketCategory)}.",
    }

    status: _Status | None = None
    priority: _Priority | None = None
    category: _Category | None = None

    def columns(self) -> dict[str, Any]:
        return {name: value for name in type(self).model_fields if (value := getattr(self, name)) is not None}


class TicketQuery(Form):
    """Filters of the list that staff see."""

    model_config = ConfigDict(strict=False, extra="ignore")

    status: TicketStatus | None = None
    priority: TicketPriority | None = None
    category: TicketCategory | None = None
    limit: Annotated[int, Field(ge=1, le=MAX_PAGE_SIZE)] = MAX_PAGE_SIZE
    offset: Offset = 0


class SupportParams(Form):
    """`/support?status=open&page=2&ticket=...`: what the page shows."""

    model_config = ConfigDict(strict=False, extra="ignore")

    status: TicketStatus | None = None
    priority: TicketPriority | None = None
    category: TicketCategory | None = None
    page: PageOfList = 1
    ticket: Annotated[str, Field(max_length=64)] = ""

    def parameters(self) -> dict[str, str]:
        """What differs from the default, for the address bar."""
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


class TicketFieldValue(Form):
    """The new value of a ticket's field, or of the list's filter by that field; an empty value removes the filter."""

    name: Annotated[str, Field(pattern="^(status|priority|category)$")]
    value: Annotated[str, Field(max_length=20)]


class MessageView(View):
    id: str
    sender_type: SenderType
    message: str
    created_at: MomentText = Field(examples=["2026-11-20T11:40:00Z"])


class AnalysisView(View):
    category: TicketCategory
    priority: TicketPriority
    estimated_resolution: str = Field(examples=["Within 1 hour"])
    words: tuple[str, ...] = Field(examples=[["driver", "could not find"]])
    """The words of the message that decided its category and priority; empty if none of its words was learned."""


class TaggedAnalysis(AnalysisView):
    tags: tuple[str, ...] = Field(examples=[["delivery", "order issue"]])


class TicketView(View):
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
    ai_analysis: AnalysisView
    created_at: MomentText = Field(examples=["2026-11-20T11:40:00Z"])


class TicketDetailView(TicketView):
    messages: tuple[MessageView, ...]
    """What was written after the first message, by staff and by the customer; oldest first."""


# The answer to the call that creates a ticket. It has the analysis a second time as `analysis`, with tags.
class CreatedTicketView(TicketView):
    analysis: TaggedAnalysis


def view_of(ticket: Ticket) -> TicketView:
    return TicketView.model_validate(_values_of(ticket))


def detail_of(ticket: Ticket) -> TicketDetailView:
    messages = tuple(MessageView.of(each) for each in ticket.messages)
    return TicketDetailView.model_validate(_values_of(ticket) | {"messages": messages})


def created_of(ticket: Ticket) -> CreatedTicketView:
    analysis = ticket.analysis | {"tags": ticket.tags}
    return CreatedTicketView.model_validate(_values_of(ticket) | {"analysis": analysis})


def _values_of(ticket: Ticket) -> dict[str, Any]:
    values = {name: getattr(ticket, name) for name in TicketView.model_fields if name != "ai_analysis"}
    return values | {"ai_analysis": ticket.analysis}
