"""The cart: badge, drawer and its buttons."""

from dataclasses import dataclass
from typing import Any

import reflex as rx
from sqlmodel import Session

from marketplace_app import messages, money, rule_messages
from marketplace_app.auth.acting import Operation
from marketplace_app.errors import AlreadyInCart, InvalidInput, NotFound, OutOfStock
from marketplace_app.faq import cash_on_delivery
from marketplace_app.limits import MAX_LINE_QUANTITY, MINIMUM_ORDER_CENTS
from marketplace_app.models import User
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.buying.cart import AddForm, CartLineView, LineRef, StepForm
from marketplace_app.schemas.buying.quotes import TAX_INCLUDED_CODE, QuoteLine
from marketplace_app.schemas.settings import ShopSettings
from marketplace_app.services.buying import cart, saved
from marketplace_app.services.buying.cart import CartView
from marketplace_app.services.jurisdictions import allowance
from marketplace_app.services.jurisdictions.allowance import Room, Use
from marketplace_app.states.buying.saved import SavedState
from marketplace_app.states.events.base import SHOPPERS, P, T, action, read, toast, write
from marketplace_app.states.events.failures import Explain, On, Say, Silent
from marketplace_app.states.events.subscriptions import subscribe_to_cart
from marketplace_app.states.events.viewer import assign_changed


@dataclass(frozen=True)
class CartRow:
    id: int
    product_id: int
    name: str
    subtitle: str
    """`Indica · 26% THC`"""
    image: str
    """The product's picture (`packaging.picture_of`); never empty."""
    quantity: int
    limit: str
    """Why the quantity cannot be increased, or empty."""
    price: str
    total: str


@dataclass(frozen=True)
class LimitRow:
    text: str
    """`Flower today: 12.5 g of 28.5 g. This cart adds 3.5 g.`"""
    percent: int
    """How much of the limit is used, this cart included."""
    is_over: bool


@dataclass(frozen=True)
class BlockerNotice:
    text: str
    """`We don't deliver to 97999 yet.`"""
    is_limit: bool
    """The reason is a legal limit on the products, not the place alone."""


@dataclass(frozen=True)
class QuoteRow:
    code: str
    label: str
    amount: str
    """`$108.00`, or `−$42.50`"""
    is_reduction: bool
    reason: str
    is_note: bool = False
    """A sentence below the total, without an amount."""


