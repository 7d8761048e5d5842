"""Saved delivery addresses: at most ten per user, one of them the default."""

from datetime import datetime

from sqlalchemy import CheckConstraint, Index, UniqueConstraint, text
from sqlmodel import Field, SQLModel

from marketplace_app.clock import now
from marketplace_app.limits import MAX_ADDRESSES
from marketplace_app.models.base import UtcDateTime


class Address(SQLModel, table=True):
    """A user's addresses are numbered by `place`, so that the database itself allows no eleventh."""

    __tablename__ = "addresses"
    __table_args__ = (
        UniqueConstraint("user_id", "place"),
        CheckConstraint(f"place BETWEEN 1 AND {MAX_ADDRESSES}", name="place_range"),
        CheckConstraint("street <> '' AND city <> '' AND state <> '' AND zip_code <> ''", name="is_whole"),
        Index(
            "uq_addresses_default",
            "user_id",
            unique=True,
            sqlite_where=text("is_default"),
            postgresql_where=text("is_default"),
        ),
    )

    id: int = Field(default=None, primary_key=True)
    user_id: int = Field(foreign_key="users.id", ondelete="CASCADE")
    place: int
    """Its number in the address book, from 1 to `MAX_ADDRESSES`."""
    label: str = ""
    """`Home`, `My sister's`; may be empty."""
    street: str
    city: str
    state: str
    zip_code: str
    delivery_instructions: str = ""
    payment_instructions: str = ""
    is_default: bool = False
    created_at: datetime = Field(default_factory=now, sa_type=UtcDateTime)
