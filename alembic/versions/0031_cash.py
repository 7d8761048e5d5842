"""The cash ledger, drivers' shifts with their counts, change kept as credit, and which statuses were set by hand."""

import sqlalchemy as sa

from alembic import op

revision = "0031"
down_revision = "0030"
contracts = ("credit_entries: ck_credit_entries_reason_known",)
"""The previous release writes only the reasons that it knows, which are still allowed."""

CREDIT_BEFORE = "'referral', 'reversal', 'spent', 'refund', 'adjustment'"
CREDIT_AFTER = f"{CREDIT_BEFORE}, 'change', 'change_returned'"
ACCOUNTS = "'customers', 'driver', 'desk', 'safe', 'bank', 'variance', 'before'"
REASONS = (
    "'taken', 'returned', 'change_kept', 'change_returned', 'float', 'handed_in', 'shortage', 'surplus', 'drop', "
    "'deposit', 'withdrawal', 'refill', 'correction', 'before'"
)
TRANSFERS = (
    "'taken customers>driver', 'taken customers>desk', 'returned driver>customers', "
    "'returned desk>customers', 'returned before>customers', 'change_kept customers>driver', "
    "'change_returned driver>customers', 'change_returned desk>customers', 'float desk>driver', "
    "'float safe>driver', 'handed_in driver>desk', 'shortage driver>variance', 'surplus variance>driver', "
    "'drop desk>safe', 'deposit safe>bank', 'withdrawal bank>safe', 'refill safe>desk', "
    "'correction desk>variance', 'correction safe>variance', 'correction variance>desk', "
    "'correction variance>safe', 'correction before>desk', 'correction before>safe', "
    "'before customers>before'"
)
FOR_ORDERS = "'taken', 'returned', 'change_kept', 'change_returned', 'before'"
REFUSALS = {
    "cash_movements": ("movements of cash are append-only", "id = NEW.id"),
    "shift_counts": (
        "counts of shifts are append-only",
        "id = NEW.id OR (shift_id = NEW.shift_id AND number = NEW.number)",
    ),
    "driver_shifts": (
        "closed shifts are append-only",
        "id = NEW.id OR (driver_id = NEW.driver_id AND closed_at IS NULL AND NEW.closed_at IS NULL)",
    ),
}


def upgrade() -> None:
    _allow_credit(CREDIT_AFTER)
    op.add_column(
        "order_status_changes", sa.Column("is_by_hand", sa.Boolean(), nullable=False, server_default=sa.false())
    )
    _create_shifts()
    _create_movements()
    op.execute(
        """INSERT INTO cash_movements (from_account, to_account, cents, reason, order_id, slip_number, note, created_at)
        SELECT 'customers', 'before', o.total_cents, 'before', o.id, '', '',
               COALESCE((SELECT MAX(c.created_at) FROM order_status_changes c
                         WHERE c.order_id = o.id AND c.to_status = 'delivered'), o.created_at)
        FROM orders o WHERE o.status = 'delivered' AND o.total_cents > 0"""
    )
    op.execute("INSERT INTO counters (name, value, text_value) VALUES ('cash', 0, '')")
    for statement in _sqlite_triggers() if _is_sqlite() else _postgresql_triggers():
        op.execute(statement)


def downgrade() -> None:
    op.execute("DELETE FROM counters WHERE name = 'cash'")
    for name in ("cash_movements", "shift_counts", "driver_shifts"):
        op.drop_table(name)
        if not _is_sqlite():
            op.execute(f"DROP FUNCTION keep_{name}()")
    op.drop_column("order_status_changes", "is_by_hand")
    op.execute("DELETE FROM credit_entries WHERE reason IN ('change', 'change_returned')")
    _allow_credit(CREDIT_BEFORE)


