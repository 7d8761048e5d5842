"""`/admin/orders/[order_id]` and its packing slip: one order and its history."""

from dataclasses import dataclass
from typing import Any

import reflex as rx

from marketplace_app import clock, money, recall_messages
from marketplace_app.adapters import live
from marketplace_app.batch_messages import OUTCOMES, wish_sentence
from marketplace_app.config import get_settings
from marketplace_app.dispatch_messages import ORDER_RECALLED
from marketplace_app.display.batches import describe
from marketplace_app.display.labels import (
    BATCH_HUES,
    BATCH_LABELS,
    NEXT_STEP_LABELS,
    ORDER_HUES,
    PAYMENT_METHOD_LABELS,
    TICKET_HUES,
    label_of,
)
from marketplace_app.display.paging import counted
from marketplace_app.errors import NotFound
from marketplace_app.limits import SHORT_ID_CHARACTERS
from marketplace_app.models import BatchState, OrderStatus, Permission
from marketplace_app.rule_messages import after_its_end
from marketplace_app.schemas.admin.orders import (
    ActorView,
    AdminOrder,
    AdminStatusChange,
    AuditLine,
    KeptBirthDate,
    OrderTicket,
)
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.batches.recalls import RecallNotice
from marketplace_app.schemas.buying.order_batches import BatchQuestionView, OrderBatch
from marketplace_app.schemas.buying.order_forms import OrderId
from marketplace_app.schemas.buying.orders import OrderView
from marketplace_app.schemas.buying.quotes import TAX_CODE, TAX_INCLUDED_CODE
from marketplace_app.services.admin import orders as admin_orders
from marketplace_app.services.admin.audit_sentences import ANSWERS, name_of
from marketplace_app.services.buying import fulfilment
from marketplace_app.states.admin.orders.listed_orders import customer_label
from marketplace_app.states.buying.cart import QuoteRow, quote_row
from marketplace_app.states.buying.order import OrderItem
from marketplace_app.states.buying.order_steps import STEP_NAMES
from marketplace_app.states.events.base import Updates, action, read, route_argument, shows_its_row
from marketplace_app.states.events.failures import MISSING_OR_FAILED
from marketplace_app.states.events.subscriptions import subscribe

_SHORTER_NAMES = {"order.status": "Status changed"}
"""Names that are shorter on an order's page; other actions are called what `audit_sentences` calls them."""


@dataclass(frozen=True)
class HistoryEntry:
    """An entry of the history or of the audit trail."""

    key: str
    what: str
    who: str
    when: str


@dataclass(frozen=True)
class BatchLine:
    """Units of one batch on a line."""

    batch_id: int
    code: str
    text: str
    """`2 units of FH-2611 · last day May 02, 2027 · THC 22.4%`"""
    state: str
    """Why it may not be sold; empty if it may."""
    hue: str


@dataclass(frozen=True)
class AdminOrderItem(OrderItem):
    batches: list[BatchLine]
    questions: list[str]
    """`Asked Nov 26, 2026, 3:40 PM about FH-2612 instead of FH-2611: no answer yet.`"""


@dataclass(frozen=True)
class TicketLine:
    """A ticket about this order."""

    href: str
    subject: str
    subtitle: str
    """`1f0c2a77 · Nov 20, 2026, 3:40 PM`"""
    status: str
    hue: str


