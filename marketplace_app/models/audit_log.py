"""The audit trail."""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON
from sqlmodel import Field, SQLModel

from marketplace_app.clock import now
from marketplace_app.models.base import UtcDateTime


class AuditEntry(SQLModel, table=True):
    """Append-only, each row sealed with the hash of the one before (a trigger refuses change and removal)."""

    __tablename__ = "audit_entries"

    id: int = Field(default=None, primary_key=True)
    created_at: datetime = Field(default_factory=now, index=True, sa_type=UtcDateTime)
    actor_id: int | None = Field(default=None, foreign_key="users.id", index=True)
    action: str = Field(index=True)
    subject: str = Field(index=True)
    details: dict[str, Any] = Field(default_factory=dict, sa_type=JSON)
    previous_hash: str
    hash: str = Field(unique=True)
