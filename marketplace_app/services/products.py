"""The catalogue: finding, counting and reading products."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, bindparam, case, func, select
from sqlmodel import Session, col

from marketplace_app.adapters import search
from marketplace_app.errors import NotFound
from marketplace_app.limits import MAX_UNPAGED_PRODUCTS
from marketplace_app.messages import PRODUCT_NOT_FOUND
from marketplace_app.models import (
    Category,
    Counter,
    LabReport,
    Potency,
    Product,
    ProductType,
    StockMovement,
    StockReason,
    User,
)
from marketplace_app.schemas.products import (
    COLUMNS,
    LAB_COLUMNS,
    PRICE_RANGES,
    Facets,
    PriceRange,
    ProductDetailView,
    ProductPage,
    ProductQuery,
    SortBy,
    SortOrder,
    detail_of_row,
    view_of_row,
)
from marketplace_app.services.records import CATALOGUE

Conditions = dict[str, ColumnElement[bool]]

# Columns instead of objects, and statements made once: building either takes longer than the database does.
_ROW = [getattr(Product, name) for name in COLUMNS]
_ROWS = select(*_ROW)
_VERSION = select(col(Counter.value)).where(col(Counter.name) == CATALOGUE)
_COUNT = select(func.count(col(Product.id)))
_IS_ACTIVE = col(Product.is_active).is_(True)
_DETAIL = (
    select(*_ROW, *[getattr(LabReport, name) for name in LAB_COLUMNS])
    .outerjoin(LabReport, col(LabReport.product_id) == col(Product.id))
    .where(col(Product.id) == bindparam("product_id"), _IS_ACTIVE)
)
_IN_STOCK = case((col(Product.stock) > 0, 0), else_=1)


def list_products(session: Session, _actor: User | None, query: ProductQuery) -> ProductPage:
    """One page, or without a limit all that match, at most 1,000. Anyone may look (decision 13)."""
    conditions, tier = _conditions(session, query)
    where = list(conditions.values())
    limit = query.limit or MAX_UNPAGED_PRODUCTS
    count = _COUNT.where(*where)
    page = _ROWS.where(*where).order_by(*_order(query, tier)).limit(limit).offset(query.offset)
    rows = session.execute(page.add_columns(count.scalar_subquery())).all()
    if rows:
        return ProductPage(tuple(view_of_row(row[:-1]) for row in rows), rows[0][-1])
    return ProductPage((), session.execute(count).scalar_one() if query.offset else 0)


def get(session: Session, _actor: User | None, product_id: int) -> ProductDetailView:
    row = session.execute(_DETAIL, {"product_id": product_id}).one_or_none()
    if row is None:
        raise NotFound(PRODUCT_NOT_FOUND)
    return detail_of_row(row)


def list_addresses(session: Session) -> list[tuple[int, datetime]]:
    """Every product that can be looked at, and when it last changed: for the sitemap, which holds 50,000."""
    statement = select(col(Product.id), col(Product.updated_at)).where(col(Product.is_active)).order_by(col(Product.id))
    return [(number, changed) for number, changed in session.execute(statement.limit(50_000))]


def version(session: Session, _actor: User | None) -> int:
    """Grows with whatever changes an answer of `list_products` or `get`; the database's own triggers see to it."""
    return int(session.execute(_VERSION).scalar_one())


def list_categories(session: Session, _actor: User | None) -> tuple[Category, ...]:
    statement = select(Category).where(col(Category.is_active)).order_by(col(Category.position))
    return tuple(session.execute(statement).scalars())


