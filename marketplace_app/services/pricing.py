"""The quote: one pure function that cart, checkout, REST, order and receipt all show (RULE quote).

Nothing here asks a clock, a database or a setting: the same lines, terms and buyer give the same quote.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from marketplace_app import limits, money
from marketplace_app.errors import AgeVerificationRequired, OutOfStock
from marketplace_app.messages import EMPTY_CART, minimum_sentence


@dataclass(frozen=True)
class Terms:
    """What the shop asks and gives. Money in cents; the defaults are those of RULE shop-settings."""

    minimum_order_cents: int = limits.MINIMUM_ORDER_CENTS
    delivery_fee_cents: int = limits.DELIVERY_FEE_CENTS
    free_delivery_cents: int = limits.FREE_DELIVERY_CENTS
    first_purchase_percent: int = limits.FIRST_PURCHASE_PERCENT
    referral_discount_cents: int = limits.REFERRAL_DISCOUNT_CENTS


@dataclass(frozen=True)
class Buyer:
    """What a person is entitled to at this moment."""

    is_first_purchase: bool = False
    has_referral_bonus: bool = False
    credit_cents: int = 0
    """What they want to spend of their credit, at most: 0 unless they asked to."""
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


@dataclass(frozen=True)
class QuoteLine:
    code: str
    label: str
    base_cents: int
    rate: str | None
    amount_cents: int
    """Reductions are negative: the lines add up to the total."""
    reason: str

    def wire(self) -> dict[str, Any]:
        return {
            "code": self.code,
            "label": self.label,
            "base": money.decimal(self.base_cents),
            "rate": self.rate,
            "amount": money.decimal(self.amount_cents),
            "reason": self.reason,
        }


@dataclass(frozen=True)
class Blocker:
    """What keeps one from ordering."""

    code: str
    message: str

    def wire(self) -> dict[str, str]:
        return {"code": self.code, "message": self.message}


@dataclass(frozen=True)
class Quote:
    subtotal_cents: int
    delivery_fee_cents: int
    new_customer_discount_cents: int
    referral_discount_cents: int
    credit_applied_cents: int
    total_cents: int
    lines: tuple[QuoteLine, ...]
    blockers: tuple[Blocker, ...]

    def amounts(self) -> dict[str, int]:
        """Cents by the names that the wire gives them."""
        return {
            "subtotal": self.subtotal_cents,
            "deliveryFee": self.delivery_fee_cents,
            "newCustomerDiscount": self.new_customer_discount_cents,
            "referralDiscount": self.referral_discount_cents,
            "creditApplied": self.credit_applied_cents,
            "total": self.total_cents,
        }

    def wire(self) -> dict[str, Any]:
        return {name: money.decimal(cents) for name, cents in self.amounts().items()} | {
            "lines": [line.wire() for line in self.lines],
            "blockers": [blocker.wire() for blocker in self.blockers],
        }


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
        QuoteLine("subtotal", "Subtotal", subtotal, None, subtotal, f"{count} {'item' if count == 1 else 'items'}"),
        QuoteLine("delivery", "Delivery", subtotal, None, fee, delivery_reason),
    ]
    if discount:
        percent = terms.first_purchase_percent
        label = f"First purchase, {percent}%"
        rate = f"{percent / 100:.2f}"
        lines.append(
            QuoteLine("first_purchase", label, subtotal, rate, -discount, "Applied automatically to a first purchase")
        )
    if referral:
        lines.append(QuoteLine("referral", "Referral", subtotal, None, -referral, "You were referred by a friend"))
    if credit:
        lines.append(QuoteLine("credit", "Referral credit", credit, None, -credit, "Spent from your credit"))
    return tuple(lines)


def _blockers(items: Sequence[Item], terms: Terms, buyer: Buyer, subtotal: int) -> tuple[Blocker, ...]:
    blockers = []
    if not buyer.is_age_verified:
        blockers.append(Blocker(AgeVerificationRequired.code, AgeVerificationRequired.message))
    if not items:
        blockers.append(Blocker("empty_cart", EMPTY_CART.text))
    elif subtotal < terms.minimum_order_cents:
        blockers.append(Blocker("minimum_order", minimum_sentence(terms.minimum_order_cents)))
    for item in items:
        if item.quantity > item.available:
            blockers.append(Blocker(OutOfStock.code, OutOfStock(item.name, item.available).message))
    return tuple(blockers)
