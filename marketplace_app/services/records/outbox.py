"""Queues emails in the transaction that they are about, and counts those that were not sent."""

from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import func, select
from sqlmodel import Session, col

from marketplace_app import clock
from marketplace_app.adapters import live
from marketplace_app.limits import MAIL_RETRY_MINUTES
from marketplace_app.models import OutboxMessage
from marketplace_app.models.base import insert_rows
from marketplace_app.services.records import announcements


class Unsent(NamedTuple):
    waiting: int
    oldest: datetime | None
    """When the oldest of those that wait was queued."""
    given_up: int
    """Tried for the last time, in vain."""


def add(session: Session, kind: str, recipient: str, **payload: Any) -> None:
    """Queue an email; it is sent after the commit or not at all."""
    insert_rows(session, OutboxMessage, [{"kind": kind, "recipient": recipient, "payload": payload}])
    announcements.publish(session, live.OUTBOX)


def unsent(session: Session) -> Unsent:
    is_unsent = col(OutboxMessage.sent_at).is_(None)
    was_last = col(OutboxMessage.attempts) > len(MAIL_RETRY_MINUTES)
    is_given_up = was_last & (col(OutboxMessage.next_attempt_at) <= clock.now())
    waiting = select(func.count(), func.min(col(OutboxMessage.created_at))).where(is_unsent, ~is_given_up)
    count, oldest = session.execute(waiting).one()
    given_up = session.execute(select(func.count()).where(is_unsent, is_given_up)).scalar_one()
    return Unsent(count, oldest, given_up)
