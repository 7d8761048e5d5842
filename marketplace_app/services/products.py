"""The catalogue: finding, counting and reading products."""

from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Boolean, ColumnElement, Select, bindparam, exists, func, literal_column, not_, or_, select
from sqlmodel import Session, col

from marketplace_app.adapters import search
from marketplace_app.errors import NotFound
from marketplace_app.limits import MAX_UNPAGED_PRODUCTS
from marketplace_app.messages import PRODUCT_NOT_FOUND
from marketplace_app.models import (
    Category,
    LabReport,
    Potency,
    Product,
    ProductType,
    StockMovement,
    StockReason,
    Strain,
    User,
)
from marketplace_app.schemas.lab_reports import LAB_COLUMNS
from marketplace_app.schemas.products import (
    COLUMNS,
    PriceRange,
    ProductDetailView,
    ProductPage,
    ProductQuery,
    ProductView,
    SortBy,
    SortOrder,
    detail_of_row,
    view_of_row,
)
from marketplace_app.services import counters, lexicons

Conditions = dict[str, ColumnElement[bool]]


class Asked(NamedTuple):
    """What a query asks of the database."""

    conditions: Conditions
    """By the group that asks."""
    tier: ColumnElement[int] | None
    """How well a product matches the search, the best first; nothing without a search."""
    corrected: str | None
    """The words that are searched in place of the query's own, which no product has."""


class Found(NamedTuple):
    products: tuple[ProductView, ...]
    corrected: str | None


# Columns instead of objects, and statements made once: building either takes longer than the database does.
_ROW = [getattr(Product, name) for name in COLUMNS]
_ROWS = select(*_ROW)
_COUNT = select(func.count(col(Product.id)))
IS_ACTIVE = col(Product.is_active).is_(True)
_DETAIL = (
    select(*_ROW, *[getattr(LabReport, name) for name in LAB_COLUMNS], col(Product.stock))
    .outerjoin(LabReport, col(LabReport.product_id) == col(Product.id))
    .where(col(Product.id) == bindparam("product_id"), IS_ACTIVE)
)
# Literal text, not a bound value: the index `ix_products_shelf` is on this exact expression.
_IN_STOCK = literal_column("(stock > 0)", Boolean)


def list_products(session: Session, _actor: User | None, query: ProductQuery) -> ProductPage:
    """One page, or without a limit all that match, at most 1,000. Anyone may look (RULE public-catalogue)."""
    asked = conditions_of(session, query)
    count = _COUNT.where(*asked.conditions.values())
    rows = session.execute(_page(query, asked).add_columns(count.scalar_subquery())).all()
    if rows:
        return ProductPage(tuple(view_of_row(row[:-1]) for row in rows), rows[0][-1], asked.corrected)
    total = session.execute(count).scalar_one() if query.offset else 0
    return ProductPage((), total, asked.corrected if total else None)


def find(session: Session, query: ProductQuery) -> Found:
    """The products of one page, for callers that know how many there are in all, and what was searched for them."""
    asked = conditions_of(session, query)
    return Found(tuple(view_of_row(row) for row in session.execute(_page(query, asked))), asked.corrected)


def _page(query: ProductQuery, asked: Asked) -> Select[Any]:
    page = _ROWS.where(*asked.conditions.values()).order_by(*_order(query, asked.tier))
    return page.limit(query.limit or MAX_UNPAGED_PRODUCTS).offset(query.offset)


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
    """Grows with whatever changes an answer of this module or of `browsing`; the database's own triggers see to it."""
    return counters.catalogue_version(session)


def list_categories(session: Session, _actor: User | None) -> tuple[Category, ...]:
    """All categories, hidden ones too: a product in one still has its badge's colour."""
    return tuple(session.execute(select(Category).order_by(col(Category.position))).scalars())


def save(session: Session, product: Product) -> Product:
    """Write a new or changed product, with what it is sorted and found by."""
    product.sort_name = search.fold(product.name)
    if product.potency is None:
        product.potency = Potency.of(product.thc_percent)
    session.add(product)
    session.flush()
    search.index(session, product)
    return product


