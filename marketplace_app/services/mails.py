"""The store's emails. Subjects name no product: they show on locked screens and in shared inboxes."""

from dataclasses import dataclass
from datetime import date
from typing import Any

from sqlmodel import Session

from marketplace_app import batch_messages, cash, clock, messages, money, recall_messages
from marketplace_app.config import get_settings
from marketplace_app.models import Batch, BatchQuestion, FailureReason, Order, OrderStatus, Product, Ticket
from marketplace_app.services import settings
from marketplace_app.services.account import invitations
from marketplace_app.services.buying.fulfilment import BEFORE_DISPATCH
from marketplace_app.services.dispatch import failures
from marketplace_app.templates import render
from marketplace_app.theme.tokens import LIGHT

_CANCELLED = (f"{cash.NOTHING_DUE} Credit and one-time discounts have been returned to you where possible.",)


@dataclass(frozen=True)
class Mail:
    subject: str
    paragraphs: tuple[str, ...]
    link_label: str = ""
    link: str = ""

    def plain(self) -> str:
        return render("mail.txt", mail=self, signature=_signature())

    def html(self) -> str:
        return render("mail.html", mail=self, signature=_signature(), colours=LIGHT)


def compose(session: Session, kind: str, payload: dict[str, Any]) -> Mail | None:
    """The email of an outbox row; None if what it is about no longer exists, or it is no longer needed."""
    return _KINDS[kind](session, payload)


def _order_placed(session: Session, payload: dict[str, Any]) -> Mail | None:
    order = _find_order(session, payload["order_id"])
    if order is None:
        return None
    return Mail(
        f"Order {order.number}: thank you",
        (
            f"Thank you. We have received your order {order.number}.",
            _delivery_sentence(session, order),
            cash.request(order.total_cents, ": the driver carries no change"),
            *cash.advice(order.total_cents),
        ),
        "See your order",
        _order_url(order),
    )


def _delivery_sentence(session: Session, order: Order) -> str:
    """When it is delivered: in the chosen slot or, without one, when it is due, with the note on weekends."""
    timezone, due = get_settings().timezone, order.estimated_delivery_at
    chosen = order.delivery
    if chosen is None or chosen.window_starts_at is None or chosen.window_ends_at is None:
        note = settings.current(session).weekend_note(order.created_at, due, timezone)
        return f"Contactless delivery is expected by {clock.show_time(due, timezone)}. {note}".rstrip()
    return f"Contactless delivery: {clock.show_span(chosen.window_starts_at, chosen.window_ends_at, timezone)}."


def _ready_question(session: Session, payload: dict[str, Any]) -> Mail | None:
    """None also if the customer has answered by now, or the order is out, ended or moved to another time."""
    order = _find_order(session, payload["order_id"])
    if order is None or order.status not in BEFORE_DISPATCH or order.delivery is None:
        return None
    if order.delivery.ready_asked_at is None or order.delivery.ready_at is not None:
        return None
    total = money.show(order.total_cents)
    payment = f", and have exactly {total} in cash ready." if order.total_cents else f". {cash.NOTHING_DUE}"
    return Mail(
        f"Order {order.number}: are you ready?",
        (
            f"Are you ready for your order {order.number}? {_delivery_sentence(session, order)}",
            f"Please be there with your ID{payment}",
            *cash.advice(order.total_cents),
            "On the order's page you can say that you are ready, choose another time, or cancel.",
        ),
        "Answer",
        _order_url(order),
    )


def _slot_changed(session: Session, payload: dict[str, Any]) -> Mail | None:
    order = _find_order(session, payload["order_id"])
    if order is None or order.status not in BEFORE_DISPATCH:
        return None
    return Mail(
        f"Order {order.number}: another time",
        (f"You have chosen another time for your order {order.number}.", _delivery_sentence(session, order)),
        "See your order",
        _order_url(order),
    )


def _order_status(session: Session, payload: dict[str, Any]) -> Mail | None:
    order = _find_order(session, payload["order_id"])
    if order is None:
        return None
    status = OrderStatus(payload["status"])
    return Mail(
        f"Order {order.number}: {status.label}",
        (f"Your order {order.number} is now {status.label.lower()}.", *_advice(order, status)),
        "See your order",
        _order_url(order),
    )


def _advice(order: Order, status: OrderStatus) -> tuple[str, ...]:
    if status is OrderStatus.OUT_FOR_DELIVERY:
        return (cash.request(order.total_cents), *cash.advice(order.total_cents))
    if status is OrderStatus.CANCELLED:
        return _CANCELLED
    return ()


def _delivery_failed(session: Session, payload: dict[str, Any]) -> Mail | None:
    """Never blaming: what happened, and what happens next. The day is named if it is over: a report may arrive, or be
    entered from paper, on the next morning."""
    order = _find_order(session, payload["order_id"])
    if order is None:
        return None
    rule = failures.RULES[FailureReason(payload["reason"])]
    today = clock.today(get_settings().timezone)
    day = date.fromisoformat(payload["day"]) if "day" in payload else today  # older versions queued none
    when = "today" if day == today else f"on {clock.show_day(day)}"
    return Mail(
        f"Order {order.number}: {'cancelled' if rule.is_cancelled else f'not delivered {when}'}",
        (f"We could not hand over your order {order.number} {when} {rule.sentence}.", *_next_steps(rule.is_cancelled)),
        "See your order",
        _order_url(order),
    )


