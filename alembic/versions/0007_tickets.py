"""Support tickets."""

import sqlalchemy as sa

from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    op.create_table(
        "tickets",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=True),
        sa.Column("customer_email", sa.String(), nullable=False),
        sa.Column("customer_name", sa.String(), nullable=False),
        sa.Column("subject", sa.String(), nullable=False),
        sa.Column("message", sa.String(), nullable=False),
        sa.Column("category", sa.String(), nullable=False),
        sa.Column("priority", sa.String(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("tags", sa.JSON(), nullable=False),
        sa.Column("analysis", sa.JSON(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint(
            "category IN ('general', 'billing', 'technical', 'product', 'delivery', 'account')",
            name=op.f("ck_tickets_category_known"),
        ),
        sa.CheckConstraint("priority IN ('low', 'medium', 'high', 'urgent')", name=op.f("ck_tickets_priority_known")),
        sa.CheckConstraint(
            "status IN ('open', 'in_progress', 'resolved', 'closed')", name=op.f("ck_tickets_status_known")
        ),
        sa.CheckConstraint("user_id IS NOT NULL OR customer_email <> ''", name=op.f("ck_tickets_customer_known")),
        sa.CheckConstraint("length(subject) BETWEEN 1 AND 200", name=op.f("ck_tickets_subject_length")),
        sa.CheckConstraint("length(message) BETWEEN 1 AND 5000", name=op.f("ck_tickets_message_length")),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_tickets_user_id_users")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tickets")),
    )
    op.create_index("ix_tickets_user_id_created_at", "tickets", ["user_id", "created_at"])
    op.create_index("ix_tickets_created_at", "tickets", ["created_at"])
    op.create_index("ix_tickets_customer_email", "tickets", ["customer_email"])
    op.create_table(
        "ticket_messages",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("ticket_id", sa.String(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("sender_type", sa.String(), nullable=False),
        sa.Column("sender_id", sa.Integer(), nullable=False),
        sa.Column("message", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("sender_type IN ('admin', 'customer')", name=op.f("ck_ticket_messages_sender_type_known")),
        sa.CheckConstraint("length(message) BETWEEN 1 AND 5000", name=op.f("ck_ticket_messages_message_length")),
        sa.ForeignKeyConstraint(
            ["ticket_id"], ["tickets.id"], name=op.f("fk_ticket_messages_ticket_id_tickets"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["sender_id"], ["users.id"], name=op.f("fk_ticket_messages_sender_id_users")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_ticket_messages")),
        sa.UniqueConstraint("ticket_id", "position", name=op.f("uq_ticket_messages_ticket_id_position")),
    )
    op.create_index(op.f("ix_ticket_messages_sender_id"), "ticket_messages", ["sender_id"])


def downgrade() -> None:
    op.drop_table("ticket_messages")
    op.drop_table("tickets")
