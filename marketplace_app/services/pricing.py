"""The quote: one pure function whose result cart, checkout, REST, order and receipt all show (RULE quote).

It uses no clock, database or setting: the same items, terms, buyer and promotion give the same quote.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from marketplace_app import limits, money
from marketplace_app.errors import AgeVerificationRequired, OutOfStock
from marketplace_app.messages import EMPTY_CART, minimum_sentence, order_too_large
from marketplace_app.models import TaxKind
from marketplace_app.rule_messages import TAX_ADDED, TAX_INCLUDED, minimum_due, tax_included, tax_name
from marketplace_app.schemas.buying.quotes import TAX_CODE, TAX_INCLUDED_CODE, Blocker, Quote, QuoteLine, Tax
from marketplace_app.schemas.jurisdictions.state_rules import TaxComponent, Version
from marketplace_app.services import taxes


@dataclass(frozen=True)
class Terms:
    """The shop's terms where the order goes. Money is in cents; RULE shop-settings has the defaults."""

    minimum_order_cents: int = limits.MINIMUM_ORDER_CENTS
    delivery_fee_cents: int = limits.DELIVERY_FEE_CENTS
    free_delivery_cents: int = limits.FREE_DELIVERY_CENTS
    first_purchase_percent: int = limits.FIRST_PURCHASE_PERCENT
    referral_discount_cents: int = limits.REFERRAL_DISCOUNT_CENTS
    minimum_in: str = ""
    """The zone whose minimum this is; empty if it is the shop's."""
    blockers: tuple[Blocker, ...] = ()
    """Why the order cannot be delivered at this place or at this time."""
    version: Version | None = None
    """The state's rules that the order is judged by (RULE state-rules); None while none are enforced or known."""
    minimum_due_cents: int = 0
    """What must be left to pay after the discounts."""
    taxes: tuple[TaxComponent, ...] = ()
    cash_rounding_cents: int = 0
    """The total is rounded down to a multiple of this: 500 leaves whole five-dollar bills, 0 does not round."""
    open: tuple[str, ...] = ()
    """What the terms leave out because the place is not known (RULE quote-place)."""

    @property
    def needs(self) -> tuple[str, ...]:
        """What the customer is asked for, since the order's record must have it (RULE order-record)."""
        record = self.version.rules.record if self.version else None
        return record.asked_at_checkout if record else ()


@dataclass(frozen=True)
class Buyer:
    """What a user is entitled to at this moment."""

    is_first_purchase: bool = False
    has_referral_bonus: bool = False
    credit_cents: int = 0
    """The most that they want to spend of their credit: 0 unless they asked to."""
    is_age_verified: bool = True


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
    """The net weight of one, if it is known."""
    thc_mg: int | None = None
    """The THC in one, if it is known."""

    @property
    def total_cents(self) -> int:
        return self.quantity * self.unit_price_cents


def quote(items: Sequence[Item], terms: Terms, buyer: Buyer, *, promotion_cents: int = 0) -> Quote:
    """`total = subtotal + fee - discounts + tax - credit - rounding`, never below 0 (RULE quote-formula).

    `promotion_cents` is the most that a promotion takes off.
    """
    subtotal = sum(item.total_cents for item in items)
    fee = 0 if subtotal >= terms.free_delivery_cents or not items else terms.delivery_fee_cents
    discounts = _discounts(subtotal, fee, terms, buyer, promotion_cents)
    discount = sum(each.cents for each in discounts)
    wanted_credit = max(0, buyer.credit_cents)
    levied = _taxes(items, terms, fee, discount, wanted_credit)
    tax = sum(each.amount_cents for each in levied if each.kind is TaxKind.ADDED)
    left = subtotal + fee - discount + tax
    credit = min(wanted_credit, left)
    rounding = _rounding(left, credit, terms)
    first_purchase, referral, promotion = discounts
    return Quote(
        subtotal_cents=subtotal,
        delivery_fee_cents=fee,
        new_customer_discount_cents=first_purchase.cents,
        referral_discount_cents=referral.cents,
        promotion_discount_cents=promotion.cents,
        tax_cents=tax,
        credit_applied_cents=credit,
        cash_rounding_cents=rounding,
        total_cents=left - credit - rounding,
        lines=(
            *_first_lines(items, terms, subtotal, fee),
            *_discount_lines(discounts, terms, subtotal),
            *(_added_line(each) for each in levied if each.kind is TaxKind.ADDED),
            *_payment_lines(credit, rounding),
            *(_included_line(each) for each in levied if each.kind is TaxKind.INCLUDED),
        ),
        blockers=_blockers(items, terms, buyer, subtotal),
        open=terms.open,
        taxes=levied,
        needs=terms.needs,
    )


