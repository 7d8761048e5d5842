"""The audit trail is append-only and sealed."""

import pytest
from sqlalchemy import Engine, text
from sqlalchemy.exc import DBAPIError
from sqlmodel import Session, select

from marketplace_app import db
from marketplace_app.models import AuditEntry
from marketplace_app.services.records import audit_log
from tests.builders import make_product
from tests.conftest import Cast
from tests.counting import count_statements


def test_each_entry_is_sealed_with_the_hash_of_the_one_before(session: Session, cast: Cast) -> None:
    for n in range(3):
        db.write(lambda s, n=n: audit_log.append(s, cast.ada, "test.done", f"thing:{n}", n=n))
    entries = session.exec(select(AuditEntry).order_by(AuditEntry.id)).all()
    assert [entry.previous_hash for entry in entries] == ["", entries[0].hash, entries[1].hash]
    assert all(entry.hash == audit_log.seal(entry) for entry in entries)


@pytest.mark.parametrize("statement", ["UPDATE audit_entries SET action = 'x'", "DELETE FROM audit_entries"])
def test_the_database_refuses_to_change_or_delete_an_entry(session: Session, cast: Cast, statement: str) -> None:
    db.write(lambda s: audit_log.append(s, cast.ada, "test.done", "thing:1"))
    with pytest.raises(DBAPIError, match="append-only"):
        session.execute(text(statement))


def test_everything_else_is_written_before_the_head_is_locked(engine: Engine, session: Session, cast: Cast) -> None:
    """Locks are taken in one order (RULE lock-order); otherwise two writers could deadlock."""
    product = make_product(session)
    session.commit()
    with count_statements(engine) as statements:
        product.name = "Fern Hollow Reserve"
        session.add(product)
        audit_log.append(session, cast.ada, "product.edited", f"product:{product.id}")
    assert statements[0].startswith("UPDATE products")
    assert "counters" in statements[1]
