"""What somebody wants to find again."""

from datetime import datetime

from sqlalchemy import UniqueConstraint
from sqlmodel import Field, SQLModel

from marketplace_app.clock import now
from marketplace_app.models.base import UtcDateTime


class SavedProduct(SQLModel, table=True):
    __tablename__ = "saved_products"
    __table_args__ = (UniqueConstraint("user_id", "product_id"),)

    id: int | None = Field(default=None, primary_key=True)
    user_id: int = Field(foreign_key="users.id", ondelete="CASCADE")
    product_id: int = Field(foreign_key="products.id", ondelete="CASCADE", index=True)
    saved_at: datetime = Field(default_factory=now, sa_type=UtcDateTime)