def count_facets(session: Session, actor: User | None, query: ProductQuery) -> Facets:
    conditions, _ = _conditions(session, query)

    def others(group: str) -> list[ColumnElement[bool]]:
        return [condition for name, condition in conditions.items() if name != group]

    def count_by(group: str, column: Any, values: Sequence[str]) -> tuple[tuple[str, int], ...]:
        statement = select(column, func.count()).where(*others(group)).group_by(column)
        counts: dict[str, int] = {value: count for value, count in session.execute(statement)}  # noqa: C416 - typed rows
        return tuple((value, counts.get(value, 0)) for value in values)

    shelves = sorted(list_categories(session, actor), key=lambda category: category.panel_position)
    categories = [category.name for category in shelves]
    sums = [func.coalesce(func.sum(case((_within(prices), 1), else_=0)), 0) for prices in PRICE_RANGES]
    in_ranges = session.execute(select(*sums).where(*others("price"))).one()
    total = session.execute(_COUNT.where(*conditions.values())).scalar_one()
    return Facets(
        category=count_by("category", Product.category, categories),
        type=count_by("type", Product.type, [t.value for t in ProductType]),
        potency=count_by("potency", Product.potency, [p.value for p in Potency]),
        price_range=tuple((prices.label, int(n)) for prices, n in zip(PRICE_RANGES, in_ranges, strict=True)),
        total=total,
    )


def save(session: Session, product: Product) -> Product:
    """Write a new or changed product, with what it is sorted and found by."""
    product.sort_name = search.fold(product.name)
    if product.potency is None:
        product.potency = Potency.of(product.thc_percent)
    session.add(product)
    session.flush()
    search.index(session, product)
    return product


def open_stock(session: Session, product: Product, count: int) -> None:
    """The first count of a new product, as the first line of its ledger."""
    assert product.id is not None
    product.stock = count
    if count:
        session.add(StockMovement(product_id=product.id, change=count, reason=StockReason.OPENING))


def _conditions(session: Session, query: ProductQuery) -> tuple[Conditions, ColumnElement[int] | None]:
    conditions: Conditions = {"active": _IS_ACTIVE}
    tier = None
    if query.category:
        conditions["category"] = col(Product.category).in_(query.category)
    if query.type:
        conditions["type"] = _in_enum(Product.type, ProductType, query.type)
    if query.potency:
        conditions["potency"] = _in_enum(Product.potency, Potency, query.potency)
    if query.min_price is not None or query.max_price is not None:
        conditions["price"] = _within(PriceRange("", query.min_price, query.max_price))
    if query.search.strip():
        words = search.words_of(query.search)
        if words:
            conditions["search"], tier = search.matching(session.get_bind().dialect.name, words)
        else:
            conditions["search"] = col(Product.id).is_(None)  # punctuation alone matches nothing
    return conditions, tier


def _in_enum(column: Any, members: Any, values: list[str]) -> ColumnElement[bool]:
    known = {member.value for member in members}
    return col(column).in_([members(value) for value in values if value in known])


def _within(prices: PriceRange) -> ColumnElement[bool]:
    price = col(Product.price_cents)
    lower, upper = prices.min_cents, prices.max_cents
    if lower is None and upper is None:
        return price.is_not(None)
    if lower is None:
        return price <= upper
    return price >= lower if upper is None else price.between(lower, upper)


def _order(query: ProductQuery, tier: ColumnElement[int] | None) -> list[Any]:
    name, number = col(Product.sort_name), col(Product.id)
    featured = [col(Product.is_featured).desc(), _IN_STOCK, name, number]
    sort_by = query.sort_by
    if sort_by is None or sort_by is SortBy.FEATURED:
        return [tier, *featured] if tier is not None and sort_by is None else featured
    key = {
        SortBy.NAME: name,
        SortBy.PRICE: col(Product.price_cents),
        SortBy.RATING: col(Product.rating_tenths),
        SortBy.NEWEST: col(Product.created_at),
    }[sort_by]
    usual = SortOrder.ASCENDING if sort_by in (SortBy.NAME, SortBy.PRICE) else SortOrder.DESCENDING
    descending = (query.sort_order or usual) is SortOrder.DESCENDING
    return [key.desc() if descending else key.asc(), name, number]
