"""SQLite also refuses to replace rows of the audit trail, the settings' history and the legal texts."""

from alembic import op

revision = "0030"
down_revision = "0029"

SAME_ID = "id = NEW.id"
# By table: the row that an INSERT OR REPLACE would remove, and the message, as in the triggers of earlier revisions.
REPLACED = {
    "audit_entries": (SAME_ID, "the audit trail is append-only"),
    "shop_settings": (SAME_ID, "the settings'' history is append-only"),
    "legal_texts": (f"{SAME_ID} OR (page = NEW.page AND version = NEW.version)", "legal texts are append-only"),
}


def upgrade() -> None:
    if op.get_bind().dialect.name != "sqlite":
        return
    for table, (is_replaced, refusal) in REPLACED.items():
        # REPLACE runs the trigger that refuses to delete a row only if `recursive_triggers` is on.
        op.execute(
            f"""CREATE TRIGGER {table}_keep_replace BEFORE INSERT ON {table}
            WHEN EXISTS (SELECT 1 FROM {table} WHERE {is_replaced})
            BEGIN SELECT RAISE(ABORT, '{refusal}'); END"""
        )


def downgrade() -> None:
    if op.get_bind().dialect.name != "sqlite":
        return
    for table in REPLACED:
        op.execute(f"DROP TRIGGER {table}_keep_replace")