def _next_steps(is_cancelled: bool) -> tuple[str, ...]:
    if is_cancelled:
        return ("The order is cancelled.", *_CANCELLED)
    return (
        "It is kept for you, and nothing is due yet. We will deliver it another time, and write when it is on its way.",
    )


def _recall(session: Session, payload: dict[str, Any]) -> Mail | None:
    """Also about an order that was deleted after its delivery: its buyer may still have the product."""
    order, batch = session.get(Order, payload["order_id"]), session.get(Batch, payload["batch_id"])
    if order is None or batch is None:
        return None
    product = session.get_one(Product, batch.product_id)
    if order.deleted_at is None:
        where, link = "Write to us from the order's page", ("See your order", _order_url(order))
    else:
        where, link = "Write to us", ("Contact support", _support_url())
    return Mail(
        f"Order {order.number}: please do not use it",
        (
            f"We have recalled batch {batch.code} of {product.name}, which is in your order {order.number}.",
            f"The reason: {batch.recall_reason.rstrip('.')}.",
            recall_messages.DO_NOT_USE,
            recall_messages.NOT_DELIVERED,
            f"{where}, and we will say how you get your money back.",
        ),
        *link,
    )


def _batch_question(session: Session, payload: dict[str, Any]) -> Mail | None:
    """None also once the question has ended."""
    question = session.get(BatchQuestion, payload["question_id"])
    if question is None or question.ended_at is not None:
        return None
    order = _find_order(session, question.order_id)
    if order is None:
        return None
    product = session.get_one(Product, question.product_id)
    current, offered = (session.get_one(Batch, each) for each in (question.from_batch_id, question.to_batch_id))
    return Mail(
        f"Order {order.number}: may we pack another batch?",
        (
            f"In your order {order.number}, {product.name} is from {_batch_name(current)}. "
            f"We would like to pack it from {_batch_name(offered)} instead.",
            "On the order's page you can say that this batch is fine, or keep yours.",
        ),
        "Answer",
        _order_url(order),
    )


def _batch_name(batch: Batch) -> str:
    return batch_messages.name_with_thc(batch.code, batch.thc_percent)


def _invitation(session: Session, payload: dict[str, Any]) -> Mail:
    name = payload["first_name"]
    store = get_settings().store_name
    flavor = invitations.sample_flavor(session)
    return Mail(
        f"Your invitation to {store}",
        (
            f"Hello {name}," if name else "Hello,",
            f"You are invited to {store}, a private store for adults 21 and over.",
            f"The link works once and expires in {_days(payload.get('days', 7))}. You will be asked to sign in.",
            *([messages.invitation_flavor(flavor)] if flavor else []),
        ),
        "Accept the invitation",
        payload["address"],
    )


def _days(count: int) -> str:
    """`seven days`"""
    words = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
    number = words[count] if count < len(words) else str(count)
    return f"{number} {'day' if count == 1 else 'days'}"


def _ticket_answered(session: Session, payload: dict[str, Any]) -> Mail | None:
    ticket = session.get(Ticket, payload["ticket_id"])
    if ticket is None:
        return None
    answer = ticket.messages[payload["position"] - 1].message
    url = _support_url()
    opening = f"We have answered your support ticket {ticket.short_id}:"
    if ticket.user_id is not None:
        return Mail(
            f"An answer to your support ticket {ticket.short_id}",
            (opening, answer),
            "See your ticket",
            f"{url}?ticket={ticket.id}",
        )
    more = f"To reply, create a new ticket and mention {ticket.short_id}."
    return Mail(f"An answer to your support ticket {ticket.short_id}", (opening, answer, more), "Support", url)


def _back_in_stock(session: Session, payload: dict[str, Any]) -> Mail | None:
    product = session.get(Product, payload["product_id"])
    if product is None or not product.available:
        return None
    return Mail(
        "It is back in stock",
        (
            f"{product.name} is back in stock. You asked us to tell you.",
            "This is the only email about it. There may not be enough for everyone who asked.",
        ),
        "See the product",
        f"{get_settings().public_url}/product/{product.id}",
    )


def _find_order(session: Session, order_id: str) -> Order | None:
    """None also if it was deleted."""
    order = session.get(Order, order_id)
    return order if order is not None and order.deleted_at is None else None


def _order_url(order: Order) -> str:
    return f"{get_settings().public_url}/orders/{order.id}"


def _support_url() -> str:
    return f"{get_settings().public_url}/support"


def _signature() -> str:
    configured = get_settings()
    return f"{configured.store_name} · Questions? {configured.support_email}"


_KINDS = {
    "order_placed": _order_placed,
    "order_status": _order_status,
    "ready_question": _ready_question,
    "slot_changed": _slot_changed,
    "delivery_failed": _delivery_failed,
    "recall": _recall,
    "batch_question": _batch_question,
    "invitation": _invitation,
    "ticket_answered": _ticket_answered,
    "back_in_stock": _back_in_stock,
}
