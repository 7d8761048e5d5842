"""When the buyer of a recalled batch confirmed having read about the recall."""

import sqlalchemy as sa

from alembic import op

revision = "0033"
down_revision = "0032"


def upgrade() -> None:
    op.add_column("line_batches", sa.Column("read_at", sa.DateTime(timezone=True), nullable=True))


def downgrade() -> None:
    op.drop_column("line_batches", "read_at")
