"""Saved products and stock alerts."""

from datetime import datetime

from sqlalchemy import Index, UniqueConstraint, text
from sqlmodel import Field, SQLModel

from marketplace_app.clock import now
from marketplace_app.models.base import UtcDateTime


class SavedProduct(SQLModel, table=True):
    __tablename__ = "saved_products"
    __table_args__ = (UniqueConstraint("user_id", "product_id"),)

    id: int = Field(default=None, primary_key=True)
    user_id: int = Field(foreign_key="users.id", ondelete="CASCADE")
    product_id: int = Field(foreign_key="products.id", ondelete="CASCADE", index=True)
    saved_at: datetime = Field(default_factory=now, sa_type=UtcDateTime)


class StockAlert(SQLModel, table=True):
    """A user waits for a product to be back in stock. The row stays after the notice, so that it can be counted."""

    __tablename__ = "stock_alerts"
    __table_args__ = (
        Index("ix_stock_alerts_product_id", "product_id", "told_at"),
        Index(
            "uq_stock_alerts_waiting",
            "user_id",
            "product_id",
            unique=True,
            sqlite_where=text("told_at IS NULL"),
            postgresql_where=text("told_at IS NULL"),
        ),
    )

    id: int = Field(default=None, primary_key=True)
    user_id: int = Field(foreign_key="users.id", ondelete="CASCADE")
    product_id: int = Field(foreign_key="products.id", ondelete="CASCADE")
    asked_at: datetime = Field(default_factory=now, sa_type=UtcDateTime)
    told_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    """When the user was notified; None while they wait."""
