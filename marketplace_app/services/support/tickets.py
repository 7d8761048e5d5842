"""Support tickets: written by members and guests, sorted on arrival, answered by staff."""

from typing import Any

from sqlalchemy import ColumnElement, ScalarSelect, Select, delete, func, select
from sqlalchemy.orm import selectinload
from sqlmodel import Session, col

from marketplace_app import clock
from marketplace_app.adapters import live
from marketplace_app.errors import Conflict, InvalidInput, NotFound, NotSignedIn
from marketplace_app.limits import MAX_PAGE_SIZE, MAX_TICKET_MESSAGES
from marketplace_app.messages import ORDER_NOT_FOUND, TICKET_CLOSED, TICKET_NOT_FOUND
from marketplace_app.models import Order, OrderStatus, Permission, SenderType, Ticket, TicketMessage, TicketStatus, User
from marketplace_app.models.base import related
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.tickets import (
    AnalysisView,
    CreatedTicketView,
    GuestTicketForm,
    ReplyForm,
    TicketDetailView,
    TicketEditForm,
    TicketForm,
    TicketQuery,
    TicketView,
    created_of,
    detail_of,
    view_of,
)
from marketplace_app.services import settings
from marketplace_app.services.accounts import require, require_signed_in
from marketplace_app.services.buying import own_orders
from marketplace_app.services.records import announcements, audit_log, outbox
from marketplace_app.services.support import triage

ANSWER_MAIL = "ticket_answered"


class TicketClosed(Conflict):
    code = "ticket_closed"
    message = TICKET_CLOSED


class TicketFull(Conflict):
    code = "ticket_full"
    message = "This conversation has become too long. Please create a new ticket."


def create(session: Session, actor: User | None, form: TicketForm) -> CreatedTicketView:
    """Create and triage a ticket. Signed-in users write as themselves, whatever the form says; guests give an email.

    Raises InvalidInput if it is about an order that is not the caller's.
    """
    if form.order_id is not None:
        _require_own_order(session, actor, form.order_id)
    email, name = (actor.email, actor.full_name) if actor else _guest(form)
    at = clock.now()
    shop, is_repeat = settings.current(session), actor is not None and _is_repeat_customer(session, actor)
    analysis = triage.analyse(form.subject, form.message, at, shop, is_repeat_customer=is_repeat)
    ticket = Ticket(
        user_id=actor.id if actor else None,
        order_id=form.order_id,
        customer_email=email,
        customer_name=name,
        subject=form.subject,
        message=form.message,
        category=form.category or analysis.category,
        priority=analysis.priority,
        tags=list(analysis.tags),
        analysis=AnalysisView.of(analysis).wire(),
        created_at=at,
    )
    session.add(ticket)
    session.flush()
    _announce(session, ticket)
    return created_of(ticket)


def _require_own_order(session: Session, actor: User | None, order_id: str) -> None:
    try:
        own_orders.find(session, require_signed_in(actor), order_id)
    except (NotFound, NotSignedIn) as error:
        raise InvalidInput({"orderId": ORDER_NOT_FOUND}) from error


def _is_repeat_customer(session: Session, user: User) -> bool:
    statement = select(col(Order.id)).where(col(Order.user_id) == user.id, col(Order.status) == OrderStatus.DELIVERED)
    return session.execute(statement.limit(1)).first() is not None


def list_own(
    session: Session, actor: User | None, *, limit: int = MAX_PAGE_SIZE, offset: int = 0
) -> tuple[int, tuple[TicketView, ...]]:
    """The number of the caller's tickets, and one page of them, newest first."""
    user = require_signed_in(actor)
    return _page(session, [col(Ticket.user_id) == user.id], limit, offset)


def list_all(session: Session, actor: User | None, query: TicketQuery) -> tuple[int, tuple[TicketView, ...]]:
    """The number of tickets that match the filters, and one page of them, newest first."""
    require(actor, Permission.SEE_TICKETS)
    wanted = {Ticket.status: query.status, Ticket.priority: query.priority, Ticket.category: query.category}
    conditions = [col(column) == value for column, value in wanted.items() if value is not None]
    return _page(session, conditions, query.limit, query.offset)


def get(session: Session, actor: User | None, ticket_id: str) -> TicketDetailView:
    """A ticket with its messages: one of the caller's own, or any for staff. Raises NotFound."""
    return detail_of(_find(session, require_signed_in(actor), ticket_id))


