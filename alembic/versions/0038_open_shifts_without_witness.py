"""An open shift has no witness.

The check accepted one, because `NULL = 0` is unknown, not false.
"""

import sqlalchemy as sa

from alembic import op

revision = "0038"
down_revision = "0037"
contracts = ("driver_shifts: ck_driver_shifts_difference_is_explained",)
"""The previous release names a witness only when it closes a shift."""

BEFORE = (
    "difference_cents = 0 OR (difference_cents IS NULL AND witness_id IS NULL)"
    " OR (reason <> '' AND witness_id IS NOT NULL)"
)
AFTER = (
    "CASE WHEN difference_cents IS NULL THEN witness_id IS NULL"
    " ELSE difference_cents = 0 OR (reason <> '' AND witness_id IS NOT NULL) END"
)
INDEX = "uq_driver_shifts_open"


def upgrade() -> None:
    op.execute("UPDATE driver_shifts SET witness_id = NULL WHERE closed_at IS NULL")
    _replace_check(AFTER)


def downgrade() -> None:
    _replace_check(BEFORE)


def _replace_check(condition: str) -> None:
    name, triggers = op.f("ck_driver_shifts_difference_is_explained"), _sqlite_triggers()
    op.drop_index(INDEX, "driver_shifts")
    with op.batch_alter_table("driver_shifts", reflect_kwargs={"resolve_fks": False}) as batch:
        batch.drop_constraint(name, type_="check")
        batch.create_check_constraint(name, condition)
    still_open = sa.text("closed_at IS NULL")
    op.create_index(
        INDEX, "driver_shifts", ["driver_id"], unique=True, sqlite_where=still_open, postgresql_where=still_open
    )
    for trigger in triggers:
        op.execute(trigger)


def _sqlite_triggers() -> list[str]:
    """The statements that create the triggers: SQLite replaces the table, and drops its triggers with the old one."""
    if op.get_bind().dialect.name != "sqlite":
        return []
    made = "SELECT sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'driver_shifts'"
    return list(op.get_bind().execute(sa.text(made)).scalars())
