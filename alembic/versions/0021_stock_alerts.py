"""Stock alerts: users who want an email when a product is back."""

import sqlalchemy as sa

from alembic import op

revision = "0021"
down_revision = "0020"


def upgrade() -> None:
    op.create_table(
        "stock_alerts",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("product_id", sa.Integer(), nullable=False),
        sa.Column("asked_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("told_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_stock_alerts_user_id_users"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["product_id"], ["products.id"], name=op.f("fk_stock_alerts_product_id_products"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_stock_alerts")),
    )
    op.create_index("ix_stock_alerts_product_id", "stock_alerts", ["product_id", "told_at"])
    op.create_index(
        "uq_stock_alerts_waiting",
        "stock_alerts",
        ["user_id", "product_id"],
        unique=True,
        sqlite_where=sa.text("told_at IS NULL"),
        postgresql_where=sa.text("told_at IS NULL"),
    )


def downgrade() -> None:
    op.drop_index("uq_stock_alerts_waiting", "stock_alerts")
    op.drop_index("ix_stock_alerts_product_id", "stock_alerts")
    op.drop_table("stock_alerts")