class AdminOrderState(rx.State):
    view: str = "loading"
    """loading, found, missing or failed"""
    id: str = ""
    title: str = ""
    """`Order 4836`"""
    placed: str = ""
    """`Placed Nov 20, 2026, 3:40 PM · 2265b1f5`"""
    status: str = ""
    status_label: str = ""
    status_hue: str = "grey"
    step: str = ""
    """The button that sets the next status, such as `Confirm`; empty for none."""
    is_cancelled: bool = False
    has_label: bool = False
    """Whether its bag has a label (RULE bag-labels)."""
    items: list[AdminOrderItem] = []
    can_change_batch: bool = False
    """Until the order is out."""
    wish: str = ""
    """`The customer's wish: Ask me first.`; empty for an order without batches."""
    pieces: str = ""
    """`5 pieces`"""
    lines: list[QuoteRow] = []
    taxes: list[QuoteRow] = []
    """Those of `lines` that are taxes, for the packing slip."""
    total: str = ""
    customer: str = ""
    customer_email: str = ""
    customer_href: str = ""
    facts: list[tuple[str, str]] = []
    record: list[tuple[str, str]] = []
    """What the rules of the US state require to be kept with the order, such as the date of birth; empty if nothing, or
    if the user may not see it."""
    history: list[HistoryEntry] = []
    audit: list[HistoryEntry] = []
    tickets: list[TicketLine] = []
    recalls: list[str] = []
    """`Batch FH-2611 of Fern Hollow: The laboratory found mould. Not read yet by the customer.`"""
    recalls_title: str = ""
    """Says that the order must not be handed over, or that it already was."""

    @action(who=Permission.SEE_ORDERS, on_failure=MISSING_OR_FAILED)
    async def load(self) -> Updates:
        """on_load, and again after a reconnect: an order that is on the screen stays until the answer arrives."""
        if not shows_its_row(self, "order_id"):
            self.view = "loading"
            yield None
        subscribe(self, live.STAFF)
        await self._fetch()

    async def _refresh(self) -> None:
        """Something changed elsewhere; it may concern this page."""
        try:
            await self._fetch()
        except NotFound:
            self.view = "missing"

    async def _fetch(self) -> None:
        order_id = parse(OrderId, {"orderId": route_argument(self, "order_id")}).order_id
        self._show(await read(self, admin_orders.get, order_id))

    def _show(self, found: AdminOrder) -> None:
        order, timezone = found.order, get_settings().timezone
        self.id, self.title = order.id, f"Order {order.number}"
        self.placed = f"Placed {clock.show_time(order.created_at, timezone)} · {order.id[:SHORT_ID_CHARACTERS]}"
        self.status_label, self.status_hue = order.status.label, ORDER_HUES[order.status]
        self.status, self.step = order.status.value, NEXT_STEP_LABELS.get(order.status, "")
        self.is_cancelled = order.status is OrderStatus.CANCELLED
        self.has_label = not order.status.is_ended and not found.recalls
        self.items = _items(order, found)
        self.can_change_batch = order.status in fulfilment.BEFORE_DISPATCH
        self.wish = wish_sentence(found.wish) if found.batches else ""
        count = sum(item.quantity for item in order.items)
        self.pieces = counted(count, "piece")
        self.lines, self.total = [quote_row(line) for line in order.quote_lines], money.show(order.total_cents)
        self.taxes = [line for line in self.lines if line.code in (TAX_CODE, TAX_INCLUDED_CODE)]
        self.customer, self.customer_email = customer_label(order.customer_name), order.customer_email
        self.customer_href = f"/admin/users/{found.customer.id}"
        self.facts, self.record = _facts(order), _record(found.birth_date)
        self.history, self.audit = _history(found), [_audit_entry(*each) for each in enumerate(found.audit)]
        self.tickets = [_ticket(each) for each in found.tickets]
        self.recalls = [_recall(each) for each in found.recalls]
        self.recalls_title = recall_messages.HANDED_OVER if order.status is OrderStatus.DELIVERED else ORDER_RECALLED
        self.view = "found"


def _recall(notice: RecallNotice) -> str:
    read_at = clock.show_time(notice.read_at, get_settings().timezone) if notice.read_at else ""
    reading = f"Read by the customer {read_at}." if read_at else "Not read yet by the customer."
    return f"Batch {notice.code} of {notice.product}: {notice.reason.rstrip('.')}. {reading}"


