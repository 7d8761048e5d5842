"""Checking the audit trail: whether each entry's hash still covers its content and the entry before it."""

from typing import Any

from sqlalchemy import func, select
from sqlmodel import Session, col

from marketplace_app.models import AuditEntry, Counter
from marketplace_app.schemas.admin.audit import CHAIN_START, ChainAnswer, ChainBreak
from marketplace_app.services.records import audit_log

BATCH = 2_000
_COLUMNS = [getattr(AuditEntry, name) for name in AuditEntry.model_fields]


def check_all(session: Session) -> ChainAnswer:
    """For callers that have checked who is acting."""
    return _check_from(session, CHAIN_START)


def check_newest(session: Session, limit: int) -> ChainAnswer:
    """Check only the newest `limit` entries.

    How many entries come before them is the count in the chain's head, less `limit`: ids cannot tell, because they have
    gaps (PostgreSQL does not assign an id again after a rollback). One statement reads that count and the last entry
    before the newest, since another entry may be added between two statements.
    """
    count = select(col(Counter.value)).where(col(Counter.name) == audit_log.AUDIT_HEAD).scalar_subquery()
    newest_first = select(col(AuditEntry.id), col(AuditEntry.hash), count.label("entries"))
    newest_first = newest_first.order_by(col(AuditEntry.id).desc())
    before = session.execute(newest_first.offset(limit).limit(1)).first()
    start = _reached(before.entries - limit, before.id, before.hash) if before else CHAIN_START
    return _check_from(session, start)


def _check_from(session: Session, checked: ChainAnswer) -> ChainAnswer:
    while not checked.is_done:
        checked = check_next_batch(session, checked)
    return checked


def check_next_batch(session: Session, so_far: ChainAnswer) -> ChainAnswer:
    """Check one more batch; after the last one, also whether the chain ends where its head says."""
    rows = select(*_COLUMNS).where(col(AuditEntry.id) > so_far.after_id).order_by(col(AuditEntry.id)).limit(BATCH)
    batch = session.execute(rows).all()
    entries, last_id, last_hash = so_far.entries, so_far.after_id, so_far.hash
    for row in batch:
        if why := _fault(row, last_hash):
            return _ended(_reached(entries, last_id, last_hash), ChainBreak(entry_id=row.id, why=why))
        entries, last_id, last_hash = entries + 1, row.id, row.hash
    if len(batch) == BATCH:
        return _reached(entries, last_id, last_hash)
    return _compare_with_head(session, _reached(entries, last_id, last_hash))


def _reached(entries: int, last_id: int, last_hash: str) -> ChainAnswer:
    return ChainAnswer(entries=entries, is_whole=True, broken=None, after_id=last_id, hash=last_hash)


def _ended(reached: ChainAnswer, broken: ChainBreak | None = None) -> ChainAnswer:
    return reached.model_copy(update={"is_whole": broken is None, "broken": broken, "is_done": True})


def _fault(row: Any, last_hash: str) -> str:
    if row.previous_hash != last_hash:
        return "It does not follow from the entry before it: one was removed, added or moved."
    if audit_log.seal(row) != row.hash:
        return "Its content does not match its hash."
    return ""


def _compare_with_head(session: Session, reached: ChainAnswer) -> ChainAnswer:
    """A mismatch is no fault if an entry was added since the last batch: then one more batch is to be checked."""
    head = select(col(Counter.value), col(Counter.text_value)).where(col(Counter.name) == audit_log.AUDIT_HEAD)
    count, text = session.execute(head).one()
    if (count, text) == (reached.entries, reached.hash):
        return _ended(reached)
    later = select(col(AuditEntry.id)).where(col(AuditEntry.id) > reached.after_id).limit(1)
    if session.execute(later).first() is not None:
        return reached
    why = f"The chain should end after {count:,} entries but ends after {reached.entries:,}."
    return _ended(reached, ChainBreak(entry_id=None, why=why))


def anchor_fault(session: Session, count: int, anchored_hash: str) -> str:
    """Why an anchor does not fit the chain; empty if the chain had this hash after `count` entries.

    The hashes have no secret key, so someone who can write to the table can make another intact chain, but not one that
    goes through an anchor that was saved elsewhere.
    """
    if not count:
        return ""
    entry_id = session.execute(select(col(AuditEntry.id)).where(col(AuditEntry.hash) == anchored_hash)).scalar()
    if entry_id is not None:
        statement = select(func.count()).select_from(AuditEntry).where(col(AuditEntry.id) <= entry_id)
        if session.execute(statement).scalar_one() == count:
            return ""
    return (
        f"The chain is intact, but does not go through the anchored head of entry {count:,}:"
        " an entry up to there was changed, removed or added, or an older backup was restored."
    )
