"""What all tables share: names of constraints, UTC times, enum columns.

Ids that the database assigns are declared `id: int = Field(default=None, ...)`: a row has one from its first flush on,
and services never use it earlier.
"""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from enum import StrEnum
from functools import lru_cache
from typing import Any, TypeVar, cast

from sqlalchemy import CheckConstraint, Dialect, Insert, Table, insert, inspect
from sqlalchemy.orm import QueryableAttribute, make_transient_to_detached
from sqlalchemy.types import DateTime, String, TypeDecorator
from sqlmodel import Session, SQLModel

Row = TypeVar("Row", bound=SQLModel)

SQLModel.metadata.naming_convention = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}


class UtcDateTime(TypeDecorator[datetime]):
    """Takes datetimes with a time zone and returns them in UTC; SQLite by itself would lose the zone."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a moment needs a time zone")
        return value.astimezone(UTC)

    def process_result_value(self, value: Any, dialect: Dialect) -> datetime | None:
        if not isinstance(value, datetime):
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class TextEnum(TypeDecorator[StrEnum]):
    """A StrEnum stored as text, to be used with `one_of`: a database's own enum type would be hard to change."""

    impl = String
    cache_ok = True

    def __init__(self, members: type[StrEnum]) -> None:
        super().__init__()
        self.members = members

    def process_bind_param(self, value: Any, dialect: Dialect) -> str | None:
        return None if value is None else self.members(value).value

    def process_result_value(self, value: Any, dialect: Dialect) -> StrEnum | None:
        return None if value is None else self.members(value)


Folded = String().with_variant(String(collation="C"), "postgresql")
"""Text compared by code point in every database; PostgreSQL would otherwise sort by the locale of its cluster."""


def one_of(column: str, values: type[StrEnum] | tuple[str, ...]) -> CheckConstraint:
    """A constraint that lists the allowed values."""
    listed = ", ".join("'" + str(value).replace("'", "''") + "'" for value in values)
    return CheckConstraint(f"{column} IN ({listed})", name=f"{column}_known")


def table_of(model: type[SQLModel]) -> Table:
    """For statements without the ORM: bulk inserts and exports."""
    return SQLModel.metadata.tables[str(model.__tablename__)]


def attach(session: Session, model: type[Row], columns: Mapping[str, Any]) -> Row:
    """Make the object of a row that was read without the ORM: this takes half as long as reading it with the ORM.

    `columns` has all columns of the row. Raises InvalidRequestError if the session already has an object of this row.
    """
    row: Row = inspect(model).class_manager.new_instance()
    row.__dict__.update(columns)
    make_transient_to_detached(row)
    session.add(row)
    return row


def insert_rows(session: Session, model: type[SQLModel], rows: Sequence[Mapping[str, Any]]) -> None:
    """Insert rows that nothing reads back as objects, in one statement: a third of what adding objects costs.

    All rows give the same columns; columns that they leave out get the model's defaults. Unknown columns are an error.
    """
    if rows:
        # The driver of PostgreSQL has a slower way for several rows, which it also takes for a list of one.
        session.connection().execute(_insert(model), rows if len(rows) > 1 else rows[0])


@lru_cache
def _insert(model: type[SQLModel]) -> Insert:
    return insert(table_of(model))


def related(relationship: object) -> QueryableAttribute[Any]:
    """A relationship as the attribute that `selectinload` and `joinedload` take.

    Only for mypy: SQLModel annotates `Order.lines` as a list, although on the class it is an attribute of SQLAlchemy.
    """
    return cast("QueryableAttribute[Any]", relationship)
