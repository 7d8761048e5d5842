"""Indexes for the sort orders of the admin product list, and the PDF of lab reports.

Plain `ADD COLUMN`: batch mode would copy the table and lose its triggers (0002). On PostgreSQL the catalogue's version
is now raised once per transaction: thousands of updates of one row in one transaction get slower and slower, since the
row's dead versions cannot be removed before the transaction ends.
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
