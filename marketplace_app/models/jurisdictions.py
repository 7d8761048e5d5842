"""The rules of states in dated versions, and what an order keeps of the rules that it was judged by."""

from datetime import date, datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import JSON, CheckConstraint, Index, UniqueConstraint, text
from sqlmodel import Field, SQLModel

from marketplace_app.models.base import TextEnum, UtcDateTime, one_of

_TWO_CHARACTERS_NONE_LOWER_CASE = "length(state) = 2 AND upper(state) = state"


class JurisdictionVersion(SQLModel, table=True):
    """A version of a state's rules. Triggers refuse every change but one: its review. A new law is a new row, because
    orders refer to the version they were judged by."""

    __tablename__ = "jurisdiction_versions"
    __table_args__ = (
        CheckConstraint(_TWO_CHARACTERS_NONE_LOWER_CASE, name="state_two_letters"),
        CheckConstraint("source <> ''", name="source_given"),
        CheckConstraint(
            "(reviewed_at IS NULL) = (choices IS NULL) AND (reviewed_by_id IS NULL OR reviewed_at IS NOT NULL)",
            name="review_is_whole",
        ),
        Index("ix_jurisdiction_versions_state_valid_from", "state", "valid_from", "id"),
    )

    id: int = Field(default=None, primary_key=True)
    state: str
    valid_from: date
    """In the store's time zone."""
    rules: dict[str, Any] = Field(sa_type=JSON)
    """A `RulesForm` in wire form."""
    source: str
    checked_on: date
    """The day on which whoever wrote the rules last compared them with `source`; an owner's review is `reviewed_at`."""
    created_at: datetime = Field(sa_type=UtcDateTime)
    choices: dict[str, int] | None = Field(default=None, sa_type=JSON(none_as_null=True))
    """For each line that was drafted with several values: its path, such as `vehicleValue`, and the index (from 0) of
    the value that the reviewer chose."""
    reviewed_by_id: int | None = Field(default=None, foreign_key="users.id", index=True)
    reviewed_at: datetime | None = Field(default=None, sa_type=UtcDateTime)


class ZipPlace(SQLModel, table=True):
    """Where a ZIP code is: filled by `load-zips`, and empty until then."""

    __tablename__ = "zip_places"
    __table_args__ = (
        CheckConstraint("length(zip_code) = 5 AND length(trim(zip_code, '0123456789')) = 0", name="zip_code_digits"),
        CheckConstraint(_TWO_CHARACTERS_NONE_LOWER_CASE, name="state_two_letters"),
        CheckConstraint("latitude BETWEEN -90 AND 90", name="latitude_range"),
        CheckConstraint("longitude BETWEEN -180 AND 180", name="longitude_range"),
    )

    zip_code: str = Field(primary_key=True)
    state: str
    latitude: float
    longitude: float


class OrderLegalRecord(SQLModel, table=True):
    """The version that an order was judged by, and what its rules require the store to keep."""

    __tablename__ = "order_legal_records"
    __table_args__ = (
        CheckConstraint("birth_date IS NULL OR COALESCE(keep_days, 0) > 0", name="birth_date_has_retention"),
        # Only birth dates that are still kept, which are few.
        Index(
            "ix_order_legal_records_birth_dates",
            "keep_days",
            "order_id",
            sqlite_where=text("birth_date IS NOT NULL"),
            postgresql_where=text("birth_date IS NOT NULL"),
        ),
    )

    order_id: str = Field(foreign_key="orders.id", primary_key=True, ondelete="CASCADE")
    version_id: int = Field(foreign_key="jurisdiction_versions.id", index=True)
    birth_date: date | None = None
    """For this record alone; no birth date is stored with a user."""
    keep_days: int | None = None
    """For how long after the order has ended the birth date is kept."""


class TaxKind(StrEnum):
    ADDED = "added"
    INCLUDED = "included"
    """The prices contain it."""


class OrderTax(SQLModel, table=True):
    """A tax of an order, as it was computed when the order was placed."""

    __tablename__ = "order_taxes"
    __table_args__ = (
        UniqueConstraint("order_id", "code"),  # its index also finds the taxes of the orders of a report
        CheckConstraint("amount_cents >= 0", name="amount_not_negative"),
        CheckConstraint("base_cents >= 0", name="base_not_negative"),
        CheckConstraint("basis_points BETWEEN 1 AND 10000", name="basis_points_range"),
        one_of("kind", TaxKind),
    )

    id: int = Field(default=None, primary_key=True)
    order_id: str = Field(foreign_key="orders.id", ondelete="CASCADE")
    position: int
    code: str
    label: str
    kind: TaxKind = Field(sa_type=TextEnum(TaxKind))
    basis_points: int
    base_cents: int
    amount_cents: int
