"""Cart lines: one product in a user's cart, with its quantity."""

from datetime import datetime

from sqlalchemy import CheckConstraint, UniqueConstraint
from sqlmodel import Field, SQLModel

from marketplace_app.clock import now
from marketplace_app.limits import MAX_LINE_QUANTITY
from marketplace_app.models.base import UtcDateTime


class CartLine(SQLModel, table=True):
    __tablename__ = "cart_lines"
    __table_args__ = (
        UniqueConstraint("user_id", "product_id"),
        CheckConstraint(f"quantity BETWEEN 1 AND {MAX_LINE_QUANTITY}", name="quantity_range"),
    )

    id: int = Field(default=None, primary_key=True)
    user_id: int = Field(foreign_key="users.id", ondelete="CASCADE")
    product_id: int = Field(foreign_key="products.id", ondelete="CASCADE", index=True)
    quantity: int
    added_at: datetime = Field(default_factory=now, sa_type=UtcDateTime)
