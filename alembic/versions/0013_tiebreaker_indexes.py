"""Indexes alone give the order of admin lists, low stock and best-sellers, even where many rows have the same value.

An import gives thousands of products the same time of change. Without the id in the index, all of them were sorted to
show twenty-five.
"""

from alembic import op

revision = "0013"
down_revision = "0012"

SORTED_BY = ("sort_name", "price_cents", "stock", "created_at", "updated_at")


def upgrade() -> None:
    for column in SORTED_BY:
        op.drop_index(f"ix_products_{column}", "products")
        op.create_index(f"ix_products_{column}", "products", [column, "id"])
    op.create_index("ix_products_low_stock", "products", ["is_active", "stock"])
    op.create_index("ix_order_lines_sold", "order_lines", ["order_id", "product_id", "quantity", "unit_price_cents"])


def downgrade() -> None:
    op.drop_index("ix_order_lines_sold", "order_lines")
    op.drop_index("ix_products_low_stock", "products")
    for column in SORTED_BY:
        op.drop_index(f"ix_products_{column}", "products")
        op.create_index(f"ix_products_{column}", "products", [column])
