"""One order's page."""

from dataclasses import dataclass

import reflex as rx
from sqlmodel import Session

from marketplace_app import cash, clock, dispatch_messages, messages, money, recall_messages
from marketplace_app.batch_messages import WISH, WISHES
from marketplace_app.config import get_settings
from marketplace_app.display.labels import ORDER_HUES, PAYMENT_METHOD_LABELS
from marketplace_app.errors import NotFound
from marketplace_app.models import OrderStatus, User
from marketplace_app.schemas.batches.recalls import RecallNotice
from marketplace_app.schemas.buying.order_batches import BatchQuestionView, OrderBatch, recalled
from marketplace_app.schemas.buying.orders import OrderView
from marketplace_app.schemas.settings import ShopSettings
from marketplace_app.services import settings
from marketplace_app.services.batches import contents
from marketplace_app.services.buying import fulfilment, orders, own_orders
from marketplace_app.services.dispatch import another_time, ready
from marketplace_app.services.order_batches import questions, recall_notices
from marketplace_app.states.buying.buy_again import BuyAgainState
from marketplace_app.states.buying.cart import QuoteRow, quote_row
from marketplace_app.states.buying.order_questions import OrderQuestionsState
from marketplace_app.states.buying.order_steps import TITLE_ID, Step, steps_of
from marketplace_app.states.buying.order_wish import OrderWishState
from marketplace_app.states.buying.orders import delivery_time, weekend_note
from marketplace_app.states.events.base import (
    SIGNED_IN,
    Updates,
    action,
    read,
    route_argument,
    shows_its_row,
    toast,
    write,
)
from marketplace_app.states.events.failures import MISSING_OR_FAILED, Explain
from marketplace_app.states.events.subscriptions import subscribe_to_own

HEADLINES = {
    OrderStatus.PENDING: "We have your order.",
    OrderStatus.CONFIRMED: "Your order is confirmed.",
    OrderStatus.OUT_FOR_DELIVERY: "On its way.",
    OrderStatus.DELIVERED: "Delivered.",
    OrderStatus.CANCELLED: "This order was cancelled.",
}


@dataclass(frozen=True)
class OrderItem:
    product_id: int
    href: str
    name: str
    image: str
    """The product's picture (`packaging.picture_of`); never empty."""
    quantity: int
    total: str


@dataclass(frozen=True)
class RecallNoticeRow:
    batch_id: int
    what: str
    """`Batch FH-2611 of Fern Hollow was recalled.`"""
    reason: str
    """`The reason: The laboratory found mould.`"""


