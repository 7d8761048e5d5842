"""The timetable, and an index of the birth dates that one of its tasks erases."""

import sqlalchemy as sa

from alembic import op

revision = "0028"
down_revision = "0027"

INDEX = "ix_order_legal_records_birth_dates"


def upgrade() -> None:
    op.create_table(
        "timetable",
        sa.Column("task", sa.String(), nullable=False),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("leased_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("last_run_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("last_error", sa.String(), nullable=True),
        sa.CheckConstraint("task <> ''", name=op.f("ck_timetable_task_given")),
        sa.PrimaryKeyConstraint("task", name=op.f("pk_timetable")),
    )
    kept = sa.text("birth_date IS NOT NULL")
    op.create_index(INDEX, "order_legal_records", ["keep_days", "order_id"], sqlite_where=kept, postgresql_where=kept)


def downgrade() -> None:
    op.drop_index(INDEX, "order_legal_records")
    op.drop_table("timetable")
