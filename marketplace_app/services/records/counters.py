"""Counters in the database: numbers that are incremented without a race, and locks."""

from sqlalchemy import bindparam, select, update
from sqlmodel import Session

from marketplace_app.adapters import postgresql
from marketplace_app.models import Counter
from marketplace_app.models.base import table_of

ORDER_NUMBER = "order_number"
CATALOGUE = "catalogue"
"""The version of what the catalogue shows. Triggers in the database raise it with every change."""
SEARCH_WORDS = "search_words"
"""The version of the words that searches know. It stays the same when only stock or prices change."""
INVITATIONS, REFERRALS, SETTINGS, CASH = "invitations", "referrals", "settings", "cash"
"""These rows count nothing. A transaction locks one to keep others from changing the same things meanwhile."""
_COUNTERS = table_of(Counter)
_NEXT = (
    update(_COUNTERS)
    .where(_COUNTERS.c.name == bindparam("of"))
    .values(value=_COUNTERS.c.value + 1)
    .returning(_COUNTERS.c.value)
)
_VALUE = select(_COUNTERS.c.value).where(_COUNTERS.c.name == bindparam("of"))


def read(session: Session, name: str) -> int:
    return int(session.execute(_VALUE, {"of": name}).scalar_one())


def lock(session: Session, name: str) -> None:
    """Make other transactions that lock this counter wait until this one ends."""
    session.execute(select(_COUNTERS.c.name).where(_COUNTERS.c.name == name).with_for_update()).scalar_one()


def next_number(session: Session, name: str) -> int:
    """Increment a counter and return its new value.

    On PostgreSQL this commits by itself, since a transaction that incremented the counter would lock it until its end,
    and orders would wait for one another. So a number is lost if the caller's transaction fails.
    """
    connection = session.connection()
    if connection.dialect.name == "postgresql":
        return int(postgresql.write_separately(connection, _NEXT, {"of": name}))
    return int(connection.execute(_NEXT, {"of": name}).scalar_one())
