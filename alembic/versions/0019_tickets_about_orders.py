"""A ticket may be about one of its customer's orders."""

from alembic import op

revision = "0019"
down_revision = "0018"


def upgrade() -> None:
    # In one statement, because SQLite cannot add a constraint to an existing table.
    op.execute(
        "ALTER TABLE tickets ADD COLUMN order_id VARCHAR CONSTRAINT fk_tickets_order_id_orders REFERENCES orders (id)"
    )
    op.create_index("ix_tickets_order_id", "tickets", ["order_id"])


def downgrade() -> None:
    op.drop_index("ix_tickets_order_id", "tickets")
    op.drop_column("tickets", "order_id")
