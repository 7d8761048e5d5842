"""Queues emails in the transaction whose changes they report, and finds those that were not sent."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Select, func, select
from sqlmodel import Session, col

from marketplace_app import clock
from marketplace_app.adapters import live
from marketplace_app.limits import MAIL_RETRY_MINUTES
from marketplace_app.models import OutboxMessage
from marketplace_app.models.base import insert_rows
from marketplace_app.services.records import announcements, audit_log

_IS_UNSENT = col(OutboxMessage.sent_at).is_(None)


class Unsent(NamedTuple):
    waiting: int
    oldest: datetime | None
    """When the oldest waiting message was queued."""
    given_up: int
    """How many have failed at their last try."""


def add(session: Session, kind: str, recipient: str, **payload: Any) -> None:
    """Queue an email; it is sent after the commit or not at all."""
    insert_rows(session, OutboxMessage, [{"kind": kind, "recipient": recipient, "payload": payload}])
    announcements.publish(session, live.OUTBOX)


def count_unsent(session: Session) -> Unsent:
    waiting = select(func.count(), func.min(col(OutboxMessage.created_at))).where(_IS_UNSENT, ~_is_given_up())
    count, oldest = session.execute(waiting).one()
    given_up_count = session.execute(select(func.count()).where(_IS_UNSENT, _is_given_up())).scalar_one()
    return Unsent(count, oldest, given_up_count)


def list_given_up(session: Session) -> Sequence[OutboxMessage]:
    """The messages that have failed at their last try, the oldest first."""
    return session.execute(_all_given_up()).scalars().all()


def resend(session: Session, ids: Collection[int] | None) -> int:
    """Queue the given-up messages again, each with its full number of tries; with `ids`, only these. Returns how many.

    Messages that are not given up are left alone. Raises LookupError, with the ids in its text, if some do not exist.
    """
    statement = _all_given_up()
    if ids is not None:
        found = session.execute(select(col(OutboxMessage.id)).where(col(OutboxMessage.id).in_(ids))).scalars()
        if unknown := sorted(set(ids).difference(found)):
            raise LookupError(", ".join(map(str, unknown)))
        statement = statement.where(col(OutboxMessage.id).in_(ids))
    rows = session.execute(statement.with_for_update()).scalars().all()
    for row in rows:
        row.attempts, row.next_attempt_at = 0, clock.now()
        session.add(row)
    if rows:
        announcements.publish(session, live.OUTBOX)
        audit_log.append(session, None, "mail.resent", "mail", count=len(rows))
    return len(rows)


def _all_given_up() -> Select[OutboxMessage]:
    return select(OutboxMessage).where(_IS_UNSENT, _is_given_up()).order_by(col(OutboxMessage.id))


def _is_given_up() -> ColumnElement[bool]:
    """Whether a message has had its last try, and the claim for that try has run out.

    During a try, `next_attempt_at` is the time at which the claim runs out. The last failure does not change it, so a
    message counts as given up only some time after it has failed.
    """
    had_last_try = col(OutboxMessage.attempts) > len(MAIL_RETRY_MINUTES)
    return had_last_try & (col(OutboxMessage.next_attempt_at) <= clock.now())
