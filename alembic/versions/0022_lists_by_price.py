"""A category's products in order of price, and their number, come from an index alone."""

from alembic import op

revision = "0022"
down_revision = "0021"


def upgrade() -> None:
    op.drop_index("ix_products_category_price", "products")
    op.create_index(
        "ix_products_category_price", "products", ["is_active", "category", "price_cents", "sort_name", "id"]
    )


def downgrade() -> None:
    op.drop_index("ix_products_category_price", "products")
    op.create_index("ix_products_category_price", "products", ["category", "price_cents"])