class OrderState(rx.State):
    view: str = "loading"
    """loading, found, missing or failed"""
    can_cancel: bool = False
    cancel_note: str = ""
    """Why it can still be cancelled, and what follows."""
    is_cancelling: bool = False
    id: str = ""
    title: str = ""
    """`Order 4821`"""
    placed: str = ""
    """`Placed Nov 20, 2026`"""
    status_label: str = ""
    status_hue: str = "grey"
    headline: str = ""
    advice: str = ""
    """What to do or expect; follows the headline."""
    steps: list[Step] = []
    items: list[OrderItem] = []
    lines: list[QuoteRow] = []
    total: str = ""
    facts: list[tuple[str, str]] = []
    delivery_time: str = ""
    """`Fri, Nov 27, 5:00 PM to 7:00 PM`; empty for an order without a slot."""
    readiness: str = ""
    """asked, said (the customer said that they are ready), or nothing"""
    ready_text: str = ""
    """What stands below the question, or instead of it."""
    is_confirming_ready: bool = False
    can_move: bool = False
    """Another delivery time may be chosen."""
    cash: list[str] = []
    """How to prepare the cash, until the order has ended."""
    door_pin: str = ""
    """Four digits for the door, or nothing."""
    recalls: list[RecallNoticeRow] = []
    recall_advice: str = ""
    recall_read: str = ""
    """`You read this on Nov 27, 2026.`; empty until the customer has said so of every recall."""
    is_confirming_recall: bool = False

    @action(who=SIGNED_IN, must_sign_in=True, on_failure=MISSING_OR_FAILED)
    async def load(self) -> Updates:
        """on_load, and again after a reconnect: an order that is on the screen stays until the answer arrives."""
        if not shows_its_row(self, "order_id"):
            self.view = "loading"
        yield None
        subscribe_to_own(self)
        (await self.get_state(BuyAgainState))._forget()
        await self._fetch(route_argument(self, "order_id"))

    @action(who=SIGNED_IN, must_sign_in=True, on_failure=Explain(messages.ERROR, messages.ORDER_NOT_CANCELLED))
    async def cancel(self) -> Updates:
        """The order on the screen, after its dialog."""
        self.is_cancelling = True
        yield None
        try:
            await write(self, own_orders.cancel, self.id)
        finally:
            self.is_cancelling = False
            await self._fetch(self.id)
        await toast(self, "success", messages.ORDER_CANCELLED)
        yield rx.set_focus(TITLE_ID)

    @action(who=SIGNED_IN, must_sign_in=True, on_failure=Explain(messages.ERROR, dispatch_messages.READY_NOT_SAVED))
    async def confirm_ready(self) -> Updates:
        """'Yes, I'm ready', of the order on the screen."""
        self.is_confirming_ready = True
        yield None
        try:
            await write(self, ready.confirm, self.id)
        finally:
            self.is_confirming_ready = False
            await self._fetch(self.id)
        await toast(self, "success", dispatch_messages.READY)
        yield rx.set_focus(TITLE_ID)

    @action(who=SIGNED_IN, must_sign_in=True, on_failure=Explain(messages.ERROR, recall_messages.NOT_READ))
    async def confirm_recall_read(self) -> Updates:
        """'I have read this', of what was recalled in the order on the screen."""
        self.is_confirming_recall = True
        yield None
        try:
            await write(self, recall_notices.confirm, self.id)
        finally:
            self.is_confirming_recall = False
            await self._fetch(self.id)
        await toast(self, "success", recall_messages.READ)
        yield rx.set_focus(TITLE_ID)

    async def _refresh(self) -> None:
        """Something that belongs to this user changed in another tab or on the server. An order that staff deleted is
        missing from then on; its dialogs go with it."""
        if self.view != "found":
            return
        try:
            await self._fetch(self.id)
        except NotFound:
            self.view = "missing"

    async def _fetch(self, order_id: str) -> None:
        order, shop, batches, batch_questions = await read(self, _read_order, order_id)
        self._show(order, shop, batches)
        (await self.get_state(OrderWishState))._show(order, batches)
        (await self.get_state(OrderQuestionsState))._show(order, batch_questions)

    def _show(self, order: OrderView, shop: ShopSettings, batches: tuple[OrderBatch, ...]) -> None:
        timezone = get_settings().timezone
        self.id, self.title = order.id, f"Order {order.number}"
        self.placed = f"Placed {clock.show_date(order.created_at, timezone)}"
        self.can_cancel, self.cancel_note = own_orders.may_cancel(order), _cancel_note(order)
        self.can_move, self.delivery_time = another_time.can_move(order), delivery_time(order)
        self.readiness, self.ready_text = _readiness(order)
        self.status_label, self.status_hue = order.status.label, ORDER_HUES[order.status]
        self.headline, self.advice = HEADLINES[order.status], _advice(order, shop)
        self.steps = steps_of(order)
        self.items = [
            OrderItem(
                product_id=item.product_id,
                href=f"/product/{item.product_id}",
                name=item.name,
                image=item.image,
                quantity=item.quantity,
                total=money.show(item.quantity * item.unit_price_cents),
            )
            for item in order.items
        ]
        self.lines = [quote_row(line) for line in order.quote_lines]
        self.total = money.show(order.total_cents)
        is_open, delivery = not order.status.is_ended, order.delivery
        self.cash = list(cash.advice(order.total_cents)) if is_open else []
        self.door_pin = (delivery.door_pin or "") if is_open and delivery else ""
        self.facts = [
            *([("Delivery time", self.delivery_time)] if self.delivery_time else []),
            ("Payment method", PAYMENT_METHOD_LABELS[order.payment_method]),
            ("Contact phone", order.contact_phone),
            ("Delivery address", order.delivery_address),
            ("Name", order.customer_name),
            ("Delivery instructions", order.delivery_instructions),
            ("Payment pickup instructions", order.payment_instructions),
            *_kept_wish(order, batches),
        ]
        self._show_recalls(order, recalled(batches))
        self.view = "found"

    def _show_recalls(self, order: OrderView, recalls: tuple[RecallNotice, ...]) -> None:
        """An order that a recall has stopped is not delivered, so the customer need not have cash or a PIN ready, or be
        there."""
        if recalls and not order.status.is_ended:
            self.headline, self.advice = recall_messages.STOPPED, recall_messages.WE_CALL
            self.cash, self.door_pin, self.readiness = [], "", ""
        self.recalls = [
            RecallNoticeRow(
                each.batch_id,
                f"Batch {each.code} of {each.product} was recalled.",
                f"The reason: {each.reason.rstrip('.')}.",
            )
            for each in recalls
        ]
        self.recall_advice = recall_messages.advice(is_delivered=order.status is OrderStatus.DELIVERED)
        read_at = [each.read_at for each in recalls if each.read_at]
        self.recall_read = ""
        if read_at and len(read_at) == len(recalls):
            self.recall_read = f"You read this on {clock.show_date(max(read_at), get_settings().timezone)}."


