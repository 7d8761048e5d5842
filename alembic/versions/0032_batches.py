"""Batches of products, their ledger, and the batches of order lines."""

import sqlalchemy as sa

from alembic import op
from marketplace_app.jobs.migrate import columns_of_products_change

revision = "0032"
down_revision = "0031"
contracts = ("stock_movements: ck_stock_movements_reason_known",)
"""The previous release writes only the reasons that it knows, which are still allowed."""

BEFORE = "'opening', 'sale', 'cancel', 'adjust', 'import'"
AFTER = "'opening', 'sale', 'cancel', 'adjust', 'import', 'set_aside', 'release'"
PANELS = ("pesticides", "heavy_metals", "residual_solvents", "microbials")
REFUSAL = "the ledger of batches is append-only"
# REPLACE runs the trigger that refuses to delete a row only if `recursive_triggers` is on.
SQLITE_ONLY = (
    *(
        f"CREATE TRIGGER batch_movements_keep_{event.lower()} BEFORE {event} ON batch_movements"
        f" BEGIN SELECT RAISE(ABORT, '{REFUSAL}'); END"
        for event in ("UPDATE", "DELETE")
    ),
    f"""CREATE TRIGGER batch_movements_keep_replace BEFORE INSERT ON batch_movements
    WHEN EXISTS (SELECT 1 FROM batch_movements
                 WHERE id = NEW.id OR (movement_id = NEW.movement_id AND batch_id = NEW.batch_id))
    BEGIN SELECT RAISE(ABORT, '{REFUSAL}'); END""",
)
POSTGRESQL_ONLY = (
    f"""CREATE FUNCTION keep_batch_movements() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION '{REFUSAL}'; END $$""",
    """CREATE TRIGGER batch_movements_keep BEFORE UPDATE OR DELETE OR TRUNCATE ON batch_movements
       FOR EACH STATEMENT EXECUTE FUNCTION keep_batch_movements()""",
)


