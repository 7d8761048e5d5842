"""Writing the audit log: an append-only chain of hashes, in the transaction of what it tells of."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Row, insert, select
from sqlmodel import Session, col

from marketplace_app import clock
from marketplace_app.models import AuditEntry, Counter, User
from marketplace_app.models.base import table_of

AUDIT_HEAD = "audit_head"


class Head(NamedTuple):
    entry: int
    hash: str


NOTHING_YET = Head(0, "")


def append(session: Session, actor: User | None, action: str, subject: str, **details: Any) -> AuditEntry:
    """Append to the chain: each entry's hash covers its own words and the hash before it."""
    head = _lock_head(session)
    entry = AuditEntry(
        created_at=clock.now(),
        actor_id=actor.id if actor else None,
        action=action,
        subject=subject,
        details=details,
        previous_hash=head.text_value,
        hash="",
    )
    entry.hash = seal(entry)
    head.text_value, head.value = entry.hash, head.value + 1
    session.add(entry)
    session.add(head)
    return entry


def append_many(session: Session, entries: Sequence[Mapping[str, Any]]) -> None:
    """The same for very many at once, as rows without hashes."""
    head, rows = _lock_head(session), []
    for entry in entries:
        row = dict(entry) | {"previous_hash": head.text_value}
        head.text_value = row["hash"] = _seal(**row)
        rows.append(row)
    head.value += len(rows)
    session.add(head)
    session.connection().execute(insert(table_of(AuditEntry)), rows)


def head(session: Session) -> Head:
    """The newest entry: another one after every order placed, changed or deleted and after whatever staff do.

    Entries are written one transaction after another, so one with a smaller number never appears later.
    """
    columns = (col(AuditEntry.id), col(AuditEntry.hash))
    newest = session.execute(select(*columns).order_by(col(AuditEntry.id).desc()).limit(1)).one_or_none()
    return Head(*newest) if newest else NOTHING_YET


def holds(session: Session, known: Head) -> bool:
    """Whether this is still the trail that `known` was read from: a restored database has another one."""
    is_known = (col(AuditEntry.id) == known.entry, col(AuditEntry.hash) == known.hash)
    return known == NOTHING_YET or session.execute(select(col(AuditEntry.id)).where(*is_known)).first() is not None


def seal(entry: AuditEntry | Row[Any]) -> str:
    """The hash an entry must carry."""
    return _seal(entry.created_at, entry.actor_id, entry.action, entry.subject, entry.details, entry.previous_hash)


def _seal(
    created_at: datetime,
    actor_id: int | None,
    action: str,
    subject: str,
    details: Mapping[str, Any],
    previous_hash: str,
) -> str:
    words = {
        "at": created_at.isoformat(),
        "actor": actor_id,
        "action": action,
        "subject": subject,
        "details": details,
        "previous": previous_hash,
    }
    return hashlib.sha256(json.dumps(words, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def _lock_head(session: Session) -> Counter:
    head: Counter = session.execute(
        select(Counter)
        .where(col(Counter.name) == AUDIT_HEAD)
        .with_for_update()
        .execution_options(populate_existing=True)
    ).scalar_one()
    return head
