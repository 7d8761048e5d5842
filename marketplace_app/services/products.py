"""The catalogue: finding, counting and reading products."""

from collections.abc import Sequence
from datetime import datetime
from functools import lru_cache, reduce
from operator import or_
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Select, bindparam, func, select
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
    StockMovement,
    StockReason,
    User,
)
from marketplace_app.models.base import table_of
from marketplace_app.schemas.lab_reports import LAB_COLUMNS
from marketplace_app.schemas.products import (
    COLUMNS,
    ProductDetailView,
    ProductPage,
    ProductQuery,
    ProductView,
    SortBy,
    SortDirection,
    detail_of_row,
    view_of_row,
)
from marketplace_app.services import counters, lexicons, product_filters
from marketplace_app.services.product_filters import IN_STOCK, IS_ACTIVE, PRODUCTS


class FoundProducts(NamedTuple):
    products: tuple[ProductView, ...]
    corrected: str | None
    """The words that were searched in place of the query's own, which no product has."""


class ParsedSearch(NamedTuple):
    """The search text of a query, as the statements take it."""

    parameters: dict[str, Any] | None
    """None if there is no word in it: then nothing matches."""
    corrected: str | None
    """As `FoundProducts.corrected`."""


class Shape(NamedTuple):
    """What two lists have in common whose statements differ in nothing but values."""

    dialect: str
    filters: tuple[str, ...]
    sort_by: SortBy | None
    sort_order: SortDirection | None
    is_search: bool
    is_counted: bool
    """Whether the number of all matches comes with every row."""


_TABLE = table_of(Product)
_ROW = [PRODUCTS[name] for name in COLUMNS]
_DETAIL = (
    select(*_ROW, *[getattr(LabReport, name) for name in LAB_COLUMNS], PRODUCTS.stock)
    .outerjoin(LabReport, col(LabReport.product_id) == PRODUCTS.id)
    .where(PRODUCTS.id == bindparam("product_id"), IS_ACTIVE)
)


def list_products(session: Session, _actor: User | None, query: ProductQuery) -> ProductPage:
    """One page, or without a limit all that match, at most 1,000. Anyone may look (RULE public-catalogue)."""
    rows, corrected = _select(session, query, is_counted=True)
    if rows:
        return ProductPage(tuple(view_of_row(row[:-1]) for row in rows), rows[0][-1], corrected)
    first = query.model_copy(update={"limit": 1, "offset": 0})
    total = list_products(session, None, first).total if query.offset else 0
    return ProductPage((), total, corrected if total else None)


def find(session: Session, query: ProductQuery) -> FoundProducts:
    """The products of one page, for callers that know how many there are in all, and what was searched for them."""
    rows, corrected = _select(session, query, is_counted=False)
    return FoundProducts(tuple(map(view_of_row, rows)), corrected)


def _select(session: Session, query: ProductQuery, *, is_counted: bool) -> tuple[Sequence[Any], str | None]:
    dialect = session.get_bind().dialect.name
    filters = dict(product_filters.chosen(query))
    values = reduce(or_, filters.values(), {"limit": query.limit or MAX_UNPAGED_PRODUCTS, "offset": query.offset})
    parsed = parse_search(session, query)
    if parsed is not None:
        if parsed.parameters is None:
            return (), None
        values |= parsed.parameters
    shape = Shape(dialect, tuple(filters), query.sort_by, query.sort_order, parsed is not None, is_counted)
    return session.execute(_statement(shape), values).all(), parsed.corrected if parsed else None


@lru_cache(maxsize=512)
def _statement(shape: Shape) -> Select[Any]:
    """Columns instead of objects, and made once: building either takes longer than the database does."""
    conditions = product_filters.conditions(shape.dialect, shape.filters)
    if shape.is_search:
        return _search_statement(shape, conditions)
    columns: list[Any] = list(_ROW)
    if shape.is_counted:  # from an index alone, while the list stops at its limit
        columns.append(select(func.count()).select_from(_TABLE).where(*conditions).scalar_subquery())
    return _paged(select(*columns).where(*conditions).order_by(*_order(shape, None)))


