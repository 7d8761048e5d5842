"""The rules of states, places of ZIP codes, and what an order keeps of the rules that it was judged by."""

import sqlalchemy as sa

from alembic import op

revision = "0027"
down_revision = "0026"

TWO_LETTERS = "length(state) = 2 AND upper(state) = state"
ZIP_DIGITS = "length(zip_code) = 5 AND length(trim(zip_code, '0123456789')) = 0"
WRITTEN_ONCE = ("id", "state", "valid_from", "rules", "source", "checked_on", "created_at")
REFUSAL = "versions of rules are append-only"


def upgrade() -> None:
    op.create_table(
        "jurisdiction_versions",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("valid_from", sa.Date(), nullable=False),
        sa.Column("rules", sa.JSON(), nullable=False),
        sa.Column("source", sa.String(), nullable=False),
        sa.Column("checked_on", sa.Date(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("choices", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("reviewed_by_id", sa.Integer(), nullable=True),
        sa.Column("reviewed_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint(TWO_LETTERS, name=op.f("ck_jurisdiction_versions_state_two_letters")),
        sa.CheckConstraint("source <> ''", name=op.f("ck_jurisdiction_versions_source_given")),
        sa.CheckConstraint(
            "(reviewed_at IS NULL) = (choices IS NULL) AND (reviewed_by_id IS NULL OR reviewed_at IS NOT NULL)",
            name=op.f("ck_jurisdiction_versions_review_is_whole"),
        ),
        sa.ForeignKeyConstraint(
            ["reviewed_by_id"], ["users.id"], name=op.f("fk_jurisdiction_versions_reviewed_by_id_users")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_jurisdiction_versions")),
    )
    op.create_index("ix_jurisdiction_versions_reviewed_by_id", "jurisdiction_versions", ["reviewed_by_id"])
    op.create_index("ix_jurisdiction_versions_state_valid_from", "jurisdiction_versions", ["state", "valid_from", "id"])
    op.create_table(
        "zip_places",
        sa.Column("zip_code", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("latitude", sa.Float(), nullable=False),
        sa.Column("longitude", sa.Float(), nullable=False),
        sa.CheckConstraint(ZIP_DIGITS, name=op.f("ck_zip_places_zip_code_digits")),
        sa.CheckConstraint(TWO_LETTERS, name=op.f("ck_zip_places_state_two_letters")),
        sa.CheckConstraint("latitude BETWEEN -90 AND 90", name=op.f("ck_zip_places_latitude_range")),
        sa.CheckConstraint("longitude BETWEEN -180 AND 180", name=op.f("ck_zip_places_longitude_range")),
        sa.PrimaryKeyConstraint("zip_code", name=op.f("pk_zip_places")),
    )
    op.create_table(
        "order_legal_records",
        sa.Column("order_id", sa.String(), nullable=False),
        sa.Column("version_id", sa.Integer(), nullable=False),
        sa.Column("birth_date", sa.Date(), nullable=True),
        sa.Column("keep_days", sa.Integer(), nullable=True),
        sa.CheckConstraint(
            "birth_date IS NULL OR keep_days > 0", name=op.f("ck_order_legal_records_birth_date_has_retention")
        ),
        sa.ForeignKeyConstraint(
            ["order_id"], ["orders.id"], name=op.f("fk_order_legal_records_order_id_orders"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["version_id"],
            ["jurisdiction_versions.id"],
            name=op.f("fk_order_legal_records_version_id_jurisdiction_versions"),
        ),
        sa.PrimaryKeyConstraint("order_id", name=op.f("pk_order_legal_records")),
    )
    op.create_index("ix_order_legal_records_version_id", "order_legal_records", ["version_id"])
    op.create_table(
        "order_taxes",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("order_id", sa.String(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("code", sa.String(), nullable=False),
        sa.Column("label", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("basis_points", sa.Integer(), nullable=False),
        sa.Column("base_cents", sa.Integer(), nullable=False),
        sa.Column("amount_cents", sa.Integer(), nullable=False),
        sa.CheckConstraint("amount_cents >= 0", name=op.f("ck_order_taxes_amount_not_negative")),
        sa.CheckConstraint("base_cents >= 0", name=op.f("ck_order_taxes_base_not_negative")),
        sa.CheckConstraint("basis_points BETWEEN 1 AND 10000", name=op.f("ck_order_taxes_basis_points_range")),
        sa.CheckConstraint("kind IN ('added', 'included')", name=op.f("ck_order_taxes_kind_known")),
        sa.ForeignKeyConstraint(
            ["order_id"], ["orders.id"], name=op.f("fk_order_taxes_order_id_orders"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_order_taxes")),
        sa.UniqueConstraint("order_id", "code", name=op.f("uq_order_taxes_order_id_code")),
    )
    for statement in _sqlite_triggers() if _is_sqlite() else _postgresql_triggers():
        op.execute(statement)


def downgrade() -> None:
    for name in ("order_taxes", "order_legal_records", "zip_places", "jurisdiction_versions"):
        op.drop_table(name)
    if not _is_sqlite():
        op.execute("DROP FUNCTION keep_jurisdiction_versions()")


def _is_sqlite() -> bool:
    return op.get_bind().dialect.name == "sqlite"


def _sqlite_triggers() -> tuple[str, ...]:
    changed = " OR ".join(f"NEW.{name} IS NOT OLD.{name}" for name in WRITTEN_ONCE)
    refuse = f"BEGIN SELECT RAISE(ABORT, '{REFUSAL}'); END"
    return (
        f"""CREATE TRIGGER jurisdiction_versions_keep_update BEFORE UPDATE ON jurisdiction_versions
        WHEN OLD.reviewed_at IS NOT NULL OR {changed} {refuse}""",
        f"CREATE TRIGGER jurisdiction_versions_keep_delete BEFORE DELETE ON jurisdiction_versions {refuse}",
        # REPLACE removes the row with the same id, and runs the trigger above only if `recursive_triggers` is on.
        f"""CREATE TRIGGER jurisdiction_versions_keep_replace BEFORE INSERT ON jurisdiction_versions
        WHEN EXISTS (SELECT 1 FROM jurisdiction_versions WHERE id = NEW.id) {refuse}""",
    )


def _postgresql_triggers() -> tuple[str, ...]:
    """JSON has no equality, so all columns are compared as text."""
    changed = " OR ".join(f"NEW.{name}::text IS DISTINCT FROM OLD.{name}::text" for name in WRITTEN_ONCE)
    return (
        f"""CREATE FUNCTION keep_jurisdiction_versions() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF TG_OP = 'UPDATE' AND OLD.reviewed_at IS NULL AND NOT ({changed}) THEN RETURN NEW; END IF;
        RAISE EXCEPTION '{REFUSAL}';
        END $$""",
        """CREATE TRIGGER jurisdiction_versions_keep BEFORE UPDATE OR DELETE ON jurisdiction_versions
        FOR EACH ROW EXECUTE FUNCTION keep_jurisdiction_versions()""",
        """CREATE TRIGGER jurisdiction_versions_keep_all BEFORE TRUNCATE ON jurisdiction_versions
        FOR EACH STATEMENT EXECUTE FUNCTION keep_jurisdiction_versions()""",
    )
