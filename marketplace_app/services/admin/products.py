"""Products as staff list, edit and archive them. Changes raise the catalogue version (`services.products.products`)."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import ColumnElement, and_, exists, func, or_, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import aliased
from sqlmodel import Session, col

from marketplace_app import clock, codes
from marketplace_app.adapters import live, search
from marketplace_app.errors import EditedMeanwhile, InvalidInput, NotFound, StoreError
from marketplace_app.limits import LOW_STOCK, MAX_PAGE_SIZE
from marketplace_app.messages import CATEGORY_UNKNOWN, PRODUCT_NOT_FOUND
from marketplace_app.models import Category, LabReport, Permission, Product, ProductType, User
from marketplace_app.schemas.admin.products import (
    PRODUCT_COLUMNS,
    AdminProductPage,
    AdminProductQuery,
    AdminProductSortKey,
    AdminProductView,
    SeenVersion,
    SegmentCounts,
    admin_view_of_row,
    snapshot,
)
from marketplace_app.schemas.products.lab_reports import LAB_COLUMNS
from marketplace_app.schemas.products.product_fields import ProductForm
from marketplace_app.schemas.products.products import SortDirection
from marketplace_app.services import settings, stock
from marketplace_app.services.accounts import require
from marketplace_app.services.products import products
from marketplace_app.services.records import announcements, audit_log
from marketplace_app.services.stock import lock_product

LONG_TEXTS = ("description", "ingredients")
_ROWS = select(
    *[getattr(Product, name) for name in PRODUCT_COLUMNS], *[getattr(LabReport, name) for name in LAB_COLUMNS]
).outerjoin(LabReport, col(LabReport.product_id) == col(Product.id))
_SKU_CONSTRAINT = ("products.sku", "uq_products_sku")
"""As SQLite and PostgreSQL name it in their errors."""
IS_LOW = col(Product.is_active).is_(True) & (col(Product.stock) <= LOW_STOCK)
_SORTED_BY: dict[AdminProductSortKey, Any] = {
    AdminProductSortKey.NAME: col(Product.sort_name),
    AdminProductSortKey.PRICE: col(Product.price_cents),
    AdminProductSortKey.STOCK: col(Product.stock),
    AdminProductSortKey.UPDATED: col(Product.updated_at),
    AdminProductSortKey.CREATED: col(Product.created_at),
}


class ProductEditedMeanwhile(EditedMeanwhile):
    message = "Someone else has saved this product in the meantime. Please check it and save again."


def list_products(session: Session, actor: User | None, query: AdminProductQuery) -> AdminProductPage:
    """The number of matches, archived ones too, and one page of them.

    The ids of the page are selected first, so that only an index is read for the pages before it.
    """
    require(actor, Permission.SEE_PRODUCTS)
    where = _conditions(session, query)
    order = _order(session, query)
    ids = select(col(Product.id)).where(*where).order_by(*order)
    ids = ids.limit(query.limit or MAX_PAGE_SIZE).offset(query.offset)
    page = _ROWS.where(col(Product.id).in_(ids)).order_by(*order)
    total = session.execute(select(func.count(col(Product.id))).where(*where)).scalar_one()
    return AdminProductPage(tuple(admin_view_of_row(row) for row in session.execute(page)), total)


def count_segments(session: Session, actor: User | None, query: AdminProductQuery) -> SegmentCounts:
    """How many products each segment would show if the search and the other filters stay as they are."""
    require(actor, Permission.SEE_PRODUCTS)
    without_segment = query.model_copy(update={"active": None, "low_stock": False, "without_report": False})
    is_active = col(Product.is_active).is_(True)
    counted = [func.count(col(Product.id)).filter(each) for each in (is_active, ~is_active, IS_LOW, _without_report())]
    enforced = func.coalesce(settings.newest("enforce_jurisdiction"), 0) == 1
    counts = select(func.count(col(Product.id)), *counted, enforced).where(*_conditions(session, without_segment))
    return SegmentCounts(*session.execute(counts).one())


def get(session: Session, actor: User | None, product_id: int) -> AdminProductView:
    require(actor, Permission.SEE_PRODUCTS)
    return view(session, product_id)


def view(session: Session, product_id: int) -> AdminProductView:
    """For callers that have checked who is acting. Raises NotFound."""
    row = session.execute(_ROWS.where(col(Product.id) == product_id)).one_or_none()
    if row is None:
        raise NotFound(PRODUCT_NOT_FOUND)
    return admin_view_of_row(row)


def require_editable(session: Session, actor: User | None, product_id: int) -> None:
    """To be called before an upload for this product is read. Raises NotFound."""
    require(actor, Permission.EDIT_PRODUCTS)
    if session.execute(select(col(Product.id)).where(col(Product.id) == product_id)).first() is None:
        raise NotFound(PRODUCT_NOT_FOUND)


def list_category_names(session: Session, actor: User | None) -> tuple[str, ...]:
    require(actor, Permission.SEE_PRODUCTS)
    return tuple(session.execute(select(col(Category.name)).order_by(col(Category.position))).scalars())


def create(session: Session, actor: User | None, form: ProductForm) -> AdminProductView:
    """A new product with its opening stock. Raises InvalidInput."""
    staff = require(actor, Permission.EDIT_PRODUCTS)
    _require_known_category(session, form)
    product = Product(**{"sku": codes.new_sku(), **form.columns()})
    with refusing_duplicate_sku(session, _duplicate_sku()):
        products.save(session, product)
    products.set_opening_stock(session, product, form.stock, by=staff)
    session.flush()
    _audit(session, staff, "product.created", product, sku=product.sku)
    return view(session, product.id)


def edit(
    session: Session, actor: User | None, product_id: int, form: ProductForm, *, seen: SeenVersion | None = None
) -> AdminProductView:
    """Save a whole product. A different stock count becomes a movement.

    `seen` is what the caller saw: facts that somebody else has changed since are not overwritten, and the count is
    applied as a difference from the one seen.

    Raises NotFound, InvalidInput, ProductEditedMeanwhile, OutOfStock and StockInBatches.
    """
    staff = require(actor, Permission.EDIT_PRODUCTS)
    product = lock_product(session, product_id)
    if seen is not None and seen.version != product.updated_at.isoformat():
        raise ProductEditedMeanwhile()
    _require_known_category(session, form)
    before = snapshot(product)
    counted_from = product.stock if seen is None or seen.stock is None else seen.stock
    for name, value in form.columns().items():
        setattr(product, name, value)
    with refusing_duplicate_sku(session, _duplicate_sku()):
        products.save(session, product)
    _record_changes(session, staff, product, before)
    if form.stock != counted_from:
        stock.change_by(session, staff, product, form.stock - counted_from, note="Edited with the product")
    session.flush()
    return view(session, product_id)


def archive(session: Session, actor: User | None, product_id: int) -> AdminProductView:
    """Stop selling a product until it is made active again. Orders and carts keep their lines. Raises NotFound."""
    staff = require(actor, Permission.EDIT_PRODUCTS)
    product = lock_product(session, product_id)
    if product.is_active:
        product.is_active, product.updated_at = False, clock.now()
        session.add(product)
        _audit(session, staff, "product.archived", product)
        session.flush()
    return view(session, product_id)


def set_image(session: Session, actor: User | None, product_id: int, stem: str) -> AdminProductView:
    """`stem` is from `adapters.pictures.save`. Earlier pictures stay, because orders show them."""
    staff = require(actor, Permission.EDIT_PRODUCTS)
    product = lock_product(session, product_id)
    if product.image != stem:
        product.image, product.updated_at = stem, clock.now()
        session.add(product)
        _audit(session, staff, "product.pictured", product, image=stem)
        session.flush()
    return view(session, product_id)


def _conditions(session: Session, query: AdminProductQuery) -> list[ColumnElement[bool]]:
    conditions: list[ColumnElement[bool]] = []
    if query.q.strip():
        conditions.append(_found_by(session, query.q.strip()))
    if query.category:
        conditions.append(col(Product.category).in_(query.category))
    if query.type:
        known = {kind.value for kind in ProductType}
        conditions.append(col(Product.type).in_([ProductType(kind) for kind in query.type if kind in known]))
    if query.active is not None:
        conditions.append(col(Product.is_active).is_(query.active))
    if query.low_stock:
        conditions.append(IS_LOW)
    if query.without_report:
        conditions.append(_without_report())
    return conditions


def _order(session: Session, query: AdminProductQuery) -> list[ColumnElement[Any]]:
    """A search without `sort` is ordered like the shop's search: the best matches first."""
    keys = (_SORTED_BY[query.sort or AdminProductSortKey.NAME], col(Product.id))
    order = [key.asc() if query.order is SortDirection.ASCENDING else key.desc() for key in keys]
    match = None if query.sort else search.matching(session.get_bind().dialect.name, query.q)
    if match is None:
        return order
    _matches, tier = match
    return [tier, *order]


