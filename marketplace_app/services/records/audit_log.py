"""Writes the audit trail: an append-only chain of hashes, in the same transaction as what is audited."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Row, bindparam, select, update
from sqlmodel import Session, col

from marketplace_app import clock
from marketplace_app.models import AuditEntry, Counter, User
from marketplace_app.models.base import insert_rows, table_of

AUDIT_HEAD = "audit_head"


class Head(NamedTuple):
    entry_id: int
    hash: str


EMPTY_HEAD = Head(0, "")
_COUNTERS = table_of(Counter)
_IS_HEAD = _COUNTERS.c.name == AUDIT_HEAD
_LOCKED_HEAD = select(_COUNTERS.c.text_value).where(_IS_HEAD).with_for_update()
_MOVE_HEAD = (
    update(_COUNTERS).where(_IS_HEAD).values(value=_COUNTERS.c.value + bindparam("count"), text_value=bindparam("hash"))
)


def append(session: Session, actor: User | None, action: str, subject: str, **details: Any) -> None:
    """Append to the chain: each entry's hash covers its content and the hash of the one before."""
    entry = {
        "created_at": clock.now(),
        "actor_id": actor.id if actor else None,
        "action": action,
        "subject": subject,
        "details": details,
    }
    append_many(session, [entry])


def append_many(session: Session, entries: Sequence[Mapping[str, Any]]) -> None:
    """The same for several entries at once, given as rows without hashes."""
    session.flush()  # everything else is written, and so locked, before the head of the trail
    connection = session.connection()
    previous = connection.execute(_LOCKED_HEAD).scalar_one()
    rows = []
    for entry in entries:
        row = dict(entry) | {"previous_hash": previous}
        row["hash"] = previous = _hash_of(**row)
        rows.append(row)
    insert_rows(session, AuditEntry, rows)
    connection.execute(_MOVE_HEAD, {"count": len(rows), "hash": previous})


def head(session: Session) -> Head:
    """The newest entry. It changes with every order placed, changed or deleted, and with everything that staff do.

    Entries are written one transaction after another, so one with a smaller id never appears later.
    """
    columns = (col(AuditEntry.id), col(AuditEntry.hash))
    newest = session.execute(select(*columns).order_by(col(AuditEntry.id).desc()).limit(1)).one_or_none()
    return Head(*newest) if newest else EMPTY_HEAD


def contains(session: Session, known: Head) -> bool:
    """Whether the trail still has the entry `known`. False if another database was restored after it was read."""
    entry = (col(AuditEntry.id) == known.entry_id, col(AuditEntry.hash) == known.hash)
    return known == EMPTY_HEAD or session.execute(select(col(AuditEntry.id)).where(*entry)).first() is not None


def seal(entry: AuditEntry | Row[Any]) -> str:
    """The hash an entry must carry."""
    return _hash_of(entry.created_at, entry.actor_id, entry.action, entry.subject, entry.details, entry.previous_hash)


def _hash_of(
    created_at: datetime,
    actor_id: int | None,
    action: str,
    subject: str,
    details: Mapping[str, Any],
    previous_hash: str,
) -> str:
    sealed = {
        "at": created_at.isoformat(),
        "actor": actor_id,
        "action": action,
        "subject": subject,
        "details": details,
        "previous": previous_hash,
    }
    return hashlib.sha256(json.dumps(sealed, sort_keys=True, separators=(",", ":")).encode()).hexdigest()
