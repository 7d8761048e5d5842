"""Delivery zones: where the shop delivers, and on which terms. A store without zones delivers everywhere."""

from sqlalchemy import CheckConstraint, UniqueConstraint
from sqlmodel import Field, SQLModel

from marketplace_app.limits import MAX_ZONE_NAME


class Zone(SQLModel, table=True):
    """Where an amount is NULL, the shop's amount applies (RULE zone-terms)."""

    __tablename__ = "zones"
    __table_args__ = (
        UniqueConstraint("name"),
        CheckConstraint(f"length(name) BETWEEN 1 AND {MAX_ZONE_NAME}", name="name_length"),
        CheckConstraint("fee_cents >= 0", name="fee_not_negative"),
        CheckConstraint("minimum_cents >= 0", name="minimum_not_negative"),
        CheckConstraint("free_from_cents >= 0", name="free_from_not_negative"),
    )

    id: int = Field(default=None, primary_key=True)
    name: str
    fee_cents: int | None = None
    minimum_cents: int | None = None
    free_from_cents: int | None = None
    """The subtotal from which delivery is free."""


class ZoneZip(SQLModel, table=True):
    """A ZIP code is the key, so it is in one zone at most."""

    __tablename__ = "zone_zips"
    __table_args__ = (
        # The databases match patterns differently (GLOB, ~). Trimming works in both: of digits alone, nothing is left.
        CheckConstraint("length(zip_code) = 5 AND length(trim(zip_code, '0123456789')) = 0", name="zip_code_digits"),
    )

    zip_code: str = Field(primary_key=True)
    zone_id: int = Field(foreign_key="zones.id", ondelete="CASCADE", index=True)