def _found_by(session: Session, text: str) -> ColumnElement[bool]:
    """Products whose SKU begins with the text, or that have each of its words in their name, kind or description."""
    by_sku = func.upper(col(Product.sku)).startswith(text.upper(), autoescape=True)
    match = search.matching(session.get_bind().dialect.name, text)
    if match is None:
        return by_sku
    matches, _tier = match
    return or_(by_sku, matches)


def _without_report() -> ColumnElement[bool]:
    report = aliased(LabReport)
    return and_(col(Product.is_active).is_(True), ~exists().where(col(report.product_id) == col(Product.id)))


def _require_known_category(session: Session, form: ProductForm) -> None:
    if session.get(Category, form.category) is None:
        raise InvalidInput({"category": CATEGORY_UNKNOWN})


def _duplicate_sku() -> InvalidInput:
    return InvalidInput({"sku": "Another product has this SKU."})


@contextmanager
def refusing_duplicate_sku(session: Session, refusal: StoreError) -> Iterator[None]:
    """Raise `refusal` if another product has the SKU. Errors of other constraints are bugs, and raised unchanged."""
    try:
        with session.begin_nested():
            yield
    except IntegrityError as error:
        message = str(error.orig).partition("\n")[0]  # without the values of the row, which PostgreSQL adds
        if not any(name in message for name in _SKU_CONSTRAINT):
            raise
        raise refusal from error


def _record_changes(session: Session, staff: User, product: Product, before: dict[str, Any]) -> None:
    """Audit the old and the new value of every fact that changed; of a long text, only that it changed."""
    after = snapshot(product)
    changed = {name: [before[name], after[name]] for name in after if before[name] != after[name]}
    if not changed:
        return
    product.updated_at = clock.now()
    session.add(product)
    details = {name: "changed" if name in LONG_TEXTS else pair for name, pair in changed.items()}
    _audit(session, staff, "product.edited", product, **details)


def _audit(session: Session, staff: User, action: str, product: Product, **details: Any) -> None:
    audit_log.append(session, staff, action, f"product:{product.id}", **details)
    announcements.publish(session, live.STAFF)
    announcements.publish(session, live.product(product.id))