def open_stock(session: Session, product: Product, count: int, *, by: User | None = None) -> None:
    """The first count of a new product, as the first line of its ledger."""
    product.stock = count
    if count:
        who = by.id if by else None
        session.add(StockMovement(product_id=product.id, change=count, reason=StockReason.OPENING, actor_id=who))


def conditions_of(session: Session, query: ProductQuery) -> Asked:
    conditions: Conditions = {"active": IS_ACTIVE}
    tier, corrected = None, None
    if query.category:
        conditions["category"] = col(Product.category).in_(query.category)
    if query.type:
        conditions["type"] = _of_type(query.type)
    if query.potency:
        conditions["potency"] = _in_enum(Product.potency, Potency, query.potency)
    if query.min_price is not None or query.max_price is not None:
        conditions["price"] = within(PriceRange("", query.min_price, query.max_price))
    conditions |= _more_conditions(session, query)
    if query.search.strip():
        conditions["search"], tier, corrected = _searched(session, query)
    return Asked(conditions, tier, corrected)


def _searched(
    session: Session, query: ProductQuery
) -> tuple[ColumnElement[bool], ColumnElement[int] | None, str | None]:
    lexicon = lexicons.current(session)
    corrected = None if query.exact else search.corrected(query.search, lexicon)
    match = search.matching(session.get_bind().dialect.name, corrected or query.search, lexicon)
    if match is None:
        return col(Product.id).is_(None), None, None  # punctuation alone matches nothing
    return *match, corrected


def _more_conditions(session: Session, query: ProductQuery) -> Conditions:
    conditions: Conditions = {}
    for group, listed, values in (("effect", Product.effects, query.effect), ("flavor", Product.flavors, query.flavor)):
        if values:
            conditions[group] = _lists_any(session.get_bind().dialect.name, listed, values)
    if query.brand:
        conditions["brand"] = col(Product.brand).in_(query.brand)
    if query.strain:
        conditions["strain"] = _in_enum(Product.strain, Strain, query.strain)
    for fact, low, high in (
        (Product.thc_percent, query.min_thc, query.max_thc),
        (Product.cbd_percent, query.min_cbd, query.max_cbd),
    ):
        if low is not None:
            conditions[f"{fact} from"] = col(fact) >= low
        if high is not None:
            conditions[f"{fact} to"] = col(fact) <= high
    if query.in_stock is not None:
        conditions["in stock"] = _IN_STOCK if query.in_stock else not_(_IN_STOCK)
    return conditions


def _lists_any(dialect: str, listed: Any, values: list[str]) -> ColumnElement[bool]:
    """A JSON list holds one of these very texts."""
    unfold = func.json_each if dialect == "sqlite" else func.json_array_elements_text
    entries = unfold(col(listed)).table_valued("value")
    return exists(select(literal_column("1")).select_from(entries).where(entries.c.value.in_(values)))


def _of_type(values: list[str]) -> ColumnElement[bool]:
    """Flower sold by weight and pre-rolls have their size for a type: they are found by their strain as well."""
    return or_(_in_enum(Product.type, ProductType, values), _in_enum(Product.strain, Strain, values))


def _in_enum(column: Any, members: Any, values: list[str]) -> ColumnElement[bool]:
    known = {member.value for member in members}
    return col(column).in_([members(value) for value in values if value in known])


def within(prices: PriceRange) -> ColumnElement[bool]:
    price = col(Product.price_cents)
    lower, upper = prices.min_cents, prices.max_cents
    if lower is None and upper is None:
        return price.is_not(None)
    if lower is None:
        return price <= upper
    return price >= lower if upper is None else price.between(lower, upper)


def _order(query: ProductQuery, tier: ColumnElement[int] | None) -> list[Any]:
    name, number = col(Product.sort_name), col(Product.id)
    featured = [col(Product.is_featured).desc(), _IN_STOCK.desc(), name, number]
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