def _create_shifts() -> None:
    op.create_table(
        "driver_shifts",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("driver_id", sa.Integer(), nullable=False),
        sa.Column("opened_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("opened_by_id", sa.Integer(), nullable=False),
        sa.Column("closed_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("closed_by_id", sa.Integer(), nullable=True),
        sa.Column("witness_id", sa.Integer(), nullable=True),
        sa.Column("difference_cents", sa.Integer(), nullable=True),
        sa.Column("reason", sa.String(), nullable=False),
        sa.CheckConstraint(
            "(closed_at IS NULL) = (closed_by_id IS NULL) AND (closed_at IS NULL) = (difference_cents IS NULL)",
            name=op.f("ck_driver_shifts_end_is_whole"),
        ),
        sa.CheckConstraint(
            "difference_cents = 0 OR (difference_cents IS NULL AND witness_id IS NULL)"
            " OR (reason <> '' AND witness_id IS NOT NULL)",
            name=op.f("ck_driver_shifts_difference_is_explained"),
        ),
        sa.CheckConstraint("witness_id <> closed_by_id", name=op.f("ck_driver_shifts_witness_is_another")),
        sa.CheckConstraint("length(reason) <= 300", name=op.f("ck_driver_shifts_reason_length")),
        *_people("driver_shifts", "driver_id", "opened_by_id", "closed_by_id", "witness_id"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_driver_shifts")),
    )
    _index_columns("driver_shifts", "driver_id", "opened_by_id", "closed_by_id", "witness_id")
    op.create_index("ix_driver_shifts_closed_at", "driver_shifts", ["closed_at", "id"])
    still_open = sa.text("closed_at IS NULL")
    op.create_index(
        "uq_driver_shifts_open",
        "driver_shifts",
        ["driver_id"],
        unique=True,
        sqlite_where=still_open,
        postgresql_where=still_open,
    )
    op.create_table(
        "shift_counts",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("shift_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("pieces", sa.JSON(), nullable=False),
        sa.Column("counted_cents", sa.Integer(), nullable=False),
        sa.Column("counted_by_id", sa.Integer(), nullable=False),
        sa.Column("counted_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("number BETWEEN 1 AND 2", name=op.f("ck_shift_counts_number_range")),
        sa.CheckConstraint("counted_cents >= 0", name=op.f("ck_shift_counts_counted_not_negative")),
        sa.ForeignKeyConstraint(
            ["shift_id"], ["driver_shifts.id"], name=op.f("fk_shift_counts_shift_id_driver_shifts")
        ),
        *_people("shift_counts", "counted_by_id"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_shift_counts")),
        sa.UniqueConstraint("shift_id", "number", name=op.f("uq_shift_counts_shift_id_number")),
    )
    _index_columns("shift_counts", "counted_by_id")


def _create_movements() -> None:
    op.create_table(
        "cash_movements",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("from_account", sa.String(), nullable=False),
        sa.Column("to_account", sa.String(), nullable=False),
        sa.Column("cents", sa.Integer(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("order_id", sa.String(), nullable=True),
        sa.Column("shift_id", sa.Integer(), nullable=True),
        sa.Column("actor_id", sa.Integer(), nullable=True),
        sa.Column("witness_id", sa.Integer(), nullable=True),
        sa.Column("slip_number", sa.String(), nullable=False),
        sa.Column("note", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        *(
            sa.CheckConstraint(condition, name=op.f(f"ck_cash_movements_{name}"))
            for name, condition in {
                "from_account_known": f"from_account IN ({ACCOUNTS})",
                "to_account_known": f"to_account IN ({ACCOUNTS})",
                "reason_known": f"reason IN ({REASONS})",
                "cents_positive": "cents > 0",
                "transfer_known": f"reason || ' ' || from_account || '>' || to_account IN ({TRANSFERS})",
                "driver_has_shift": "(from_account = 'driver' OR to_account = 'driver') = (shift_id IS NOT NULL)",
                "order_given": f"(reason IN ({FOR_ORDERS})) = (order_id IS NOT NULL)",
                "actor_given": "(reason = 'before') = (actor_id IS NULL)",
                "slip_given": "(reason IN ('deposit', 'withdrawal')) = (slip_number <> '')",
                "correction_explained": "reason <> 'correction' OR note <> ''",
                "witness_is_another": "witness_id <> actor_id",
                "note_length": "length(note) <= 300",
                "slip_length": "length(slip_number) <= 40",
            }.items()
        ),
        sa.ForeignKeyConstraint(["order_id"], ["orders.id"], name=op.f("fk_cash_movements_order_id_orders")),
        sa.ForeignKeyConstraint(
            ["shift_id"], ["driver_shifts.id"], name=op.f("fk_cash_movements_shift_id_driver_shifts")
        ),
        *_people("cash_movements", "actor_id", "witness_id"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_cash_movements")),
    )
    _index_columns("cash_movements", "order_id", "actor_id", "witness_id")
    op.create_index("ix_cash_movements_accounts", "cash_movements", ["from_account", "to_account", "cents"])
    op.create_index("ix_cash_movements_shift_id", "cash_movements", ["shift_id", "from_account", "cents"])


def _people(table: str, *columns: str) -> list[sa.ForeignKeyConstraint]:
    return [sa.ForeignKeyConstraint([name], ["users.id"], name=op.f(f"fk_{table}_{name}_users")) for name in columns]


def _index_columns(table: str, *columns: str) -> None:
    for name in columns:
        op.create_index(f"ix_{table}_{name}", table, [name])


def _allow_credit(reasons: str) -> None:
    """Without reflecting the referenced table `orders`: its indexes on expressions cannot be reflected."""
    with op.batch_alter_table("credit_entries", reflect_kwargs={"resolve_fks": False}) as batch:
        batch.drop_constraint(op.f("ck_credit_entries_reason_known"), type_="check")
        batch.create_check_constraint(op.f("ck_credit_entries_reason_known"), f"reason IN ({reasons})")


def _is_sqlite() -> bool:
    return op.get_bind().dialect.name == "sqlite"


def _is_kept(table: str) -> str:
    """The condition in SQL under which a row may not be changed: always, or for a shift, once it is closed."""
    return "OLD.closed_at IS NOT NULL" if table == "driver_shifts" else "OLD.id IS NOT NULL"


def _sqlite_triggers() -> list[str]:
    statements = []
    for table, (refusal, is_replaced) in REFUSALS.items():
        refuse = f"BEGIN SELECT RAISE(ABORT, '{refusal}'); END"
        statements += [
            f"CREATE TRIGGER {table}_keep_update BEFORE UPDATE ON {table} WHEN {_is_kept(table)} {refuse}",
            f"CREATE TRIGGER {table}_keep_delete BEFORE DELETE ON {table} {refuse}",
            # REPLACE runs the trigger that refuses to delete a row only if `recursive_triggers` is on.
            f"""CREATE TRIGGER {table}_keep_replace BEFORE INSERT ON {table}
            WHEN EXISTS (SELECT 1 FROM {table} WHERE {is_replaced}) {refuse}""",
        ]
    return statements


def _postgresql_triggers() -> list[str]:
    statements = []
    for table, (refusal, _) in REFUSALS.items():
        statements += [
            f"""CREATE FUNCTION keep_{table}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
            IF TG_OP = 'UPDATE' AND NOT ({_is_kept(table)}) THEN RETURN NEW; END IF;
            RAISE EXCEPTION '{refusal}';
            END $$""",
            f"""CREATE TRIGGER {table}_keep BEFORE UPDATE OR DELETE ON {table}
            FOR EACH ROW EXECUTE FUNCTION keep_{table}()""",
            f"""CREATE TRIGGER {table}_keep_all BEFORE TRUNCATE ON {table}
            FOR EACH STATEMENT EXECUTE FUNCTION keep_{table}()""",
        ]
    return statements
