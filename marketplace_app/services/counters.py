"""Numbers that follow one another without a race."""

from sqlalchemy import select, update
from sqlmodel import Session, col

from marketplace_app.models import Counter

ORDER_NUMBER = "order_number"
CATALOGUE = "catalogue"
_CATALOGUE_VERSION = select(col(Counter.value)).where(col(Counter.name) == CATALOGUE)


def catalogue_version(session: Session) -> int:
    """Grows with whatever changes what the catalogue answers; the database's own triggers see to it."""
    return int(session.execute(_CATALOGUE_VERSION).scalar_one())


def lock_catalogue(session: Session) -> None:
    """Make other changes of the catalogue wait until this transaction ends."""
    session.execute(_CATALOGUE_VERSION.with_for_update()).scalar_one()


def next_number(session: Session, name: str) -> int:
    """The next of a row of numbers. Holds the counter until the transaction ends: call it late."""
    statement = update(Counter).where(col(Counter.name) == name).values(value=Counter.value + 1)
    return int(session.execute(statement.returning(col(Counter.value))).scalar_one())