def upgrade() -> None:
    _allow_reasons(AFTER)
    with columns_of_products_change():
        op.add_column("products", sa.Column("has_batches", sa.Boolean(), server_default=sa.false(), nullable=False))
    _create_batches()
    op.create_table(
        "batch_movements",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("movement_id", sa.Integer(), nullable=False),
        sa.Column("batch_id", sa.Integer(), nullable=False),
        sa.Column("units", sa.Integer(), nullable=False),
        sa.CheckConstraint("units <> 0", name=op.f("ck_batch_movements_units_not_zero")),
        sa.ForeignKeyConstraint(["batch_id"], ["batches.id"], name=op.f("fk_batch_movements_batch_id_batches")),
        sa.ForeignKeyConstraint(
            ["movement_id"], ["stock_movements.id"], name=op.f("fk_batch_movements_movement_id_stock_movements")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_batch_movements")),
        sa.UniqueConstraint("movement_id", "batch_id", name=op.f("uq_batch_movements_movement_id_batch_id")),
    )
    op.create_index("ix_batch_movements_batch_id", "batch_movements", ["batch_id"])
    op.create_table(
        "line_batches",
        sa.Column("order_id", sa.String(), nullable=False),
        sa.Column("product_id", sa.Integer(), nullable=False),
        sa.Column("batch_id", sa.Integer(), nullable=False),
        sa.Column("units", sa.Integer(), nullable=False),
        sa.CheckConstraint("units > 0", name=op.f("ck_line_batches_units_positive")),
        sa.ForeignKeyConstraint(
            ["order_id", "product_id"],
            ["order_lines.order_id", "order_lines.product_id"],
            name=op.f("fk_line_batches_order_id_product_id_order_lines"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["batch_id", "product_id"],
            ["batches.id", "batches.product_id"],
            name=op.f("fk_line_batches_batch_id_product_id_batches"),
        ),
        sa.PrimaryKeyConstraint("order_id", "product_id", "batch_id", name=op.f("pk_line_batches")),
    )
    op.create_index("ix_line_batches_batch_id", "line_batches", ["batch_id", "order_id"])
    for statement in SQLITE_ONLY if _is_sqlite() else POSTGRESQL_ONLY:
        op.execute(statement)


def downgrade() -> None:
    for table in ("line_batches", "batch_movements", "batches"):
        op.drop_table(table)
    if not _is_sqlite():
        op.execute("DROP FUNCTION keep_batch_movements")
    with columns_of_products_change():
        op.drop_column("products", "has_batches")
    op.execute("UPDATE stock_movements SET reason = 'adjust' WHERE reason IN ('set_aside', 'release')")
    _allow_reasons(BEFORE)


def _create_batches() -> None:
    whole_report = " AND ".join(f"(reported_on IS NULL) = ({panel} = '')" for panel in PANELS)
    op.create_table(
        "batches",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("product_id", sa.Integer(), nullable=False),
        sa.Column("code", sa.String(), nullable=False),
        sa.Column("packed_on", sa.Date(), nullable=True),
        sa.Column("expires_on", sa.Date(), nullable=True),
        sa.Column("reported_on", sa.Date(), nullable=True),
        *(sa.Column(panel, sa.String(), nullable=False) for panel in PANELS),
        sa.Column("thc_percent", sa.Float(), nullable=True),
        sa.Column("cbd_percent", sa.Float(), nullable=True),
        sa.Column("unit_cost_cents", sa.Integer(), nullable=True),
        sa.Column("is_approved", sa.Boolean(), nullable=False),
        sa.Column("hold_reason", sa.String(), nullable=False),
        sa.Column("recalled_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("recall_reason", sa.String(), nullable=False),
        sa.Column("units", sa.Integer(), nullable=False),
        sa.Column("set_aside", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("length(code) BETWEEN 1 AND 60", name=op.f("ck_batches_code_length")),
        sa.CheckConstraint("units >= 0", name=op.f("ck_batches_units_not_negative")),
        sa.CheckConstraint("set_aside >= 0", name=op.f("ck_batches_set_aside_not_negative")),
        sa.CheckConstraint("unit_cost_cents >= 0", name=op.f("ck_batches_unit_cost_not_negative")),
        sa.CheckConstraint("thc_percent BETWEEN 0 AND 100", name=op.f("ck_batches_thc_range")),
        sa.CheckConstraint("cbd_percent BETWEEN 0 AND 100", name=op.f("ck_batches_cbd_range")),
        sa.CheckConstraint("packed_on <= expires_on", name=op.f("ck_batches_packed_before_it_expires")),
        sa.CheckConstraint(whole_report, name=op.f("ck_batches_report_is_whole")),
        sa.CheckConstraint("(recalled_at IS NULL) = (recall_reason = '')", name=op.f("ck_batches_recall_has_reason")),
        sa.CheckConstraint(
            "units = 0 OR (is_approved AND hold_reason = '' AND recalled_at IS NULL)",
            name=op.f("ck_batches_only_sound_units_are_sold"),
        ),
        sa.ForeignKeyConstraint(["product_id"], ["products.id"], name=op.f("fk_batches_product_id_products")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_batches")),
        sa.UniqueConstraint("product_id", "code", name=op.f("uq_batches_product_id_code")),
        sa.UniqueConstraint("id", "product_id", name=op.f("uq_batches_id_product_id")),
    )
    op.create_index("ix_batches_expires_on", "batches", ["expires_on"])


def _allow_reasons(reasons: str) -> None:
    """Without reflecting the referenced table `orders`: its indexes on expressions cannot be reflected."""
    with op.batch_alter_table("stock_movements", reflect_kwargs={"resolve_fks": False}) as batch:
        batch.drop_constraint(op.f("ck_stock_movements_reason_known"), type_="check")
        batch.create_check_constraint(op.f("ck_stock_movements_reason_known"), f"reason IN ({reasons})")


def _is_sqlite() -> bool:
    return bool(op.get_bind().dialect.name == "sqlite")