class CartState(rx.State):
    is_loaded: bool = False
    count: int = 0
    """The sum of quantities, for the badge."""
    lines: list[CartRow] = []
    quote_lines: list[QuoteRow] = []
    """From the subtotal to the taxes that the prices include; not the total."""
    total: str = ""
    minimum: str = messages.minimum_hint(MINIMUM_ORDER_CENTS)
    """`Minimum order: $100`"""
    below_minimum: str = ""
    """`Add $X more to continue`, or nothing."""
    free_delivery_hint: str = ""
    """`Add $X more for free delivery`, or nothing."""
    free_delivery_progress: str = ""
    """`$108 / $200`"""
    free_delivery_percent: int = 0
    checkout_label: str = "Proceed to Checkout"
    """`Add $X More` under the minimum."""
    can_check_out: bool = False
    limits: list[LimitRow] = []
    """The legal limits that the cart counts towards; empty while no rules are applied."""
    rooms: list[Room] = []
    """What the cart leaves of each legal limit; empty while no rules are applied."""
    terms_text: str = cash_on_delivery(ShopSettings(), ShopSettings())
    """How it is paid and delivered, with the terms of the place that the cart is quoted for."""
    blocker_notices: list[BlockerNotice] = []
    """Why the cart cannot be delivered to the place that it is quoted for."""

    @action(who=SHOPPERS)
    async def load(self) -> None:
        """on_load of every page."""
        subscribe_to_cart(self, [row.product_id for row in self.lines])
        await self._refresh()

    async def _refresh(self) -> None:
        """The cart or the saved products may have changed in another tab. Only what differs is sent to the browser."""
        view, saved_ids = await read(self, _read_cart_and_saved_ids)
        self._show(view)
        (await self.get_state(SavedState))._show_hearts(saved_ids)

    async def _show_stock(self, error: OutOfStock | NotFound) -> None:
        """Others have bought it in the meantime, or the line is gone: the drawer shows how many are left."""
        self._show(await read(self, cart.show))

    @action(
        who=SHOPPERS,
        signed_out=messages.SIGN_IN_TO_ADD,
        on_failure=(
            On(OutOfStock, _show_stock),
            Explain(messages.ADD_FAILED.title, errors=(AlreadyInCart, InvalidInput)),
            Say(messages.ADD_FAILED),
        ),
    )
    async def add(self, product_id: int, quantity: int = 1) -> None:
        """Add to Cart. The button says 'Adding...' from the click until the toast."""
        form = parse(AddForm, {"productId": product_id, "quantity": quantity})
        line = await self._change(cart.add, form)
        await toast(self, "success", messages.added(line.product.name))

    @action(
        who=SHOPPERS,
        signed_out=messages.SIGN_IN_TO_ADD,
        on_failure=(
            On((OutOfStock, NotFound), _show_stock),
            Silent(NotFound),  # minus was pressed more often than there were units
            Say(messages.UPDATE_FAILED),
        ),
    )
    async def step(self, line_id: int, by: int) -> None:
        """One more or, with -1, one fewer; the last one removes the line."""
        form = parse(StepForm, {"lineId": line_id, "by": by})
        if await self._change(cart.step, form.line_id, by=form.by) is None:
            await toast(self, "success", messages.REMOVED)

    @action(
        who=SHOPPERS,
        signed_out=messages.SIGN_IN_TO_ADD,
        on_failure=(
            On(NotFound, _show_stock),
            Silent(NotFound),  # it was pressed twice, or the line was removed in another tab
            Say(messages.REMOVE_FAILED),
        ),
    )
    async def remove(self, line_id: int) -> None:
        form = parse(LineRef, {"lineId": line_id})
        await self._change(cart.remove, form.line_id)
        await toast(self, "success", messages.REMOVED)

    async def _change(self, operation: Operation[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Change the cart, read it in the same transaction, and show it."""

        def change_and_read(session: Session, actor: User | None) -> tuple[T, CartView]:
            return operation(session, actor, *args, **kwargs), cart.show(session, actor)

        result, view = await write(self, change_and_read)
        self._show(view)
        return result

    def _show(self, view: CartView) -> None:
        subscribe_to_cart(self, [line.product.id for line in view.lines])
        quote, terms = view.quote, view.terms
        missing = max(0, terms.minimum_order_cents - quote.subtotal_cents)
        missing_for_free = max(0, terms.free_delivery_cents - quote.subtotal_cents)
        is_hinted = not missing and missing_for_free > 0 and terms.delivery_fee_cents > 0
        hint = f"Add {money.show_short(missing_for_free)} more for free delivery" if is_hinted else ""
        free_from = money.show_short(terms.free_delivery_cents)
        values: dict[str, Any] = {
            "is_loaded": True,
            "count": view.count,
            "lines": [_cart_row(line) for line in view.lines],
            "quote_lines": [quote_row(line) for line in quote.lines],
            "total": money.show(quote.total_cents),
            "minimum": messages.minimum_hint(terms.minimum_order_cents, terms.minimum_in),
            "below_minimum": f"Add {money.show_short(missing)} more to continue" if missing else "",
            "free_delivery_hint": hint,
            "free_delivery_progress": f"{money.show_short(quote.subtotal_cents)} / {free_from}",
            "free_delivery_percent": min(100, quote.subtotal_cents * 100 // max(1, terms.free_delivery_cents)),
            "checkout_label": f"Add {money.show_short(missing)} More" if missing else "Proceed to Checkout",
            "can_check_out": not missing,
            "limits": [_limit_row(use) for use in view.uses if use.adds_mg],
            "rooms": allowance.rooms(view.uses),
            "terms_text": cash_on_delivery(view.shop, terms if view.are_terms_known else None),
            "blocker_notices": [BlockerNotice(each.message, each.code in allowance.CODES) for each in terms.blockers],
        }
        assign_changed(self, values)


def _read_cart_and_saved_ids(session: Session, actor: User | None) -> tuple[CartView, tuple[int, ...]]:
    return cart.show(session, actor), saved.list_ids(session, actor)


def _limit_row(use: Use) -> LimitRow:
    bucket = use.bucket
    text = rule_messages.limit_meter(bucket.label, bucket.days, bucket.limit_mg, use.used_mg, use.adds_mg)
    percent = min(100, (use.used_mg + use.adds_mg) * 100 // bucket.limit_mg)
    return LimitRow(text, percent, use.is_over)


def _cart_row(line: CartLineView) -> CartRow:
    return CartRow(
        id=line.id,
        product_id=line.product.id,
        name=line.product.name,
        subtitle=line.product.subtitle,
        image=line.product.image,
        quantity=line.quantity,
        limit=_quantity_limit(line),
        price=money.show(line.product.price_cents),
        total=money.show(line.total_cents),
    )


def _quantity_limit(line: CartLineView) -> str:
    if line.quantity >= MAX_LINE_QUANTITY:
        return f"At most {MAX_LINE_QUANTITY} of one product."
    if line.quantity < line.available:
        return ""
    return f"Only {line.available} left." if line.available else "Out of stock."


def quote_row(line: QuoteLine) -> QuoteRow:
    return QuoteRow(
        code=line.code,
        label=line.label,
        amount=money.show(line.amount_cents),
        is_reduction=line.amount_cents < 0,
        reason=line.reason,
        is_note=line.code == TAX_INCLUDED_CODE,
    )