def _read_order(
    session: Session, actor: User | None, order_id: str
) -> tuple[OrderView, ShopSettings, tuple[OrderBatch, ...], tuple[BatchQuestionView, ...]]:
    order, batches = orders.get(session, actor, order_id), contents.of_order(session, order_id)
    batch_questions = questions.of_order(session, order_id) if batches else ()
    return order, settings.published(session, actor), batches, batch_questions


def _kept_wish(order: OrderView, batches: tuple[OrderBatch, ...]) -> list[tuple[str, str]]:
    """The wish of an order that has left or ended; before, the page has a control for it."""
    if order.delivery is None or not batches or order.status in fulfilment.BEFORE_DISPATCH:
        return []
    return [(WISH, WISHES[order.delivery.substitution])]


def _cancel_note(order: OrderView) -> str:
    why = "We have not confirmed it yet" if order.status is OrderStatus.PENDING else "It has not left yet"
    return f"{why}, so you can still cancel it. Nothing is delivered, and there is nothing to pay."


def _readiness(order: OrderView) -> tuple[str, str]:
    """`readiness` and `ready_text`. Until the window is over: the question, and what to have ready. Once the customer
    has said yes: a note that says so. Otherwise nothing."""
    delivery = order.delivery
    if delivery is None or delivery.ready_asked_at is None or order.status not in fulfilment.BEFORE_DISPATCH:
        return "", ""
    if delivery.ready_at is not None:
        return "said", dispatch_messages.READY_SAID
    if delivery.window_ends_at is None or delivery.window_ends_at <= clock.now():
        return "", ""
    total = money.show(order.total_cents)
    payment = f" and exactly {total} in cash." if order.total_cents else f". {cash.NOTHING_DUE}"
    return "asked", f"It comes {delivery_time(order)}. Please be there with your ID{payment}"


def _advice(order: OrderView, shop: ShopSettings) -> str:
    if order.status is OrderStatus.CANCELLED:
        return cash.NOTHING_DUE
    if order.status is OrderStatus.DELIVERED:
        return "Thank you for your order."
    due = clock.show_time(order.estimated_delivery_at, get_settings().timezone)
    when = delivery_time(order)
    sentences = (
        f"Delivery {when}." if when else f"Estimated delivery {due}.",
        weekend_note(order, shop),
        cash.request(order.total_cents),
    )
    return " ".join(filter(None, sentences))
