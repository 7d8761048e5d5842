"""Settings with their history; the credit that an order earns its referrer; an index of the audit trail by time."""

import sqlalchemy as sa

from alembic import op
from marketplace_app.jobs.migrate import constraints_of_orders_change

revision = "0012"
down_revision = "0011"

REFERRAL_CREDIT = 100_00
"""The credit of existing orders: it was a constant until now."""
SQLITE_ONLY = (
    """CREATE TRIGGER shop_settings_keep_update BEFORE UPDATE ON shop_settings
       BEGIN SELECT RAISE(ABORT, 'the settings'' history is append-only'); END""",
    """CREATE TRIGGER shop_settings_keep_delete BEFORE DELETE ON shop_settings
       BEGIN SELECT RAISE(ABORT, 'the settings'' history is append-only'); END""",
)
POSTGRESQL_ONLY = (
    """CREATE FUNCTION keep_shop_settings() RETURNS trigger LANGUAGE plpgsql AS
       $$ BEGIN RAISE EXCEPTION 'the settings'' history is append-only'; END $$""",
    """CREATE TRIGGER shop_settings_keep BEFORE UPDATE OR DELETE OR TRUNCATE ON shop_settings
       FOR EACH STATEMENT EXECUTE FUNCTION keep_shop_settings()""",
)


def upgrade() -> None:
    op.create_table(
        "shop_settings",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("previous", sa.Integer(), nullable=False),
        sa.Column("value", sa.Integer(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("actor_id", sa.Integer(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("name <> ''", name=op.f("ck_shop_settings_name_given")),
        sa.CheckConstraint("reason <> ''", name=op.f("ck_shop_settings_reason_given")),
        sa.CheckConstraint("value >= 0", name=op.f("ck_shop_settings_value_not_negative")),
        sa.ForeignKeyConstraint(["actor_id"], ["users.id"], name=op.f("fk_shop_settings_actor_id_users")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_shop_settings")),
    )
    op.create_index("ix_shop_settings_name", "shop_settings", ["name", "id"])
    op.execute("INSERT INTO counters (name, value, text_value) VALUES ('settings', 0, '')")
    # Both databases take a column with its check; Alembic's batch mode would copy the table.
    op.execute(
        "ALTER TABLE orders ADD COLUMN referral_credit_cents INTEGER NOT NULL DEFAULT 0"
        " CONSTRAINT ck_orders_referral_credit_not_negative CHECK (referral_credit_cents >= 0)"
    )
    op.execute(f"UPDATE orders SET referral_credit_cents = {REFERRAL_CREDIT} WHERE referrer_id IS NOT NULL")
    op.create_index("ix_audit_entries_created_at", "audit_entries", ["created_at"])
    for statement in _triggers():
        op.execute(statement)


def downgrade() -> None:
    op.drop_index("ix_audit_entries_created_at", "audit_entries")
    with constraints_of_orders_change() as batch:  # revision 0024 moved the check from the column to the table
        batch.drop_constraint(op.f("ck_orders_referral_credit_not_negative"), type_="check")
        batch.drop_column("referral_credit_cents")
    op.execute("DELETE FROM counters WHERE name = 'settings'")
    op.drop_table("shop_settings")
    if op.get_bind().dialect.name != "sqlite":
        op.execute("DROP FUNCTION keep_shop_settings")


def _triggers() -> tuple[str, ...]:
    return SQLITE_ONLY if op.get_bind().dialect.name == "sqlite" else POSTGRESQL_ONLY
