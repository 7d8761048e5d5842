"""Products as the owner edits them: the orders of the desk's list from indexes, and lab reports with their PDF.

Plain `ADD COLUMN`: batch mode would copy the table and lose the triggers that watch it (0002). On PostgreSQL the
catalogue's number now grows once a transaction: ten thousand changes of one row in one transaction take each other's
time, since none of its versions can be swept away before the end.
"""

import sqlalchemy as sa

from alembic import op

revision = "0010"
down_revision = "0009"

SORTED_BY = ("price_cents", "stock", "created_at", "updated_at")
BUMP = "UPDATE counters SET value = value + 1 WHERE name = 'catalogue';"
BUMP_ONCE = f"""
    IF current_setting('store.catalogue_bumped', true) IS DISTINCT FROM txid_current()::text THEN
      {BUMP}
      PERFORM set_config('store.catalogue_bumped', txid_current()::text, true);
    END IF;"""


def upgrade() -> None:
    for column in SORTED_BY:
        op.create_index(f"ix_products_{column}", "products", [column])
    op.add_column("lab_reports", sa.Column("pdf", sa.String(), server_default="", nullable=False))
    _bump_by(BUMP_ONCE)


def downgrade() -> None:
    _bump_by(BUMP)
    op.drop_column("lab_reports", "pdf")
    for column in SORTED_BY:
        op.drop_index(f"ix_products_{column}", "products")


def _bump_by(action: str) -> None:
    if op.get_bind().dialect.name == "postgresql":
        body = f"BEGIN {action} RETURN NULL; END"
        op.execute(f"CREATE OR REPLACE FUNCTION bump_catalogue() RETURNS trigger LANGUAGE plpgsql AS $$ {body} $$")
