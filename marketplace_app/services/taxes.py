"""The taxes of an order (RULE taxes): a pure function of a state's components and the amounts of a quote."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from marketplace_app import money
from marketplace_app.models import TaxKind
from marketplace_app.schemas.buying.quotes import Tax
from marketplace_app.schemas.jurisdictions.state_rules import Rounding, TaxBase, TaxComponent


class Goods(NamedTuple):
    """A line of an order, before discounts."""

    category: str
    cents: int


class _Left(NamedTuple):
    """What remains of each line and of the delivery fee."""

    goods: tuple[int, ...]
    delivery: int


def compute(
    components: Sequence[TaxComponent],
    goods: Sequence[Goods],
    *,
    delivery_cents: int,
    discount_cents: int,
    credit_cents: int,
) -> tuple[Tax, ...]:
    """The taxes that are due, in the order of their components, without those that come to 0.

    `discount_cents` is the sum of all discounts, `credit_cents` what the buyer wants to spend of their credit. Credit
    reduces the base of only the components that say so; for the others it is a payment.
    """
    discounted = _reduced(goods, delivery_cents, discount_cents)
    after_credit = _reduced(goods, delivery_cents, discount_cents + credit_cents)
    amounts: dict[str, int] = {}
    taxes = []
    for component in components:
        left = after_credit if component.credit_reduces_base else discounted
        base = _base(component, goods, left, amounts)
        amount = amounts[component.code] = _amount(component, base)
        if amount:
            taxes.append(_tax(component, base, amount))
    return tuple(taxes)


def _reduced(goods: Sequence[Goods], delivery_cents: int, reduction: int) -> _Left:
    """Discounts are for the goods: only what exceeds the price of the goods reduces the delivery fee."""
    lines = [line.cents for line in goods]
    of_goods = min(reduction, sum(lines))
    shares = money.apportion(of_goods, lines)
    left = tuple(cents - share for cents, share in zip(lines, shares, strict=True))
    return _Left(left, max(0, delivery_cents - (reduction - of_goods)))


def _base(component: TaxComponent, goods: Sequence[Goods], left: _Left, amounts: Mapping[str, int]) -> int:
    base = sum(amounts[code] for code in component.base if code in amounts)
    if TaxBase.DELIVERY in component.base:
        base += left.delivery
    if TaxBase.ITEMS in component.base:
        base += sum(
            cents
            for line, cents in zip(goods, left.goods, strict=True)
            if not component.categories or line.category in component.categories
        )
    return base


def _amount(component: TaxComponent, base: int) -> int:
    compute_part = money.share_of if component.kind is TaxKind.ADDED else money.part_within
    return compute_part(base, component.basis_points, up=component.rounding is Rounding.UP)


def _tax(component: TaxComponent, base: int, amount: int) -> Tax:
    return Tax(
        code=component.code,
        label=component.label,
        kind=component.kind,
        basis_points=component.basis_points,
        base_cents=base,
        amount_cents=amount,
    )
