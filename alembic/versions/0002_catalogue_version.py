"""The catalogue's version: a counter that triggers raise with every change that shoppers can see in the catalogue.

A change of stock counts only if a product runs out or comes back, since the catalogue shows no more than that. So
ordinary sales do not wait for the counter. `tests/services/test_catalogue_version.py` fails if a column of products is
missing.
"""

from alembic import op

revision = "0002"
down_revision = "0001"

PRODUCT_COLUMNS = (
    "id, sku, name, sort_name, description, ingredients, price_cents, category, type, potency, strain, brand, "
    "net_weight_grams, thc_percent, cbd_percent, thc_mg, effects, flavors, terpenes, image, rating_tenths, "
    "review_count, is_active, is_featured, created_at, updated_at"
)
RAN_OUT_OR_CAME_BACK = "(OLD.stock > 0) <> (NEW.stock > 0)"
BUMP = "UPDATE counters SET value = value + 1 WHERE name = 'catalogue'"
# Name, event and table, condition.
TRIGGERS = (
    ("products_made", "INSERT ON products", ""),
    ("products_deleted", "DELETE ON products", ""),
    ("products_changed", f"UPDATE OF {PRODUCT_COLUMNS} ON products", ""),
    ("products_stocked", "UPDATE OF stock ON products", RAN_OUT_OR_CAME_BACK),
    ("lab_reports_made", "INSERT ON lab_reports", ""),
    ("lab_reports_deleted", "DELETE ON lab_reports", ""),
    ("lab_reports_changed", "UPDATE ON lab_reports", ""),
)


def upgrade() -> None:
    op.execute("INSERT INTO counters (name, value, text_value) VALUES ('catalogue', 0, '')")
    is_sqlite = op.get_bind().dialect.name == "sqlite"
    if not is_sqlite:
        op.execute(
            f"CREATE FUNCTION bump_catalogue() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN {BUMP}; RETURN NULL; END $$"
        )
    for name, event, condition in TRIGGERS:
        when = f" WHEN ({condition})" if condition else ""
        action = f"BEGIN {BUMP}; END" if is_sqlite else "EXECUTE FUNCTION bump_catalogue()"
        op.execute(f"CREATE TRIGGER catalogue_{name} AFTER {event} FOR EACH ROW{when} {action}")


def downgrade() -> None:
    is_sqlite = op.get_bind().dialect.name == "sqlite"
    for name, event, _condition in TRIGGERS:
        table = "" if is_sqlite else f" ON {event.rpartition(' ')[2]}"
        op.execute(f"DROP TRIGGER catalogue_{name}{table}")
    if not is_sqlite:
        op.execute("DROP FUNCTION bump_catalogue")
    op.execute("DELETE FROM counters WHERE name = 'catalogue'")
