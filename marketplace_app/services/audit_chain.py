"""Checking the audit log: whether each entry's hash still covers its content and the entry before it."""

from typing import Any

from sqlalchemy import func, select
from sqlmodel import Session, col

from marketplace_app.models import AuditEntry, Counter
from marketplace_app.schemas.admin.audit import ChainBreak, ChainCheck
from marketplace_app.services import audit_log

BATCH = 2_000
_COLUMNS = [getattr(AuditEntry, name) for name in AuditEntry.model_fields]


def follow_all(session: Session) -> ChainCheck:
    """For callers that have checked who is acting."""
    checked = ChainCheck()
    while not checked.is_done:
        checked = follow(session, checked)
    return checked


def follow(session: Session, so_far: ChainCheck) -> ChainCheck:
    """Check one more batch and, after the last one, whether the entries end where the chain's head says."""
    rows = select(*_COLUMNS).where(col(AuditEntry.id) > so_far.after_id).order_by(col(AuditEntry.id)).limit(BATCH)
    batch = session.execute(rows).all()
    entries, last_id, last_hash = so_far.entries, so_far.after_id, so_far.hash
    for row in batch:
        if why := _fault(row, last_hash):
            return ChainCheck(entries, last_id, last_hash, ChainBreak(entry_id=row.id, why=why), is_done=True)
        entries, last_id, last_hash = entries + 1, row.id, row.hash
    if len(batch) == BATCH:
        return ChainCheck(entries, last_id, last_hash)
    return _compared_with_head(session, ChainCheck(entries, last_id, last_hash))


def _fault(row: Any, last_hash: str) -> str:
    if row.previous_hash != last_hash:
        return "It does not follow from the entry before it: one was removed, added or moved."
    if audit_log.seal(row) != row.hash:
        return "Its content does not match its hash."
    return ""


def _compared_with_head(session: Session, reached: ChainCheck) -> ChainCheck:
    """If an entry was added since the last batch, there is one more batch; that is no fault."""
    head = select(col(Counter.value), col(Counter.text_value)).where(col(Counter.name) == audit_log.AUDIT_HEAD)
    count, text = session.execute(head).one()
    if (count, text) == (reached.entries, reached.hash):
        return ChainCheck(reached.entries, reached.after_id, reached.hash, is_done=True)
    later = select(col(AuditEntry.id)).where(col(AuditEntry.id) > reached.after_id).limit(1)
    if session.execute(later).first() is not None:
        return reached
    why = f"The chain should end after {count:,} entries but ends after {reached.entries:,}."
    return ChainCheck(reached.entries, reached.after_id, reached.hash, ChainBreak(entry_id=None, why=why), is_done=True)


def fault_of_anchor(session: Session, count: int, sealed: str) -> str:
    """Why an intact chain is not the one that ended after `count` entries with this hash; empty if it is.

    The hashes have no secret key, so someone who can write to the table can make another intact chain, but not one that
    goes through a head that was saved elsewhere.
    """
    if not count:
        return ""
    entry_id = session.execute(select(col(AuditEntry.id)).where(col(AuditEntry.hash) == sealed)).scalar()
    if entry_id is not None:
        place = select(func.count()).select_from(AuditEntry).where(col(AuditEntry.id) <= entry_id)
        if session.execute(place).scalar_one() == count:
            return ""
    return (
        f"The chain is intact, but does not go through the anchored head of entry {count:,}:"
        " an entry up to there was changed, removed or added, or an older backup was restored."
    )
