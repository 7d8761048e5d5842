"""The version of the words that searches know: a separate counter, which sales and changes of prices do not raise.

Collecting the words takes longer than anything else that is cached by the catalogue's version (0002), which grows
whenever a product sells out.
"""

from alembic import op

revision = "0023"
down_revision = "0022"

WORD_COLUMNS = (
    "id, sku, name, sort_name, description, category, type, strain, brand, net_weight_grams, thc_mg, effects, flavors, "
    "is_active"
)
BUMP = "UPDATE counters SET value = value + 1 WHERE name = 'search_words'"
# Name, event and table.
TRIGGERS = (
    ("products_made", "INSERT ON products"),
    ("products_deleted", "DELETE ON products"),
    ("products_changed", f"UPDATE OF {WORD_COLUMNS} ON products"),
    ("synonyms_made", "INSERT ON synonyms"),
    ("synonyms_deleted", "DELETE ON synonyms"),
    ("synonyms_changed", "UPDATE ON synonyms"),
)


def upgrade() -> None:
    op.execute("INSERT INTO counters (name, value, text_value) VALUES ('search_words', 0, '')")
    is_sqlite = op.get_bind().dialect.name == "sqlite"
    if not is_sqlite:
        body = f"BEGIN {BUMP}; RETURN NULL; END"
        op.execute(f"CREATE FUNCTION bump_search_words() RETURNS trigger LANGUAGE plpgsql AS $$ {body} $$")
    # SQLite has no triggers for whole statements.
    action = f"ROW BEGIN {BUMP}; END" if is_sqlite else "STATEMENT EXECUTE FUNCTION bump_search_words()"
    for name, event in TRIGGERS:
        op.execute(f"CREATE TRIGGER search_words_{name} AFTER {event} FOR EACH {action}")


def downgrade() -> None:
    is_sqlite = op.get_bind().dialect.name == "sqlite"
    for name, event in TRIGGERS:
        table = "" if is_sqlite else f" ON {event.rpartition(' ')[2]}"
        op.execute(f"DROP TRIGGER search_words_{name}{table}")
    if not is_sqlite:
        op.execute("DROP FUNCTION bump_search_words")
    op.execute("DELETE FROM counters WHERE name = 'search_words'")
