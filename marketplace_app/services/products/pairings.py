"""'Goes well with': what different people put into the same orders as a product."""

import time
from datetime import timedelta
from math import sqrt

from sqlalchemy import Select, func, select
from sqlalchemy.orm import aliased
from sqlmodel import Session, col

from marketplace_app import clock
from marketplace_app.adapters.versioned_cache import VersionedCache
from marketplace_app.models import Order, OrderLine, OrderStatus, Product, User
from marketplace_app.schemas.products.products import COLUMNS, ProductView, view_of_row
from marketplace_app.services.search.product_index import IS_ACTIVE

MIN_BUYERS = 3
"""Fewer would reveal what a single customer bought, and mean little."""
MAX_PAIRINGS = 4
_PERIOD = timedelta(days=365)
_MAX_CANDIDATES = 40
_SECONDS_PER_HOUR = 3_600
_RANKED: VersionedCache[tuple[int, ...]] = VersionedCache(max_size=2_000)
_IN_STOCK = select(*[getattr(Product, name) for name in COLUMNS]).where(IS_ACTIVE, col(Product.stock) > 0)


def list_pairings(session: Session, _actor: User | None, product_id: int) -> tuple[ProductView, ...]:
    """At most four products in stock, best first; none if too few people bought anything together with it.

    Ranked once an hour in each process; what is in stock is read each time.
    """
    hour = int(time.time()) // _SECONDS_PER_HOUR
    ranked = _RANKED.get(product_id, hour, lambda: rank(session, product_id))
    if not ranked:
        return ()
    available = {
        view.id: view for view in map(view_of_row, session.execute(_IN_STOCK.where(col(Product.id).in_(ranked))))
    }
    return tuple(available[each] for each in ranked if each in available)[:MAX_PAIRINGS]


def rank(session: Session, product_id: int) -> tuple[int, ...]:
    """Products that at least MIN_BUYERS people ordered together with this one, best first.

    They are ranked by the cosine of both products' buyers, so that a bestseller does not lead every list.
    """
    both = _buyers_of_both(session, product_id)
    buyers = _buyers(session, [product_id, *both])
    scores = {each: count / sqrt(buyers[each] * buyers[product_id]) for each, count in both.items()}
    return tuple(sorted(scores, key=lambda each: (-scores[each], each)))


def _buyers_of_both(session: Session, product_id: int) -> dict[int, int]:
    """For each other product, how many people ordered it together with this one."""
    other = aliased(OrderLine)
    buyers = func.count(func.distinct(col(Order.user_id)))
    statement = (
        _from_sales(select(col(other.product_id), buyers))
        .join(other, (col(other.order_id) == col(Order.id)) & (col(other.product_id) != product_id))
        .where(col(OrderLine.product_id) == product_id)
        .group_by(col(other.product_id))
        .having(buyers >= MIN_BUYERS)
        .order_by(buyers.desc(), col(other.product_id))
        .limit(_MAX_CANDIDATES)
    )
    return dict(session.execute(statement).all())


def _buyers(session: Session, product_ids: list[int]) -> dict[int, int]:
    """For each product, how many people ordered it."""
    buyers = func.count(func.distinct(col(Order.user_id)))
    statement = _from_sales(select(col(OrderLine.product_id), buyers)).where(col(OrderLine.product_id).in_(product_ids))
    return dict(session.execute(statement.group_by(col(OrderLine.product_id))).all())


def _from_sales(statement: Select[int, int]) -> Select[int, int]:
    """Select from the lines of orders that were placed in the last year and not cancelled."""
    return (
        statement.select_from(OrderLine)
        .join(Order, col(Order.id) == col(OrderLine.order_id))
        .where(
            col(Order.status) != OrderStatus.CANCELLED,
            col(Order.deleted_at).is_(None),
            col(Order.created_at) >= clock.now() - _PERIOD,
        )
    )