def _search_statement(shape: Shape, conditions: list[ColumnElement[bool]]) -> Select[Any]:
    """All that is found must be looked at to be sorted, so it is counted on the way; only a page is read in full."""
    match = search.match(shape.dialect)
    found = (
        select(PRODUCTS.id, match.tier.label("tier"), func.count().over().label("total"))
        .select_from(match.source)
        .where(*conditions, match.condition)
    )
    page = _paged(found.order_by(*_order(shape, found.selected_columns.tier))).subquery("page")
    columns = [*_ROW, page.c.total] if shape.is_counted else _ROW
    read = select(*columns).select_from(page.join(_TABLE, PRODUCTS.id == page.c.id))
    return read.order_by(*_order(shape, page.c.tier))


def _paged(statement: Select[Any]) -> Select[Any]:
    return statement.limit(bindparam("limit")).offset(bindparam("offset"))


def _order(shape: Shape, tier: ColumnElement[int] | None) -> list[Any]:
    name, number, sort_by = PRODUCTS.sort_name, PRODUCTS.id, shape.sort_by
    featured = [PRODUCTS.is_featured.desc(), IN_STOCK.desc(), name, number]
    if sort_by is None or sort_by is SortBy.FEATURED:
        return [tier, *featured] if tier is not None and sort_by is None else featured
    key = {
        SortBy.NAME: name,
        SortBy.PRICE: PRODUCTS.price_cents,
        SortBy.RATING: PRODUCTS.rating_tenths,
        SortBy.NEWEST: PRODUCTS.created_at,
    }[sort_by]
    usual = SortDirection.ASCENDING if sort_by in (SortBy.NAME, SortBy.PRICE) else SortDirection.DESCENDING
    descending = (shape.sort_order or usual) is SortDirection.DESCENDING
    return [key.desc() if descending else key.asc(), name, number]


def parse_search(session: Session, query: ProductQuery) -> ParsedSearch | None:
    """None for a query without a search."""
    if not query.search.strip():
        return None
    dialect, lexicon = session.get_bind().dialect.name, lexicons.current(session)
    corrected = None if query.exact else search.corrected(query.search, lexicon)
    parameters = search.parameters(dialect, corrected or query.search, lexicon)
    return ParsedSearch(parameters, corrected if parameters else None)


def get(session: Session, _actor: User | None, product_id: int) -> ProductDetailView:
    row = session.execute(_DETAIL, {"product_id": product_id}).one_or_none()
    if row is None:
        raise NotFound(PRODUCT_NOT_FOUND)
    return detail_of_row(row)


def list_sitemap_entries(session: Session) -> list[tuple[int, datetime]]:
    """Every active product's id and time of its last change. A sitemap holds at most 50,000."""
    statement = select(col(Product.id), col(Product.updated_at)).where(col(Product.is_active)).order_by(col(Product.id))
    return [(number, changed) for number, changed in session.execute(statement.limit(50_000))]


def version(session: Session, _actor: User | None) -> int:
    """Raised by triggers in the database with every change of what this module or `browsing` returns."""
    return counters.read(session, counters.CATALOGUE)


def list_categories(session: Session, _actor: User | None) -> tuple[Category, ...]:
    """All categories, hidden ones too: a product in one still has its badge's colour."""
    return tuple(session.execute(select(Category).order_by(col(Category.position))).scalars())


def save(session: Session, product: Product) -> Product:
    """Write a new or changed product, with its sort name and its search index."""
    product.sort_name = search.fold(product.name)
    if product.potency is None:
        product.potency = Potency.of(product.thc_percent)
    session.add(product)
    session.flush()
    search.index(session, product)
    return product


def open_stock(session: Session, product: Product, count: int, *, by: User | None = None) -> None:
    """Set the stock of a new product, with the first movement of its ledger."""
    product.stock = count
    if count:
        who = by.id if by else None
        session.add(StockMovement(product_id=product.id, change=count, reason=StockReason.OPENING, actor_id=who))
