"""Changes of the shop's settings: what was set, by whom and why. The newest change of a setting applies."""

from datetime import datetime

from sqlalchemy import CheckConstraint, Index
from sqlmodel import Field, SQLModel

from marketplace_app.clock import now
from marketplace_app.models.base import UtcDateTime


class ShopSetting(SQLModel, table=True):
    """One change of one setting. Append-only (a trigger refuses change and removal)."""

    __tablename__ = "shop_settings"
    __table_args__ = (
        Index("ix_shop_settings_name", "name", "id"),
        CheckConstraint("name <> ''", name="name_given"),
        CheckConstraint("reason <> ''", name="reason_given"),
        CheckConstraint("value >= 0", name="value_not_negative"),
    )

    id: int = Field(default=None, primary_key=True)
    name: str
    """A field of `schemas.settings.ShopSettings`."""
    previous: int
    value: int
    """Cents, percent, hours or days; 0 or 1 for no or yes."""
    reason: str
    actor_id: int | None = Field(default=None, foreign_key="users.id")
    created_at: datetime = Field(default_factory=now, sa_type=UtcDateTime)
