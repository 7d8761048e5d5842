"""A birth date in the legal record of an order must come with the number of days that it is kept.

The check accepted a birth date without it, because `NULL > 0` is unknown, not false. Such a birth date would never be
erased.
"""

import sqlalchemy as sa

from alembic import op

revision = "0037"
down_revision = "0036"
contracts = ("order_legal_records: ck_order_legal_records_birth_date_has_retention",)
"""The previous release always writes both."""

INDEX = "ix_order_legal_records_birth_dates"
BEFORE = "birth_date IS NULL OR keep_days > 0"
AFTER = "birth_date IS NULL OR COALESCE(keep_days, 0) > 0"


def upgrade() -> None:
    op.execute("UPDATE order_legal_records SET birth_date = NULL WHERE birth_date IS NOT NULL AND keep_days IS NULL")
    _replace_check(AFTER)


def downgrade() -> None:
    _replace_check(BEFORE)


def _replace_check(condition: str) -> None:
    """Without reflecting the referenced table `orders`: its indexes on expressions cannot be reflected."""
    name = op.f("ck_order_legal_records_birth_date_has_retention")
    op.drop_index(INDEX, "order_legal_records")
    with op.batch_alter_table("order_legal_records", reflect_kwargs={"resolve_fks": False}) as batch:
        batch.drop_constraint(name, type_="check")
        batch.create_check_constraint(name, condition)
    kept = sa.text("birth_date IS NOT NULL")
    op.create_index(INDEX, "order_legal_records", ["keep_days", "order_id"], sqlite_where=kept, postgresql_where=kept)
