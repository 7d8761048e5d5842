"""'Tell me when it's back': users are told in the order in which they asked, each once (RULE stock-alerts).

How many are told at a time depends on how many units are in stock.
"""

from datetime import timedelta

from sqlalchemy import ColumnElement, func, select
from sqlmodel import Session, col

from marketplace_app import clock
from marketplace_app.adapters import live
from marketplace_app.errors import Conflict, NotFound
from marketplace_app.limits import MAX_STOCK_ALERTS
from marketplace_app.messages import PRODUCT_NOT_FOUND
from marketplace_app.models import Product, StockAlert, User
from marketplace_app.schemas.buying.saved import StockAlertView
from marketplace_app.schemas.products.products import COLUMNS, view_of_row
from marketplace_app.services.accounts import lock, require_shopper, require_signed_in
from marketplace_app.services.records import announcements, outbox

MAX_ALERTS_PER_UNIT = 2
"""How many users are notified per unit in stock, since not all of them buy."""
COUNTED_FOR = timedelta(days=2)
"""How long notified users count against the stock. After that, what is left is offered to the next ones."""
_WAITS = col(StockAlert.told_at).is_(None)
_AWAITED = select(*[getattr(Product, name) for name in COLUMNS]).join(
    StockAlert, col(StockAlert.product_id) == col(Product.id)
)


class InStock(Conflict):
    code = "in_stock"
    message = "This product is in stock. You can order it now."


class TooManyAlerts(Conflict):
    code = "too_many_alerts"
    message = f"You can wait for up to {MAX_STOCK_ALERTS} products. Please remove one first."


def list_own(session: Session, actor: User | None) -> tuple[StockAlertView, ...]:
    """The products that the caller waits for, the newest first; also of a user who may no longer shop."""
    user = require_signed_in(actor)
    own = _AWAITED.where(col(StockAlert.user_id) == user.id, _WAITS).order_by(col(StockAlert.id).desc())
    return tuple(StockAlertView(view_of_row(row), row.is_active) for row in session.execute(own))


def is_waiting(session: Session, actor: User | None, product_id: int) -> bool:
    shopper = require_shopper(actor)
    return _find(session, shopper, product_id) is not None


def ask(session: Session, actor: User | None, product_id: int) -> None:
    """Asking again changes nothing. Raises NotFound, InStock, TooManyAlerts."""
    shopper = lock(session, require_shopper(actor))
    product = session.get(Product, product_id)
    if product is None or not product.is_active:
        raise NotFound(PRODUCT_NOT_FOUND)
    if product.available:
        raise InStock()
    if _find(session, shopper, product_id) is not None:
        return
    statement = select(func.count()).select_from(StockAlert).where(col(StockAlert.user_id) == shopper.id, _WAITS)
    if session.execute(statement).scalar_one() >= MAX_STOCK_ALERTS:
        raise TooManyAlerts()
    session.add(StockAlert(user_id=shopper.id, product_id=product_id))
    session.flush()
    announcements.publish(session, live.user(shopper.id))


def cancel(session: Session, actor: User | None, product_id: int) -> None:
    """Without an alert, nothing changes. Whoever may no longer shop may cancel too."""
    user = lock(session, require_signed_in(actor))
    alert = _find(session, user, product_id)
    if alert is not None:
        session.delete(alert)
        session.flush()
        announcements.publish(session, live.user(user.id))


def list_due(session: Session) -> list[int]:
    """The ids of products in stock that users wait for."""
    statement = (
        select(col(StockAlert.product_id))
        .join(Product, col(Product.id) == col(StockAlert.product_id))
        .where(_WAITS, _is_back())
        .distinct()
        .order_by(col(StockAlert.product_id))
    )
    return list(session.execute(statement).scalars())


def queue_mail(session: Session, product_id: int) -> int:
    """Queue mails for those whose turn it is; returns how many. Locks the product's row against other processes."""
    locked = select(Product).where(col(Product.id) == product_id, _is_back()).with_for_update()
    product: Product | None = session.execute(locked).scalar_one_or_none()
    if product is None:
        return 0
    at = clock.now()
    recent = select(func.count()).where(
        col(StockAlert.product_id) == product_id, col(StockAlert.told_at) > at - COUNTED_FOR
    )
    quota = MAX_ALERTS_PER_UNIT * product.stock - session.execute(recent).scalar_one()
    waiting = (
        select(StockAlert, col(User.email))
        .join(User, col(User.id) == col(StockAlert.user_id))
        .where(
            col(StockAlert.product_id) == product_id,
            _WAITS,
            col(User.banned_at).is_(None),
            col(User.deleted_at).is_(None),
        )
        .order_by(col(StockAlert.id))
        .limit(max(0, quota))
        .with_for_update(of=StockAlert)  # one that is cancelled meanwhile is mailed before that or not at all
    )
    due = session.execute(waiting).all()
    for alert, email in due:
        alert.told_at = at
        session.add(alert)
        outbox.add(session, "back_in_stock", email, product_id=product_id)
    return len(due)


def _is_back() -> ColumnElement[bool]:
    return col(Product.is_active).is_(True) & (col(Product.stock) > 0)


def _find(session: Session, user: User, product_id: int) -> StockAlert | None:
    statement = select(StockAlert).where(
        col(StockAlert.user_id) == user.id, col(StockAlert.product_id) == product_id, _WAITS
    )
    found: StockAlert | None = session.execute(statement).scalar_one_or_none()
    return found
