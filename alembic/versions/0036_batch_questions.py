"""Questions to customers whether an order may be packed from another batch."""

import sqlalchemy as sa

from alembic import op

revision = "0036"
down_revision = "0035"

IS_OPEN = sa.text("ended_at IS NULL")


def upgrade() -> None:
    op.create_table(
        "batch_questions",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("order_id", sa.String(), nullable=False),
        sa.Column("product_id", sa.Integer(), nullable=False),
        sa.Column("from_batch_id", sa.Integer(), nullable=False),
        sa.Column("to_batch_id", sa.Integer(), nullable=False),
        sa.Column("units", sa.Integer(), nullable=False),
        sa.Column("asked_by_id", sa.Integer(), nullable=False),
        sa.Column("asked_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("outcome", sa.String(), nullable=True),
        sa.CheckConstraint("units > 0", name=op.f("ck_batch_questions_units_positive")),
        sa.CheckConstraint("from_batch_id <> to_batch_id", name=op.f("ck_batch_questions_another_batch")),
        sa.CheckConstraint("outcome IN ('yes', 'no', 'lapsed')", name=op.f("ck_batch_questions_outcome_known")),
        sa.CheckConstraint("(ended_at IS NULL) = (outcome IS NULL)", name=op.f("ck_batch_questions_end_has_outcome")),
        sa.CheckConstraint("asked_at <= ended_at", name=op.f("ck_batch_questions_asked_before_it_ends")),
        sa.ForeignKeyConstraint(
            ["order_id", "product_id"],
            ["order_lines.order_id", "order_lines.product_id"],
            name=op.f("fk_batch_questions_order_id_product_id_order_lines"),
            ondelete="CASCADE",
        ),
        *(
            sa.ForeignKeyConstraint(
                [f"{side}_batch_id", "product_id"],
                ["batches.id", "batches.product_id"],
                name=op.f(f"fk_batch_questions_{side}_batch_id_product_id_batches"),
            )
            for side in ("from", "to")
        ),
        sa.ForeignKeyConstraint(["asked_by_id"], ["users.id"], name=op.f("fk_batch_questions_asked_by_id_users")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_batch_questions")),
    )
    op.create_index("ix_batch_questions_order_id", "batch_questions", ["order_id"])
    for name, columns, is_unique in (
        ("uq_batch_questions_open_of_line", ["order_id", "product_id"], True),
        ("ix_batch_questions_open_to_batch", ["to_batch_id"], False),
    ):
        op.create_index(
            name, "batch_questions", columns, unique=is_unique, sqlite_where=IS_OPEN, postgresql_where=IS_OPEN
        )


def downgrade() -> None:
    op.drop_table("batch_questions")
