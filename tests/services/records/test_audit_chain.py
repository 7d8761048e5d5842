"""Changes of past entries of the audit trail are detected (RULE audit-trail)."""

import pytest
from sqlalchemy import Engine, text
from sqlmodel import Session

from marketplace_app.models import AuditEntry
from marketplace_app.schemas.admin.audit import CHAIN_START, ChainBreak
from marketplace_app.services.records import audit_chain, audit_log
from tests.conftest import Cast
from tests.services.admin.test_audit import trail

__all__ = ["trail"]  # fixtures, which tests take by name

ALLOW_CHANGES = {
    "sqlite": ["DROP TRIGGER audit_entries_keep_update", "DROP TRIGGER audit_entries_keep_delete"],
    "postgresql": ["DROP TRIGGER audit_entries_keep ON audit_entries"],
}


def test_an_unbroken_chain_is_checked_to_its_end(
    session: Session, cast: Cast, trail: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(audit_chain, "BATCH", 2)
    checked = audit_chain.check_all(session)
    assert (checked.entries, checked.broken, checked.is_done) == (5, None, True)


@pytest.mark.parametrize("limit", [1, 2, 3, 4, 5, 6])
def test_the_newest_entries_are_checked_to_the_end_whatever_the_size_of_a_batch(
    session: Session, cast: Cast, trail: None, monkeypatch: pytest.MonkeyPatch, limit: int
) -> None:
    monkeypatch.setattr(audit_chain, "BATCH", 2)
    checked = audit_chain.check_newest(session, limit)
    assert (checked.entries, checked.broken, checked.is_done) == (5, None, True)


def test_an_empty_trail_is_whole(session: Session) -> None:
    assert audit_chain.check_all(session) == CHAIN_START.model_copy(update={"is_done": True})


@pytest.mark.attack("the audit trail rewritten")
@pytest.mark.parametrize(
    ("tampering", "entry", "why"),
    [
        ("UPDATE audit_entries SET action = 'user.praised' WHERE id = 2", 2, "content"),
        ("UPDATE audit_entries SET details = '{\"created\": 4}' WHERE id = 4", 4, "content"),
        ("UPDATE audit_entries SET actor_id = NULL WHERE id = 1", 1, "content"),
        ("UPDATE audit_entries SET hash = 'x' WHERE id = 3", 3, "content"),
        ("DELETE FROM audit_entries WHERE id = 3", 4, "does not follow"),
        ("DELETE FROM audit_entries WHERE id = 1", 2, "does not follow"),
        ("DELETE FROM audit_entries WHERE id = 5", None, "should end after 5 entries"),
        ("DELETE FROM audit_entries", None, "should end after 5 entries"),
    ],
)
def test_any_change_of_past_entries_is_detected(
    engine: Engine, session: Session, cast: Cast, trail: None, tampering: str, entry: int | None, why: str
) -> None:
    for statement in (*ALLOW_CHANGES[engine.dialect.name], tampering):
        session.execute(text(statement))
    broken = audit_chain.check_all(session).broken
    assert isinstance(broken, ChainBreak)
    assert broken.entry_id == entry
    assert why in broken.why


def test_an_entry_that_the_head_does_not_count_is_detected(session: Session, cast: Cast, trail: None) -> None:
    last = session.get_one(AuditEntry, 5)
    made = AuditEntry(action="user.banned", subject="user:1", previous_hash=last.hash, hash="", actor_id=cast.ada.id)
    made.hash = audit_log.seal(made)
    session.add(made)
    session.flush()
    broken = audit_chain.check_all(session).broken
    assert broken is not None
    assert "should end after 5 entries but ends after 6" in broken.why
