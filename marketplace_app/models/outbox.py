"""Emails waiting to be sent."""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, Index, text
from sqlmodel import Field, SQLModel

from marketplace_app.clock import now
from marketplace_app.models.base import UtcDateTime


class OutboxMessage(SQLModel, table=True):
    """Mail that was queued in a transaction; a worker sends it after the commit."""

    __tablename__ = "outbox"
    __table_args__ = (
        Index(
            "ix_outbox_waiting",
            "next_attempt_at",
            sqlite_where=text("sent_at IS NULL"),
            postgresql_where=text("sent_at IS NULL"),
        ),
    )

    id: int = Field(default=None, primary_key=True)
    kind: str
    recipient: str
    payload: dict[str, Any] = Field(default_factory=dict, sa_type=JSON)
    created_at: datetime = Field(default_factory=now, sa_type=UtcDateTime)
    attempts: int = 0
    next_attempt_at: datetime = Field(default_factory=now, sa_type=UtcDateTime)
    sent_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
