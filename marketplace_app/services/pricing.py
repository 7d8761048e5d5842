"""The quote: one pure function that cart, checkout, REST, order and receipt all show (RULE quote).

It uses no clock, database or setting: the same lines, terms and buyer give the same quote.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from marketplace_app import limits, money
from marketplace_app.errors import AgeVerificationRequired, OutOfStock
from marketplace_app.messages import EMPTY_CART, minimum_sentence
from marketplace_app.schemas.quotes import Blocker, Quote, QuoteLine


@dataclass(frozen=True)
class Terms:
    """The shop's terms. Money is in cents; the defaults are those of RULE shop-settings."""

    minimum_order_cents: int = limits.MINIMUM_ORDER_CENTS
    delivery_fee_cents: int = limits.DELIVERY_FEE_CENTS
    free_delivery_cents: int = limits.FREE_DELIVERY_CENTS
    first_purchase_percent: int = limits.FIRST_PURCHASE_PERCENT
    referral_discount_cents: int = limits.REFERRAL_DISCOUNT_CENTS


@dataclass(frozen=True)
class Buyer:
    """What a user is entitled to at this moment."""

    is_first_purchase: bool = False
    has_referral_bonus: bool = False
    credit_cents: int = 0
    """The most that they want to spend of their credit: 0 unless they asked to."""
    is_age_verified: bool = True


@dataclass(frozen=True)
class Item:
    product_id: int
    name: str
    quantity: int
    unit_price_cents: int
    available: int
    """How many could be sold: 0 for a product that is no longer offered."""

    @property
    def total_cents(self) -> int:
        return self.quantity * self.unit_price_cents


def quote(items: Sequence[Item], terms: Terms, buyer: Buyer) -> Quote:
    """`total = subtotal + fee - first-purchase discount - referral - credit`, never below 0 (RULE quote-formula)."""
    subtotal = sum(item.total_cents for item in items)
    fee = 0 if subtotal >= terms.free_delivery_cents or not items else terms.delivery_fee_cents
    discount = money.percent_of(subtotal, terms.first_purchase_percent) if buyer.is_first_purchase else 0
    left = subtotal + fee - discount
    referral = min(terms.referral_discount_cents, subtotal, left) if buyer.has_referral_bonus else 0
    credit = max(0, min(buyer.credit_cents, left - referral))
    return Quote(
        subtotal_cents=subtotal,
        delivery_fee_cents=fee,
        new_customer_discount_cents=discount,
        referral_discount_cents=referral,
        credit_applied_cents=credit,
        total_cents=left - referral - credit,
        lines=_lines(items, terms, subtotal, fee, discount, referral, credit),
        blockers=_blockers(items, terms, buyer, subtotal),
    )


def _lines(
    items: Sequence[Item], terms: Terms, subtotal: int, fee: int, discount: int, referral: int, credit: int
) -> tuple[QuoteLine, ...]:
    count = sum(item.quantity for item in items)
    free_from = money.show_short(terms.free_delivery_cents)
    delivery_reason = f"Free at {free_from} or more" if fee else f"Free: {free_from} or more"
    lines = [
        _line("subtotal", "Subtotal", subtotal, None, subtotal, f"{count} {'item' if count == 1 else 'items'}"),
        _line("delivery", "Delivery", subtotal, None, fee, delivery_reason),
    ]
    if discount:
        percent = terms.first_purchase_percent
        label = f"First purchase, {percent}%"
        rate = f"{percent / 100:.2f}"
        lines.append(
            _line("first_purchase", label, subtotal, rate, -discount, "Applied automatically to a first purchase")
        )
    if referral:
        lines.append(_line("referral", "Referral", subtotal, None, -referral, "You were referred by a friend"))
    if credit:
        lines.append(_line("credit", "Referral credit", credit, None, -credit, "Spent from your credit"))
    return tuple(lines)


def _line(code: str, label: str, base: int, rate: str | None, amount: int, reason: str) -> QuoteLine:
    return QuoteLine(code=code, label=label, base_cents=base, rate=rate, amount_cents=amount, reason=reason)


def _blockers(items: Sequence[Item], terms: Terms, buyer: Buyer, subtotal: int) -> tuple[Blocker, ...]:
    blockers = []
    if not buyer.is_age_verified:
        blockers.append(Blocker(code=AgeVerificationRequired.code, message=AgeVerificationRequired.message))
    if not items:
        blockers.append(Blocker(code="empty_cart", message=EMPTY_CART.text))
    elif subtotal < terms.minimum_order_cents:
        blockers.append(Blocker(code="minimum_order", message=minimum_sentence(terms.minimum_order_cents)))
    for item in items:
        if item.quantity > item.available:
            blockers.append(Blocker(code=OutOfStock.code, message=OutOfStock(item.name, item.available).message))
    return tuple(blockers)
