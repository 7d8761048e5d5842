"""What is read of the database's migration."""

from typing import Any

import pytest
from sqlalchemy import Engine, event, text
from sqlalchemy.engine.default import DefaultExecutionContext
from sqlalchemy.engine.interfaces import CacheStats
from sqlmodel import Session

from marketplace_app.adapters.revisions import current_revision, newest_revision


def test_the_last_migration_is_read_and_without_a_table_there_is_none(session: Session) -> None:
    assert current_revision(session) == newest_revision()
    session.execute(text("ALTER TABLE alembic_version RENAME TO other"))
    assert current_revision(session) is None
    session.rollback()


@pytest.mark.usefixtures("session")
def test_a_probe_every_second_compiles_no_statement_anew(engine: Engine) -> None:
    compiled: list[str] = []

    def note(
        _connection: Any, _cursor: Any, statement: str, _values: Any, context: DefaultExecutionContext, _many: bool
    ) -> None:
        if context.compiled is not None and context.cache_hit is not CacheStats.CACHE_HIT:
            compiled.append(statement)

    with Session(engine) as first:
        current_revision(first)
    event.listen(engine, "before_cursor_execute", note)
    try:
        for _ in range(2):
            with Session(engine) as probe:
                current_revision(probe)
    finally:
        event.remove(engine, "before_cursor_execute", note)
    assert compiled == []
