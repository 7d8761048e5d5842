"""Legal limits: how much a person may buy, has bought, and would buy with a cart (RULE legal-limits)."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple

from sqlalchemy import bindparam, select
from sqlmodel import Session

from marketplace_app import clock, rule_messages
from marketplace_app.config import get_settings
from marketplace_app.models import Order, OrderLine, OrderStatus, Product
from marketplace_app.models.base import table_of
from marketplace_app.schemas.buying.quotes import Blocker, LimitUse
from marketplace_app.schemas.jurisdictions.state_rules import CategoryCount, LimitBucket, Measure, StateRules
from marketplace_app.services.pricing import Item, milligrams

LIMIT_UNKNOWN, LEGAL_LIMIT = "limit_unknown", "legal_limit"
CODES = (LIMIT_UNKNOWN, LEGAL_LIMIT)
"""The codes of the blockers that limits cause."""


class Use(NamedTuple):
    """How much of a limit is used, in milligrams."""

    bucket: LimitBucket
    used_mg: int
    """By earlier orders of the limit's period that are not cancelled. Sales by other shops are not known."""
    adds_mg: int

    @property
    def left_mg(self) -> int:
        """After the cart; negative if it is over the limit."""
        return self.bucket.limit_mg - self.used_mg - self.adds_mg

    @property
    def is_over(self) -> bool:
        return self.left_mg < 0

    @property
    def refuses(self) -> bool:
        """A cart that adds nothing to the limit is not refused, even if earlier orders exceed it already."""
        return self.is_over and self.adds_mg > 0


@dataclass(frozen=True)
class Room:
    """What the cart leaves of a limit for the products of a category.

    One more product fits if `weight_mg * per_weight + thc_mg * per_thc <= left`, which the browser computes.
    """

    category: str
    per_weight: int
    per_thc: int
    left: int
    """In thousandths of a milligram, since the factors are in thousandths."""
    when_over: str
    """What is said of a product that does not fit: `Over today's limit`."""


class _Goods(NamedTuple):
    """Products as a limit counts them."""

    category: str
    quantity: int
    weight_mg: int | None
    thc_mg: int | None


class _Bought(NamedTuple):
    at: datetime
    goods: _Goods


_ORDERS, _LINES, _PRODUCTS = table_of(Order), table_of(OrderLine), table_of(Product)
# Built once, because it is run for every cart while rules are enforced.
_EARLIER = (
    select(
        _ORDERS.c.created_at,
        _PRODUCTS.c.category,
        _LINES.c.quantity,
        _PRODUCTS.c.net_weight_grams,
        _PRODUCTS.c.thc_mg,
    )
    .select_from(_ORDERS.join(_LINES, _LINES.c.order_id == _ORDERS.c.id))
    .join(_PRODUCTS, _PRODUCTS.c.id == _LINES.c.product_id)
    .where(
        _ORDERS.c.user_id == bindparam("user_id"),
        _ORDERS.c.created_at >= bindparam("since"),
        _ORDERS.c.created_at < bindparam("until"),
        _ORDERS.c.status != OrderStatus.CANCELLED,
        _ORDERS.c.id != bindparam("excluded_order_id"),
    )
)


def of(
    session: Session,
    user_id: int,
    items: Sequence[Item],
    rules: StateRules,
    at: datetime,
    *,
    excluded_order_id: str = "",
) -> tuple[Use, ...]:
    """One use for each limit of the rules, on the store's day of `at`.

    The order with the id `excluded_order_id` does not count as an earlier one.
    """
    goods = [_goods(item) for item in items]
    # 30 days are today and the 29 before.
    starts = {bucket.days: _start_of_day(at, 1 - bucket.days) for bucket in rules.buckets if bucket.days}
    earlier = _read_earlier(session, user_id, starts.values(), at, excluded_order_id)
    return tuple(
        Use(bucket, _count(bucket, _since(starts.get(bucket.days), earlier)), _count(bucket, goods))
        for bucket in rules.buckets
    )


def blockers(uses: Sequence[Use], items: Sequence[Item]) -> Iterator[Blocker]:
    """Why the limits do not allow the items: one blocker for each product that a limit cannot count, and one for each
    limit that they exceed."""
    counted = [(item.name, _goods(item)) for item in items]
    unknown = {name: None for use in uses for name, goods in counted if _cannot_count(use.bucket, goods)}
    for name in unknown:
        yield Blocker(code=LIMIT_UNKNOWN, message=rule_messages.limit_unknown(name))
    for use in uses:
        if use.refuses:
            yield Blocker(code=LEGAL_LIMIT, message=_sentence(use, items))