def _ticket(ticket: OrderTicket) -> TicketLine:
    return TicketLine(
        href=f"/support?ticket={ticket.id}",
        subject=ticket.subject,
        subtitle=f"{ticket.id[:SHORT_ID_CHARACTERS]} · {clock.show_time(ticket.created_at, get_settings().timezone)}",
        status=label_of(ticket.status),
        hue=TICKET_HUES[ticket.status],
    )


def _items(order: OrderView, found: AdminOrder) -> list[AdminOrderItem]:
    return [
        AdminOrderItem(
            product_id=item.product_id,
            href=f"/admin/products/{item.product_id}",
            name=item.name,
            image=item.image,
            quantity=item.quantity,
            total=money.show(item.quantity * item.unit_price_cents),
            batches=[_batch(each) for each in found.batches if each.product_id == item.product_id],
            questions=[_question(each) for each in found.questions if each.product_id == item.product_id],
        )
        for item in order.items
    ]


def _question(asked: BatchQuestionView) -> str:
    when = clock.show_time(asked.asked_at, get_settings().timezone)
    return f"Asked {when} about {asked.to_code} instead of {asked.from_code}: {OUTCOMES[asked.outcome]}."


def _batch(batch: OrderBatch) -> BatchLine:
    what = describe(batch.code, batch.expires_on, batch.thc_percent)
    is_for_sale = batch.state is BatchState.FOR_SALE
    return BatchLine(
        batch_id=batch.batch_id,
        code=batch.code,
        text=f"{counted(batch.units, 'unit')} of {what}",
        state="" if is_for_sale else BATCH_LABELS[batch.state],
        hue=BATCH_HUES[batch.state],
    )


def _facts(order: OrderView) -> list[tuple[str, str]]:
    timezone = get_settings().timezone
    return [
        ("Delivery address", order.delivery_address),
        ("Contact phone", order.contact_phone),
        ("Estimated delivery", clock.show_time(order.estimated_delivery_at, timezone)),
        ("Payment method", PAYMENT_METHOD_LABELS[order.payment_method]),
        ("Delivery instructions", order.delivery_instructions),
        ("Payment pickup instructions", order.payment_instructions),
    ]


def _record(kept: KeptBirthDate | None) -> list[tuple[str, str]]:
    if kept is None:
        return []
    return [
        ("Date of birth", clock.show_day(kept.birth_date)),
        ("Erased", after_its_end(kept.keep_days)),
    ]


def _history(found: AdminOrder) -> list[HistoryEntry]:
    timezone = get_settings().timezone
    return [
        HistoryEntry(str(index), _status_text(each), _actor_name(each.by), clock.show_time(each.at, timezone))
        for index, each in enumerate(found.history)
    ]


def _status_text(change: AdminStatusChange) -> str:
    """`Delivered`, or `Delivered, set by hand` if nothing was reported from the door."""
    return f"{STEP_NAMES[change.to_status]}{', set by hand' if change.is_by_hand else ''}"


def _audit_entry(index: int, line: AuditLine) -> HistoryEntry:
    what = _SHORTER_NAMES.get(line.action) or name_of(line.action)
    when = clock.show_time(line.at, get_settings().timezone)
    return HistoryEntry(str(index), f"{what}{_details(line.details)}", _actor_name(line.by), when)


def _details(details: dict[str, Any]) -> str:
    """`: pending to confirmed`, `: contact phone`, `: FH-2611 to FH-2612, yes`"""
    if "from" in details:
        return f": {details['from']} to {details['to']}".replace("_", " ")
    if "before" in details:
        answer = f", {ANSWERS[details['outcome']]}" if "outcome" in details else ""
        return f": {details['before']} to {details['code']}{answer}"
    if "fields" in details:
        # `estimated_delivery_at` is shown as `estimated delivery`.
        return ": " + ", ".join(str(name).replace("_", " ").removesuffix(" at") for name in details["fields"])
    return ""


def _actor_name(actor: ActorView | None) -> str:
    return (actor.name or actor.email or "A deleted account") if actor else "The store"
