"""Invitations."""

import sqlalchemy as sa

from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    op.create_table(
        "invitations",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("code_hash", sa.String(), nullable=False),
        sa.Column("email", sa.String(), nullable=False),
        sa.Column("first_name", sa.String(), nullable=False),
        sa.Column("last_name", sa.String(), nullable=False),
        sa.Column("notes", sa.String(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("created_by_id", sa.Integer(), nullable=True),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("accepted_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("accepted_by_id", sa.Integer(), nullable=True),
        sa.Column("accepted_email", sa.String(), nullable=False),
        sa.CheckConstraint(
            "(status = 'accepted') = (accepted_at IS NOT NULL)", name=op.f("ck_invitations_accepted_at_known")
        ),
        sa.CheckConstraint("status IN ('pending', 'accepted', 'revoked')", name=op.f("ck_invitations_status_known")),
        sa.ForeignKeyConstraint(["accepted_by_id"], ["users.id"], name=op.f("fk_invitations_accepted_by_id_users")),
        sa.ForeignKeyConstraint(["created_by_id"], ["users.id"], name=op.f("fk_invitations_created_by_id_users")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_invitations")),
        sa.UniqueConstraint("code_hash", name=op.f("uq_invitations_code_hash")),
    )
    op.create_index(op.f("ix_invitations_created_at"), "invitations", ["created_at"])
    op.create_index(op.f("ix_invitations_accepted_by_id"), "invitations", ["accepted_by_id"])


def downgrade() -> None:
    op.drop_table("invitations")
