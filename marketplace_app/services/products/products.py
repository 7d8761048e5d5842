"""Finding, counting and reading products."""

from collections import ChainMap
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime

from sqlalchemy import Engine, bindparam, select
from sqlmodel import Session, col

from marketplace_app.adapters import search
from marketplace_app.errors import NotFound
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
from marketplace_app.schemas.products.lab_reports import LAB_COLUMNS
from marketplace_app.schemas.products.products import (
    COLUMNS,
    ProductDetailView,
    ProductPage,
    ProductQuery,
    ProductView,
    detail_of_row,
    view_of_row,
)
from marketplace_app.services.batches import reports
from marketplace_app.services.records import counters
from marketplace_app.services.search import product_index, product_search
from marketplace_app.services.search.product_index import IS_ACTIVE, PRODUCTS, ProductIndex
from marketplace_app.services.search.product_search import SearchResult

MAX_KEPT_VIEWS = 50_000
"""Each takes 1.6 kB. In a shop with more products than this, most new lists would have to ask the database."""
READ_AHEAD = 200
"""How many products of a list are read at once when one of a page is not in memory: the page and what follows it."""
_ROW = [PRODUCTS[name] for name in COLUMNS]
_PAGE = select(*_ROW).where(PRODUCTS.id.in_(bindparam("ids", expanding=True)))
_DETAIL = (
    select(*_ROW, *[getattr(LabReport, name) for name in LAB_COLUMNS], PRODUCTS.stock, PRODUCTS.has_batches)
    .outerjoin(LabReport, col(LabReport.product_id) == PRODUCTS.id)
    .where(PRODUCTS.id == bindparam("product_id"), IS_ACTIVE)
)


def list_products(session: Session, _actor: User | None, query: ProductQuery) -> ProductPage:
    """One page, or without a limit all that match, at most 1,000. Anyone may look (RULE public-catalogue)."""
    return list_from(session, product_index.current(session), query)


def list_in_memory(engine: Engine, version: int, query: ProductQuery) -> ProductPage | None:
    """Like `list_products` for this version of the catalogue, but from memory alone, in 0.1 ms.

    None if the database must be asked, or if the answer would take longer.
    """
    index = product_index.in_memory(engine, version)
    if index is None or not query.limit or not index.has_order(query.sort_by, query.sort_order):
        return None
    found = product_search.find_in_memory(index, query)
    if found is None:
        return None
    ids, total = product_search.page(index, query, found)
    views = _existing(index.views, ids)
    return ProductPage(views, total, found.corrected if total else None) if len(views) == len(ids) else None


def list_from(session: Session, index: ProductIndex, query: ProductQuery) -> ProductPage:
    """Like `list_products`, for callers that have the index already."""
    found = product_search.find(session, index, query)
    ids, total = product_search.page(index, query, found)
    is_known = all(product_id in index.views for product_id in ids)
    views = index.views if is_known else _read_ahead(session, index, query, found)
    return ProductPage(_existing(views, ids), total, found.corrected if total else None)


def _read_ahead(
    session: Session, index: ProductIndex, query: ProductQuery, found: SearchResult
) -> Mapping[int, ProductView]:
    """The views of this page and, while there is room for more, of the next ones."""
    has_room = len(index.views) < MAX_KEPT_VIEWS
    limit = max(query.limit, READ_AHEAD) if query.limit and has_room else query.limit
    ids, _ = product_search.page(index, query.model_copy(update={"limit": limit}), found)
    missing = [product_id for product_id in ids if product_id not in index.views]
    read = {row.id: view_of_row(row) for row in session.execute(_PAGE, {"ids": missing}) if row.is_active}
    if has_room:
        index.views.update(read)
    return ChainMap(read, index.views)


def _existing(views: Mapping[int, ProductView], ids: list[int]) -> tuple[ProductView, ...]:
    """Without products archived after the index was read: on PostgreSQL, a later statement sees that change."""
    return tuple(view for product_id in ids if (view := views.get(product_id)))


def get(session: Session, _actor: User | None, product_id: int) -> ProductDetailView:
    """With the lab report of the batch that is sold next, else the product's own (RULE batch-reports)."""
    row = session.execute(_DETAIL, {"product_id": product_id}).one_or_none()
    if row is None:
        raise NotFound(PRODUCT_NOT_FOUND)
    *values, has_batches = row
    detail = detail_of_row(values)
    report = reports.report_of_next_batch(session, product_id) if has_batches else None
    return replace(detail, lab_report=report) if report else detail


def list_sitemap_entries(session: Session) -> list[tuple[int, datetime]]:
    """Every active product's id and time of its last change. A sitemap holds at most 50,000."""
    statement = select(col(Product.id), col(Product.updated_at)).where(col(Product.is_active)).order_by(col(Product.id))
    return [(product_id, changed) for product_id, changed in session.execute(statement.limit(50_000))]


def version(session: Session, _actor: User | None) -> int:
    """The catalogue version: the database raises it with every change to what this module or `catalogue` returns."""
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


def set_opening_stock(session: Session, product: Product, count: int, *, by: User | None = None) -> None:
    """Set the stock of a new product, and enter it as the first movement of its ledger."""
    product.stock = count
    if count:
        who = by.id if by else None
        session.add(StockMovement(product_id=product.id, change=count, reason=StockReason.OPENING, actor_id=who))
