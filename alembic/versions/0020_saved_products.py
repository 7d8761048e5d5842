"""Products that users have saved."""

import sqlalchemy as sa

from alembic import op

revision = "0020"
down_revision = "0019"


def upgrade() -> None:
    op.create_table(
        "saved_products",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("product_id", sa.Integer(), nullable=False),
        sa.Column("saved_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_saved_products_user_id_users"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["product_id"], ["products.id"], name=op.f("fk_saved_products_product_id_products"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_saved_products")),
        sa.UniqueConstraint("user_id", "product_id", name=op.f("uq_saved_products_user_id_product_id")),
    )
    op.create_index("ix_saved_products_product_id", "saved_products", ["product_id"])


def downgrade() -> None:
    op.drop_index("ix_saved_products_product_id", "saved_products")
    op.drop_table("saved_products")
