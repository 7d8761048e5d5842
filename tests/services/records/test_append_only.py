"""Rows that the database keeps as they were written, whichever statement would replace them."""

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError
from sqlmodel import Session, SQLModel

from marketplace_app import db
from marketplace_app.models import (
    CashAccount,
    CashMovement,
    CashReason,
    DriverShift,
    LegalPage,
    LegalText,
    ShiftCount,
    ShopSetting,
)
from marketplace_app.services.records import audit_log
from tests.builders import make_batch, make_product, make_rules
from tests.conftest import Cast

TABLES = (
    "audit_entries",
    "batch_movements",
    "cash_movements",
    "driver_shifts",
    "jurisdiction_versions",
    "legal_texts",
    "shift_counts",
    "shop_settings",
)


@pytest.fixture
def written(session: Session, cast: Cast) -> Session:
    """A row in each table."""
    session.add(ShopSetting(name="delivery_fee_cents", previous=25_00, value=30_00, reason="test"))
    session.add(LegalText(page=LegalPage.TERMS, version=1, body="Adults only."))
    make_rules(session)
    shift = DriverShift(driver_id=cast.ada.id, opened_by_id=cast.ada.id)
    session.add(shift)
    session.flush()
    session.add(ShiftCount(shift_id=shift.id, number=1, pieces={}, counted_cents=0, counted_by_id=cast.ada.id))
    moved = {"from_account": CashAccount.DESK, "to_account": CashAccount.SAFE, "cents": 1, "reason": CashReason.DROP}
    session.add(CashMovement(**moved, actor_id=cast.ada.id))
    session.commit()
    # Of shifts, only closed ones are append-only.
    shift.closed_at, shift.closed_by_id, shift.difference_cents = shift.opened_at, cast.ada.id, 0
    make_batch(session, make_product(session, stock=0), units=5)
    session.commit()
    db.write(lambda s: audit_log.append(s, cast.ada, "test.done", "thing:1"))
    return session


def replace(session: Session, table: str, *, new_id: str = "id") -> None:
    """Insert each row again, in place of the one that is there."""
    names = [column.name for column in SQLModel.metadata.tables[table].columns]
    values = [new_id if name == "id" else name for name in names]
    rows = f"INTO {table} ({', '.join(names)}) SELECT {', '.join(values)} FROM {table}"
    if session.get_bind().dialect.name == "sqlite":
        session.execute(text(f"INSERT OR REPLACE {rows}"))
    else:
        session.execute(text(f"INSERT {rows} ON CONFLICT (id) DO UPDATE SET id = excluded.id"))


@pytest.mark.parametrize("table", TABLES)
def test_a_row_is_not_replaced(written: Session, table: str) -> None:
    with pytest.raises(DBAPIError, match="append-only"):
        replace(written, table)


def test_a_published_version_is_not_replaced_under_another_number(written: Session) -> None:
    with pytest.raises(DBAPIError, match="append-only"):
        replace(written, "legal_texts", new_id="id + 1")


def test_every_table_that_is_never_changed_is_tried(written: Session) -> None:
    if written.get_bind().dialect.name == "sqlite":
        triggers = "SELECT tbl_name FROM sqlite_master WHERE type = 'trigger' AND name LIKE '%_keep_update'"
    else:
        triggers = "SELECT tgrelid::regclass::text FROM pg_trigger WHERE tgname LIKE '%_keep'"
    assert sorted(written.execute(text(triggers)).scalars()) == sorted(TABLES)
