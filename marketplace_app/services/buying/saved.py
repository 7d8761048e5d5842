"""A user's saved products, newest first. Products that are no longer sold stay until they are removed."""

from sqlalchemy import func, select
from sqlmodel import Session, col

from marketplace_app import clock
from marketplace_app.adapters import live
from marketplace_app.errors import Conflict, NotFound
from marketplace_app.limits import MAX_SAVED_PRODUCTS
from marketplace_app.messages import PRODUCT_NOT_FOUND
from marketplace_app.models import Product, SavedProduct, User
from marketplace_app.schemas.buying.saved import SavedView, SaveForm
from marketplace_app.schemas.products.products import COLUMNS, view_of, view_of_row
from marketplace_app.services.accounts import lock, require_shopper, require_signed_in
from marketplace_app.services.records import announcements

_ROWS = select(*[getattr(Product, name) for name in COLUMNS], col(SavedProduct.saved_at)).join(
    SavedProduct, col(SavedProduct.product_id) == col(Product.id)
)


class TooManySaved(Conflict):
    code = "too_many_saved"
    message = f"You can save up to {MAX_SAVED_PRODUCTS} products. Please remove one first."


def list_own(session: Session, actor: User | None) -> tuple[SavedView, ...]:
    """Also of a user who may no longer shop (RULE access-mode)."""
    user = require_signed_in(actor)
    own = _ROWS.where(col(SavedProduct.user_id) == user.id).order_by(col(SavedProduct.id).desc())
    return tuple(SavedView(view_of_row(row[:-1]), row.is_active, row.saved_at) for row in session.execute(own))


def list_ids(session: Session, actor: User | None) -> tuple[int, ...]:
    """The ids of the saved products; none for a guest."""
    if actor is None:
        return ()
    statement = select(col(SavedProduct.product_id)).where(col(SavedProduct.user_id) == actor.id)
    return tuple(session.execute(statement).scalars())


def save(session: Session, actor: User | None, form: SaveForm) -> SavedView:
    """Saving a product again changes nothing. Raises NotFound, TooManySaved."""
    shopper = lock(session, require_shopper(actor))
    product = session.get(Product, form.product_id)
    if product is None or not product.is_active:
        raise NotFound(PRODUCT_NOT_FOUND)
    row = _find(session, shopper.id, form.product_id)
    if row is None:
        count = select(func.count()).select_from(SavedProduct).where(col(SavedProduct.user_id) == shopper.id)
        if session.execute(count).scalar_one() >= MAX_SAVED_PRODUCTS:
            raise TooManySaved()
        row = SavedProduct(user_id=shopper.id, product_id=form.product_id, saved_at=clock.now())
        session.add(row)
        session.flush()
        _publish(session, shopper.id)
    return SavedView(view_of(product), product.is_active, row.saved_at)


def remove(session: Session, actor: User | None, product_id: int) -> None:
    """Removing a product that is not saved changes nothing. Whoever may no longer shop may remove too."""
    user = lock(session, require_signed_in(actor))
    row = _find(session, user.id, product_id)
    if row is not None:
        session.delete(row)
        session.flush()
        _publish(session, user.id)


def _publish(session: Session, user_id: int) -> None:
    announcements.publish(session, live.user(user_id))
    announcements.publish(session, live.cart(user_id))


def _find(session: Session, user_id: int, product_id: int) -> SavedProduct | None:
    statement = select(SavedProduct).where(
        col(SavedProduct.user_id) == user_id, col(SavedProduct.product_id) == product_id
    )
    found: SavedProduct | None = session.execute(statement).scalar_one_or_none()
    return found
