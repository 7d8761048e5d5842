"""Who may drive a run, and which orders they may not deliver (RULE runs)."""

from sqlalchemy import select
from sqlmodel import Session, col

from marketplace_app.errors import InvalidInput
from marketplace_app.models import PERMISSIONS, Order, Permission, Role, User
from marketplace_app.schemas.dispatch.runs import PersonRef
from marketplace_app.services.accounts import author_name, may_drive, require
from marketplace_app.services.buying import fulfilment

_DRIVER_ROLES = [role for role in Role if Permission.DRIVE in PERMISSIONS[role]]


class DriversOwnOrder(fulfilment.OwnOrder):
    def __init__(self, number: int) -> None:
        super().__init__(f"Order {number} is the driver's own, or earns them credit. Choose another driver for it.")


def list_all(session: Session, actor: User | None) -> tuple[PersonRef, ...]:
    """Everybody who may drive, by name."""
    require(actor, Permission.SEE_DISPATCH)
    statement = select(User).where(
        col(User.role).in_(_DRIVER_ROLES), col(User.deleted_at).is_(None), col(User.banned_at).is_(None)
    )
    drivers = [PersonRef(id=user.id, name=author_name(user)) for user in session.execute(statement).scalars()]
    return tuple(sorted(drivers, key=lambda each: (each.name.casefold(), each.id)))


def find(session: Session, user_id: int) -> User:
    """Raises InvalidInput for somebody who may not drive."""
    driver = session.get(User, user_id)
    if driver is None or not may_drive(driver):
        raise InvalidInput({"driverId": "Choose somebody who may drive."})
    return driver


def require_not_own(order: Order, driver: User) -> None:
    """Drivers do not deliver their own order, or one that earns them credit; owners may (RULE runs)."""
    if driver.id in (order.user_id, order.referrer_id) and driver.role is not Role.OWNER:
        raise DriversOwnOrder(order.number)