def reply(session: Session, actor: User | None, ticket_id: str, form: ReplyForm) -> TicketDetailView:
    """An answer by staff sets the ticket in progress; a customer's reply to a resolved ticket reopens it.

    Raises NotFound, TicketClosed, TicketFull.
    """
    user = require_signed_in(actor)
    ticket = _find(session, user, ticket_id, lock=True)
    sender = SenderType.CUSTOMER if ticket.user_id == user.id else SenderType.ADMIN
    if sender is SenderType.ADMIN:
        require(user, Permission.ANSWER_TICKETS)
    if not ticket.can_reply:
        raise TicketClosed()
    if len(ticket.messages) >= MAX_TICKET_MESSAGES:
        raise TicketFull()
    message = TicketMessage(
        ticket_id=ticket.id,
        position=len(ticket.messages) + 1,
        sender_type=sender,
        sender_id=user.id,
        message=form.message,
    )
    ticket.messages.append(message)
    if sender is SenderType.ADMIN:
        ticket.status = TicketStatus.IN_PROGRESS
        outbox.add(session, ANSWER_MAIL, _address(session, ticket), ticket_id=ticket.id, position=message.position)
        audit_log.append(session, user, "ticket.answered", f"ticket:{ticket.id}", message=message.position)
    elif ticket.status is TicketStatus.RESOLVED:
        ticket.status = TicketStatus.OPEN
    session.add(ticket)
    session.flush()
    _announce(session, ticket)
    return detail_of(ticket)


def _address(session: Session, ticket: Ticket) -> str:
    """Where its answers go: for a guest the address that was given, for a user the current one (RULE user-edit)."""
    return ticket.customer_email if ticket.user_id is None else session.get_one(User, ticket.user_id).email


def edit(session: Session, actor: User | None, ticket_id: str, form: TicketEditForm) -> TicketDetailView:
    """Staff set status, priority and category. Closed is final: raises TicketClosed if it would be reopened."""
    staff = require(actor, Permission.ANSWER_TICKETS)
    ticket = _find(session, staff, ticket_id, lock=True)
    changes = {name: new for name, new in form.columns().items() if getattr(ticket, name) != new}
    if "status" in changes and not ticket.can_reply:
        raise TicketClosed()
    if changes:
        details = {name: [getattr(ticket, name).value, new.value] for name, new in changes.items()}
        for name, new in changes.items():
            setattr(ticket, name, new)
        session.add(ticket)
        session.flush()
        audit_log.append(session, staff, "ticket.changed", f"ticket:{ticket.id}", **details)
        _announce(session, ticket)
    return detail_of(ticket)


def export(session: Session, user: User) -> list[dict[str, Any]]:
    """All messages of a user's tickets, including those written as a guest from their verified address."""
    statement = _newest_first(select(Ticket).where(_is_theirs(user)))
    loaded = statement.options(selectinload(related(Ticket.messages)))
    return [detail_of(ticket).wire() for ticket in session.execute(loaded).scalars()]


def count_tickets(user: User) -> ScalarSelect[int]:
    """How many tickets `export` has, as a part of a larger statement."""
    return select(func.count()).select_from(Ticket).where(_is_theirs(user)).scalar_subquery()


def erase(session: Session, user: User) -> None:
    """Delete a user's tickets with all messages, including those written as a guest from their verified address."""
    session.execute(delete(Ticket).where(_is_theirs(user)).execution_options(synchronize_session=False))


def addresses_of(user: User) -> Select[Any]:
    """The addresses that a user's tickets were written from."""
    return select(col(Ticket.customer_email)).where(_is_theirs(user))


def _is_theirs(user: User) -> ColumnElement[bool]:
    wrote_as_guest = col(Ticket.user_id).is_(None) & (col(Ticket.customer_email) == user.verified_email)
    return (col(Ticket.user_id) == user.id) | wrote_as_guest


def _guest(form: TicketForm) -> tuple[str, str]:
    guest = parse(GuestTicketForm, form.model_dump(by_alias=True))
    return guest.customer_email, guest.customer_name or ""


def _find(session: Session, user: User, ticket_id: str, *, lock: bool = False) -> Ticket:
    statement = select(Ticket).where(col(Ticket.id) == ticket_id)
    if not user.may(Permission.SEE_TICKETS):
        statement = statement.where(col(Ticket.user_id) == user.id)
    if lock:
        statement = statement.with_for_update().execution_options(populate_existing=True)
    ticket: Ticket | None = session.execute(statement).scalar_one_or_none()
    if ticket is None:
        raise NotFound(TICKET_NOT_FOUND)
    return ticket


def _page(
    session: Session, conditions: list[ColumnElement[bool]], limit: int, offset: int
) -> tuple[int, tuple[TicketView, ...]]:
    total = session.execute(select(func.count()).select_from(Ticket).where(*conditions)).scalar_one()
    statement = _newest_first(select(Ticket).where(*conditions)).limit(limit).offset(offset)
    return int(total), tuple(view_of(ticket) for ticket in session.execute(statement).scalars())


def _newest_first(statement: Select[Any]) -> Select[Any]:
    return statement.order_by(col(Ticket.created_at).desc(), col(Ticket.id))


def _announce(session: Session, ticket: Ticket) -> None:
    announcements.publish(session, live.STAFF)
    if ticket.user_id is not None:
        announcements.publish(session, live.user(ticket.user_id))
