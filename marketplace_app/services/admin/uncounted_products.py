"""Products without the weight or THC by which a legal limit counts them: they cannot be ordered while limits are
enforced (RULE uncounted-products).
"""

from collections.abc import Iterator
from typing import NamedTuple

from sqlalchemy import ColumnElement, func, or_, select
from sqlmodel import Session, col

from marketplace_app import clock
from marketplace_app.config import get_settings
from marketplace_app.limits import MAX_UNCOUNTED_SHOWN
from marketplace_app.models import Permission, Product, User
from marketplace_app.schemas.jurisdictions.state_rules import Measure, StateRules
from marketplace_app.services.accounts import require
from marketplace_app.services.jurisdictions import versions

_MEASURED_BY = {Measure.WEIGHT: col(Product.net_weight_grams), Measure.THC: col(Product.thc_mg)}


class UncountedProduct(NamedTuple):
    id: int
    name: str


class UncountedProducts(NamedTuple):
    products: tuple[UncountedProduct, ...] = ()
    """The first ones, by name."""
    total: int = 0


def find(session: Session, actor: User | None) -> UncountedProducts:
    """Active products without the weight or THC by which a limit of any state counts them today."""
    require(actor, Permission.SEE_PRODUCTS)
    uncounted = list(_conditions(versions.in_force(session, clock.today(get_settings().timezone))))
    if not uncounted:
        return UncountedProducts()
    statement = (
        select(col(Product.id), col(Product.name), func.count().over())
        .where(col(Product.is_active).is_(True), or_(*uncounted))
        .order_by(col(Product.sort_name), col(Product.id))
        .limit(MAX_UNCOUNTED_SHOWN)
    )
    rows = session.execute(statement).all()
    return UncountedProducts(tuple(UncountedProduct(row[0], row[1]) for row in rows), rows[0][2] if rows else 0)


def _conditions(rules: tuple[StateRules, ...]) -> Iterator[ColumnElement[bool]]:
    """One for each measure that a limit uses."""
    counts = [count for each in rules for bucket in each.buckets for count in bucket.counts]
    for measure, column in _MEASURED_BY.items():
        categories = {count.category for count in counts if count.measure is measure}
        if categories:
            yield col(Product.category).in_(categories) & column.is_(None)
