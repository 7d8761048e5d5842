"""The quote: one pure function that cart, checkout, REST, order and receipt all show (RULE quote).

It uses no clock, database or setting: the same lines, terms and buyer give the same quote.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from marketplace_app import limits, money
from marketplace_app.errors import AgeVerificationRequired, OutOfStock
from marketplace_app.messages import EMPTY_CART, minimum_sentence
from marketplace_app.schemas.jurisdictions import TaxComponent, Version
from marketplace_app.schemas.quotes import Blocker, Quote, QuoteLine


@dataclass(frozen=True)
class Terms:
    """The shop's terms where the order goes. Money is in cents; the defaults are those of RULE shop-settings."""

    minimum_order_cents: int = limits.MINIMUM_ORDER_CENTS
    delivery_fee_cents: int = limits.DELIVERY_FEE_CENTS
    free_delivery_cents: int = limits.FREE_DELIVERY_CENTS
    first_purchase_percent: int = limits.FIRST_PURCHASE_PERCENT
    referral_discount_cents: int = limits.REFERRAL_DISCOUNT_CENTS
    minimum_in: str = ""
    """The zone whose minimum this is; empty if it is the shop's."""
    blockers: tuple[Blocker, ...] = ()
    """Why it cannot be delivered there, or then."""
    version: Version | None = None
    """The rules of the state that it was judged by (RULE state-rules); None while none are enforced or known."""
    minimum_due_cents: int = 0
    """What must be left to pay after the discounts."""
    taxes: tuple[TaxComponent, ...] = ()
    open: tuple[str, ...] = ()
    """What the terms leave out because the place is not known (RULE quote-place)."""


@dataclass(frozen=True)
class Buyer:
    """What a user is entitled to at this moment."""

    is_first_purchase: bool = False
    has_referral_bonus: bool = False
    credit_cents: int = 0
    """The most that they want to spend of their credit: 0 unless they asked to."""
    is_age_verified: bool = True


@dataclass(frozen=True)
class Adjustments:
    """Amounts that are found outside of the quote, in cents."""

    promotion_cents: int = 0
    """The most that a promotion takes off."""
    tax_cents: int = 0
    """The tax that is added to the prices."""
    rounding_step_cents: int = 0
    """The total is rounded down to a multiple of this: 500 leaves whole five-dollar notes, 0 does not round."""


NO_ADJUSTMENTS = Adjustments()


def milligrams(grams: float | None) -> int | None:
    return None if grams is None else round(grams * 1_000)


@dataclass(frozen=True)
class Item:
    product_id: int
    name: str
    quantity: int
    unit_price_cents: int
    available: int
    """How many could be sold: 0 for a product that is no longer offered."""
    category: str = ""
    weight_mg: int | None = None
    """Of one: its net weight, if it is known."""
    thc_mg: int | None = None
    """Of one: the THC in it, if it is known."""

    @property
    def total_cents(self) -> int:
        return self.quantity * self.unit_price_cents


def quote(items: Sequence[Item], terms: Terms, buyer: Buyer, adjustments: Adjustments = NO_ADJUSTMENTS) -> Quote:
    """`total = subtotal + fee - discounts + tax - credit - rounding`, never below 0 (RULE quote-formula)."""
    subtotal = sum(item.total_cents for item in items)
    fee = 0 if subtotal >= terms.free_delivery_cents or not items else terms.delivery_fee_cents
    discount = money.percent_of(subtotal, terms.first_purchase_percent) if buyer.is_first_purchase else 0
    left = subtotal + fee - discount
    referral = min(terms.referral_discount_cents, subtotal, left) if buyer.has_referral_bonus else 0
    left -= referral
    promotion = min(adjustments.promotion_cents, left)
    left += adjustments.tax_cents - promotion
    credit = max(0, min(buyer.credit_cents, left))
    left -= credit
    rounding = left % adjustments.rounding_step_cents if adjustments.rounding_step_cents else 0
    reductions = {
        "first_purchase": discount,
        "referral": referral,
        "promotion": promotion,
        "tax": -adjustments.tax_cents,
        "credit": credit,
        "rounding": rounding,
    }
    return Quote(
        subtotal_cents=subtotal,
        delivery_fee_cents=fee,
        new_customer_discount_cents=discount,
        referral_discount_cents=referral,
        promotion_discount_cents=promotion,
        tax_cents=adjustments.tax_cents,
        credit_applied_cents=credit,
        cash_rounding_cents=rounding,
        total_cents=left - rounding,
        lines=_lines(items, terms, subtotal, fee, reductions),
        blockers=_blockers(items, terms, buyer, subtotal),
        open=terms.open,
    )


def _lines(
    items: Sequence[Item], terms: Terms, subtotal: int, fee: int, reductions: Mapping[str, int]
) -> tuple[QuoteLine, ...]:
    """`reductions` are what later lines take off, by code and in their order; a tax is a negative one."""
    count = sum(item.quantity for item in items)
    free_from = money.show_short(terms.free_delivery_cents)
    delivery_reason = f"Free at {free_from} or more" if fee else f"Free: {free_from} or more"
    lines = [
        _line("subtotal", "Subtotal", subtotal, None, subtotal, f"{count} {'item' if count == 1 else 'items'}"),
        _line("delivery", "Delivery", subtotal, None, fee, delivery_reason),
    ]
    for code, cents in reductions.items():
        if cents:
            lines.append(_later_line(code, cents, terms, subtotal))
    return tuple(lines)


def _later_line(code: str, reduction: int, terms: Terms, subtotal: int) -> QuoteLine:
    percent = terms.first_purchase_percent
    label, reason = {
        "first_purchase": (f"First purchase, {percent}%", "Applied automatically to a first purchase"),
        "referral": ("Referral", "You were referred by a friend"),
        "promotion": ("Promotion", "Applied automatically"),
        "tax": ("Tax", "Due where the order is delivered"),
        "credit": ("Referral credit", "Spent from your credit"),
        "rounding": ("Rounding", "Rounded down, so that the cash is easy to count"),
    }[code]
    rate = f"{percent / 100:.2f}" if code == "first_purchase" else None
    base = abs(reduction) if code in ("tax", "credit", "rounding") else subtotal
    return _line(code, label, base, rate, -reduction, reason)


def _line(code: str, label: str, base: int, rate: str | None, amount: int, reason: str) -> QuoteLine:
    return QuoteLine(code=code, label=label, base_cents=base, rate=rate, amount_cents=amount, reason=reason)


def _blockers(items: Sequence[Item], terms: Terms, buyer: Buyer, subtotal: int) -> tuple[Blocker, ...]:
    blockers = []
    if not buyer.is_age_verified:
        blockers.append(Blocker(code=AgeVerificationRequired.code, message=AgeVerificationRequired.message))
    blockers.extend(terms.blockers)
    if not items:
        blockers.append(Blocker(code="empty_cart", message=EMPTY_CART.text))
    elif subtotal < terms.minimum_order_cents:
        sentence = minimum_sentence(terms.minimum_order_cents, terms.minimum_in)
        blockers.append(Blocker(code="minimum_order", message=sentence))
    for item in items:
        if item.quantity > item.available:
            blockers.append(Blocker(code=OutOfStock.code, message=OutOfStock(item.name, item.available).message))
    return tuple(blockers)