def views(uses: Iterable[Use]) -> tuple[LimitUse, ...]:
    return tuple(
        LimitUse(
            code=use.bucket.code,
            label=use.bucket.label,
            days=use.bucket.days,
            limit_mg=use.bucket.limit_mg,
            used_mg=use.used_mg,
            adds_mg=use.adds_mg,
        )
        for use in uses
    )


def rooms(uses: Iterable[Use]) -> list[Room]:
    return [
        Room(
            category=category,
            per_weight=_factor(use.bucket, category, Measure.WEIGHT),
            per_thc=_factor(use.bucket, category, Measure.THC),
            left=use.left_mg * 1_000,
            when_over=rule_messages.when_over(use.bucket.days),
        )
        for use in uses
        for category in sorted({count.category for count in use.bucket.counts})
    ]


def _read_earlier(
    session: Session, user_id: int, starts: Collection[datetime], at: datetime, excluded_order_id: str
) -> list[_Bought]:
    """What was bought in the longest period of the limits. Nothing is read if each order is limited by itself."""
    if not starts:
        return []
    wanted = {
        "user_id": user_id,
        "since": min(starts),
        "until": _start_of_day(at, 1),
        "excluded_order_id": excluded_order_id,
    }
    return [
        _Bought(created_at, _Goods(category, quantity, milligrams(net_weight_grams), thc_mg))
        for created_at, category, quantity, net_weight_grams, thc_mg in session.connection().execute(_EARLIER, wanted)
    ]


def _since(start: datetime | None, earlier: Iterable[_Bought]) -> Iterator[_Goods]:
    """What was bought since the start; nothing without a start: such a limit applies to each order by itself."""
    return (each.goods for each in earlier if start and each.at >= start)


def _start_of_day(at: datetime, days_later: int) -> datetime:
    """The beginning of the store's day that contains `at`, or of the day that many days later."""
    timezone = get_settings().timezone
    return clock.start_of_day(at.astimezone(timezone).date() + timedelta(days=days_later), timezone)


def _count(bucket: LimitBucket, goods: Iterable[_Goods]) -> int:
    """In milligrams, rounded up."""
    return -(-_count_exactly(bucket, goods) // 1_000)


def _count_exactly(bucket: LimitBucket, goods: Iterable[_Goods]) -> int:
    """In thousandths of a milligram. A product whose measure is not known counts as nothing."""
    return sum(
        (_measure(each, count) or 0) * count.per_mille * each.quantity
        for each in goods
        for count in bucket.counts
        if count.category == each.category
    )


def _factor(bucket: LimitBucket, category: str, measure: Measure) -> int:
    """In thousandths; 0 for a measure that does not count."""
    return sum(count.per_mille for count in bucket.counts if count.category == category and count.measure is measure)


def _measure(goods: _Goods, count: CategoryCount) -> int | None:
    return goods.weight_mg if count.measure is Measure.WEIGHT else goods.thc_mg


def _goods(item: Item) -> _Goods:
    return _Goods(item.category, item.quantity, item.weight_mg, item.thc_mg)


def _cannot_count(bucket: LimitBucket, goods: _Goods) -> bool:
    return any(_measure(goods, count) is None for count in bucket.counts if count.category == goods.category)


def _sentence(use: Use, items: Sequence[Item]) -> str:
    excess = rule_messages.over_limit(use.bucket.label, use.bucket.days, use.bucket.limit_mg, use.used_mg, use.adds_mg)
    return f"{excess} {rule_messages.remove_products(_to_remove(use, items))}"


def _to_remove(use: Use, items: Sequence[Item]) -> list[tuple[str, int]]:
    """Names and quantities that bring the cart within the limit: as little as possible of one product, else of
    several, beginning with those that count most per unit."""
    per_unit = {item: _count_exactly(use.bucket, [_goods(item)._replace(quantity=1)]) for item in items}
    may_stay = max(0, use.bucket.limit_mg - use.used_mg) * 1_000
    over = sum(per_unit[item] * item.quantity for item in items) - may_stay
    counted = sorted((item for item in items if per_unit[item]), key=lambda item: per_unit[item])
    enough = [item for item in counted if per_unit[item] * item.quantity >= over]
    if enough:
        best = min(enough, key=lambda item: -(-over // per_unit[item]) * per_unit[item])
        return [(best.name, -(-over // per_unit[best]))]
    removed = []
    for item in reversed(counted):
        if over <= 0:
            break
        quantity = min(item.quantity, -(-over // per_unit[item]))
        removed.append((item.name, quantity))
        over -= quantity * per_unit[item]
    return removed