class _Discount(NamedTuple):
    code: str
    cents: int
    is_capped: bool
    """Whether it would be more without the minimum due."""


def _discounts(
    subtotal: int, fee: int, terms: Terms, buyer: Buyer, promotion_cents: int
) -> tuple[_Discount, _Discount, _Discount]:
    """First purchase, referral and promotion, in this order: each is cut so that the minimum due is left to pay."""
    left = subtotal + fee

    def discount(code: str, wanted: int) -> _Discount:
        nonlocal left
        most = min(wanted, left)
        cents = min(most, max(0, left - terms.minimum_due_cents))
        left -= cents
        return _Discount(code, cents, cents < most)

    percent = terms.first_purchase_percent if buyer.is_first_purchase else 0
    referral = min(terms.referral_discount_cents, subtotal) if buyer.has_referral_bonus else 0
    return (
        discount("first_purchase", money.percent_of(subtotal, percent)),
        discount("referral", referral),
        discount("promotion", promotion_cents),
    )


def _rounding(due: int, credit: int, terms: Terms) -> int:
    """What rounding takes off the cash to pay: nothing if cash and credit would then be less than the minimum due."""
    rounding = (due - credit) % terms.cash_rounding_cents if terms.cash_rounding_cents else 0
    return rounding if due - rounding >= terms.minimum_due_cents else 0


def _taxes(items: Sequence[Item], terms: Terms, fee: int, discount: int, credit: int) -> tuple[Tax, ...]:
    """Computed in the order of product ids: a cart and a draft that list them differently have the same taxes."""
    if not terms.taxes:
        return ()
    in_order = sorted(items, key=lambda item: item.product_id)
    goods = [taxes.Goods(item.category, item.total_cents) for item in in_order]
    return taxes.compute(terms.taxes, goods, delivery_cents=fee, discount_cents=discount, credit_cents=credit)


def _first_lines(items: Sequence[Item], terms: Terms, subtotal: int, fee: int) -> tuple[QuoteLine, QuoteLine]:
    count = sum(item.quantity for item in items)
    return (
        _line("subtotal", "Subtotal", subtotal, None, subtotal, f"{count} {'item' if count == 1 else 'items'}"),
        _line("delivery", "Delivery", subtotal, None, fee, _delivery_reason(terms, subtotal)),
    )


def _delivery_reason(terms: Terms, subtotal: int) -> str:
    if not terms.delivery_fee_cents:
        return "Free"
    free_from = money.show_short(terms.free_delivery_cents)
    return f"Free: {free_from} or more" if subtotal >= terms.free_delivery_cents else f"Free at {free_from} or more"


def _discount_lines(discounts: Sequence[_Discount], terms: Terms, subtotal: int) -> Iterator[QuoteLine]:
    percent = terms.first_purchase_percent
    words = {
        "first_purchase": (f"First purchase, {percent}%", "Applied automatically to a first purchase"),
        "referral": ("Referral", "You were referred by a friend"),
        "promotion": ("Promotion", "Applied automatically"),
    }
    for code, cents, is_capped in discounts:
        if cents:
            label, reason = words[code]
            rate = money.rate(percent * 100) if code == "first_purchase" else None
            why = f"{reason}. {minimum_due(terms.minimum_due_cents)}" if is_capped else reason
            yield _line(code, label, subtotal, rate, -cents, why)


def _added_line(tax: Tax) -> QuoteLine:
    name = tax_name(tax.label, tax.basis_points)
    return _line(TAX_CODE, name, tax.base_cents, money.rate(tax.basis_points), tax.amount_cents, TAX_ADDED)


def _included_line(tax: Tax) -> QuoteLine:
    """With the amount 0, since the prices contain the tax and the lines must add up to the total."""
    sentence = tax_included(tax.label, tax.amount_cents)
    return _line(TAX_INCLUDED_CODE, sentence, tax.base_cents, money.rate(tax.basis_points), 0, TAX_INCLUDED)


def _payment_lines(credit: int, rounding: int) -> Iterator[QuoteLine]:
    if credit:
        yield _line("credit", "Referral credit", credit, None, -credit, "Spent from your credit")
    if rounding:
        reason = "Rounded down, so that the cash is easy to count"
        yield _line("rounding", "Rounding", rounding, None, -rounding, reason)


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
    elif subtotal > limits.MAX_ORDER_CENTS:
        blockers.append(Blocker(code="order_too_large", message=order_too_large(limits.MAX_ORDER_CENTS)))
    for item in items:
        if item.quantity > item.available:
            blockers.append(Blocker(code=OutOfStock.code, message=OutOfStock(item.name, item.available).message))
    return tuple(blockers)
