"""Queues emails in the transaction that they are about."""

from typing import Any

from sqlmodel import Session

from marketplace_app.adapters import live
from marketplace_app.models import OutboxMessage
from marketplace_app.models.base import insert_rows
from marketplace_app.services import events


def add(session: Session, kind: str, recipient: str, **payload: Any) -> None:
    """Queue an email; it is sent after the commit or not at all."""
    insert_rows(session, OutboxMessage, [{"kind": kind, "recipient": recipient, "payload": payload}])
    events.publish(session, live.OUTBOX)
