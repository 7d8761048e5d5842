"""Runs with their stops and events, the question to a customer whether they are ready, and the role of drivers."""

from contextlib import AbstractContextManager

import sqlalchemy as sa
from alembic.operations import BatchOperations

from alembic import op

revision = "0029"
down_revision = "0028"
contracts = ("users: ck_users_role_known", "users: ck_users_granted_role_known")
"""The previous release writes only the roles that it knows, which are still allowed."""

BEFORE = "'customer', 'viewer', 'support', 'manager', 'owner'"
AFTER = "'customer', 'driver', 'viewer', 'support', 'manager', 'owner'"
OUTCOMES = "'delivered', 'failed', 'cancelled', 'removed'"
FAILURES = (
    "'not_home', 'no_id', 'under_21', 'other_person', 'intoxicated', 'short_of_cash', 'refused', 'unsafe', "
    "'no_such_address', 'other'"
)
KINDS = (
    "'arrived', 'id_checked', 'pin_entered', 'cash_counted', 'signed', 'bag_placed', 'failed', 'returned', 'released'"
)


def upgrade() -> None:
    _allow_roles(AFTER)
    with _deliveries() as batch:
        batch.add_column(sa.Column("ready_asked_at", sa.DateTime(timezone=True), nullable=True))
        batch.add_column(sa.Column("ready_at", sa.DateTime(timezone=True), nullable=True))
        batch.create_check_constraint(
            op.f("ck_order_deliveries_asked_before_ready"), "ready_asked_at IS NOT NULL OR ready_at IS NULL"
        )
    op.create_table(
        "runs",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("driver_id", sa.Integer(), nullable=False),
        sa.Column("vehicle", sa.String(), nullable=False),
        sa.Column("planned_by_id", sa.Integer(), nullable=False),
        sa.Column("planned_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("departed_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("closed_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint("length(vehicle) <= 60", name=op.f("ck_runs_vehicle_length")),
        sa.CheckConstraint(
            "departed_at IS NOT NULL OR closed_at IS NULL", name=op.f("ck_runs_departs_before_it_closes")
        ),
        sa.ForeignKeyConstraint(["driver_id"], ["users.id"], name=op.f("fk_runs_driver_id_users")),
        sa.ForeignKeyConstraint(["planned_by_id"], ["users.id"], name=op.f("fk_runs_planned_by_id_users")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_runs")),
    )
    op.create_index("ix_runs_driver_id", "runs", ["driver_id"])
    op.create_index("ix_runs_planned_by_id", "runs", ["planned_by_id"])
    op.create_index("ix_runs_day", "runs", ["day", "id"])
    _unique_where("uq_runs_driver_out", "runs", "driver_id", "departed_at IS NOT NULL AND closed_at IS NULL")
    op.create_table(
        "run_stops",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("run_id", sa.Integer(), nullable=False),
        sa.Column("order_id", sa.String(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("added_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("outcome", sa.String(), nullable=True),
        sa.Column("failure", sa.String(), nullable=True),
        sa.Column("wrong_pins", sa.Integer(), nullable=False),
        sa.Column("flag", sa.String(), nullable=True),
        sa.CheckConstraint("position >= 1", name=op.f("ck_run_stops_position_positive")),
        sa.CheckConstraint("wrong_pins BETWEEN 0 AND 5", name=op.f("ck_run_stops_wrong_pins_range")),
        sa.CheckConstraint("(ended_at IS NULL) = (outcome IS NULL)", name=op.f("ck_run_stops_end_is_whole")),
        sa.CheckConstraint(
            "(failure IS NOT NULL) = (outcome IS NOT NULL AND outcome = 'failed')",
            name=op.f("ck_run_stops_failure_given"),
        ),
        sa.CheckConstraint(f"outcome IN ({OUTCOMES})", name=op.f("ck_run_stops_outcome_known")),
        sa.CheckConstraint(f"failure IN ({FAILURES})", name=op.f("ck_run_stops_failure_known")),
        sa.CheckConstraint("flag IN ('wrong_pin', 'no_pin')", name=op.f("ck_run_stops_flag_known")),
        sa.ForeignKeyConstraint(["run_id"], ["runs.id"], name=op.f("fk_run_stops_run_id_runs"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(
            ["order_id"], ["orders.id"], name=op.f("fk_run_stops_order_id_orders"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_run_stops")),
    )
    op.create_index("ix_run_stops_run_id", "run_stops", ["run_id", "position"])
    op.create_index("ix_run_stops_order_id", "run_stops", ["order_id"])
    _unique_where("uq_run_stops_open_order", "run_stops", "order_id", "ended_at IS NULL")
    flagged = sa.text("flag IS NOT NULL")
    op.create_index("ix_run_stops_flag", "run_stops", ["flag"], sqlite_where=flagged, postgresql_where=flagged)
    op.create_table(
        "stop_events",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("stop_id", sa.Integer(), nullable=False),
        sa.Column("sequence", sa.Integer(), nullable=True),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("source", sa.String(), nullable=False),
        sa.Column("actor_id", sa.Integer(), nullable=False),
        sa.Column("claimed_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("received_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("data", sa.JSON(), nullable=False),
        sa.Column("result", sa.String(), nullable=False),
        sa.Column("code", sa.String(), nullable=True),
        sa.CheckConstraint("length(key) = 26", name=op.f("ck_stop_events_key_is_ulid")),
        sa.CheckConstraint("sequence >= 1", name=op.f("ck_stop_events_sequence_positive")),
        sa.CheckConstraint("(sequence IS NOT NULL) = (source = 'phone')", name=op.f("ck_stop_events_phones_count")),
        sa.CheckConstraint("(code IS NOT NULL) = (result = 'refused')", name=op.f("ck_stop_events_refusal_has_code")),
        sa.CheckConstraint(f"kind IN ({KINDS})", name=op.f("ck_stop_events_kind_known")),
        sa.CheckConstraint("source IN ('phone', 'dispatch', 'paper')", name=op.f("ck_stop_events_source_known")),
        sa.CheckConstraint("result IN ('applied', 'waiting', 'refused')", name=op.f("ck_stop_events_result_known")),
        sa.ForeignKeyConstraint(
            ["stop_id"], ["run_stops.id"], name=op.f("fk_stop_events_stop_id_run_stops"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["actor_id"], ["users.id"], name=op.f("fk_stop_events_actor_id_users")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_stop_events")),
        sa.UniqueConstraint("key", name=op.f("uq_stop_events_key")),
        sa.UniqueConstraint("stop_id", "sequence", name=op.f("uq_stop_events_stop_id_sequence")),
    )
    op.create_index("ix_stop_events_actor_id", "stop_events", ["actor_id"])


def downgrade() -> None:
    for name in ("stop_events", "run_stops", "runs"):
        op.drop_table(name)
    with _deliveries() as batch:
        batch.drop_constraint(op.f("ck_order_deliveries_asked_before_ready"), type_="check")
        batch.drop_column("ready_at")
        batch.drop_column("ready_asked_at")
    for column in ("role", "granted_role"):
        op.execute(f"UPDATE users SET {column} = 'customer' WHERE {column} = 'driver'")  # noqa: S608
    _allow_roles(BEFORE)


def _deliveries() -> AbstractContextManager[BatchOperations]:
    """Without reflecting the referenced table `orders`: its indexes on expressions cannot be reflected."""
    return op.batch_alter_table("order_deliveries", reflect_kwargs={"resolve_fks": False})


def _allow_roles(roles: str) -> None:
    with op.batch_alter_table("users") as batch:
        for column in ("role", "granted_role"):
            batch.drop_constraint(op.f(f"ck_users_{column}_known"), type_="check")
            batch.create_check_constraint(op.f(f"ck_users_{column}_known"), f"{column} IN ({roles})")


def _unique_where(name: str, table: str, column: str, condition: str) -> None:
    where = sa.text(condition)
    op.create_index(name, table, [column], unique=True, sqlite_where=where, postgresql_where=where)
