"""What all tables share: constraint names, UTC moments, enum columns.

Numbers that the database gives are declared `id: int = Field(default=None, ...)`: a row has one from its first flush
on, and services never see it before.
"""

from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, cast

from sqlalchemy import CheckConstraint, Dialect, Table
from sqlalchemy.orm import QueryableAttribute
from sqlalchemy.types import DateTime, String, TypeDecorator
from sqlmodel import SQLModel

SQLModel.metadata.naming_convention = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}


class UtcDateTime(TypeDecorator[datetime]):
    """Aware datetimes in, aware UTC datetimes out; SQLite by itself would lose the zone."""

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
    """A StrEnum kept as its text, with `one_of` beside it: a database's own enum type would be hard to change."""

    impl = String
    cache_ok = True

    def __init__(self, members: type[StrEnum]) -> None:
        super().__init__()
        self.members = members

    def process_bind_param(self, value: Any, dialect: Dialect) -> str | None:
        return None if value is None else self.members(value).value

    def process_result_value(self, value: Any, dialect: Dialect) -> StrEnum | None:
        return None if value is None else self.members(value)


# Compared by code point everywhere; PostgreSQL would otherwise sort by the locale of its cluster.
Folded = String().with_variant(String(collation="C"), "postgresql")


def one_of(column: str, values: type[StrEnum] | tuple[str, ...]) -> CheckConstraint:
    """The database's own list of allowed values."""
    listed = ", ".join("'" + str(value).replace("'", "''") + "'" for value in values)
    return CheckConstraint(f"{column} IN ({listed})", name=f"{column}_known")


def table_of(model: type[SQLModel]) -> Table:
    """For statements that go past the objects: bulk inserts and exports."""
    return SQLModel.metadata.tables[str(model.__tablename__)]


def related(relationship: object) -> QueryableAttribute[Any]:
    """For `selectinload`: `related(Order.lines)`. SQLModel's annotation says what a row has, a list."""
    return cast("QueryableAttribute[Any]", relationship)
