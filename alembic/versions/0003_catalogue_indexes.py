"""Indexes for the catalogue's default order and for the counts of its filters.

The counts list every category, so the catalogue's version (0002) is now raised by changes of categories too.
"""

import sqlalchemy as sa

from alembic import op

revision = "0003"
down_revision = "0002"

BUMP = "UPDATE counters SET value = value + 1 WHERE name = 'catalogue'"
EVENTS = {"made": "INSERT", "deleted": "DELETE", "changed": "UPDATE"}


def upgrade() -> None:
    op.drop_index("ix_products_featured", "products")
    in_order = ["is_active", sa.text("is_featured DESC"), sa.text("(stock > 0) DESC"), "sort_name", "id"]
    op.create_index("ix_products_shelf", "products", in_order)
    op.create_index("ix_products_facets", "products", ["is_active", "category", "type", "potency", "price_cents"])
    action = f"BEGIN {BUMP}; END" if _is_sqlite() else "EXECUTE FUNCTION bump_catalogue()"
    for name, event in EVENTS.items():
        op.execute(f"CREATE TRIGGER catalogue_categories_{name} AFTER {event} ON categories FOR EACH ROW {action}")


def downgrade() -> None:
    for name in EVENTS:
        op.execute(f"DROP TRIGGER catalogue_categories_{name}{'' if _is_sqlite() else ' ON categories'}")
    op.drop_index("ix_products_facets", "products")
    op.drop_index("ix_products_shelf", "products")
    op.create_index("ix_products_featured", "products", ["is_active", "is_featured"])


def _is_sqlite() -> bool:
    return op.get_bind().dialect.name == "sqlite"
