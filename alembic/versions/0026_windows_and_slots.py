"""Delivery windows, days without deliveries, slots, and how each order is delivered."""

import sqlalchemy as sa

from alembic import op

revision = "0026"
down_revision = "0025"

SLOT_KEYS = ("zone_id", "slot_id", "held_slot_id")
PIN_DIGITS = "length(door_pin) = 4 AND length(trim(door_pin, '0123456789')) = 0"


def upgrade() -> None:
    op.create_table(
        "windows",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("zone_id", sa.Integer(), nullable=False),
        sa.Column("weekday", sa.Integer(), nullable=False),
        sa.Column("opens_minute", sa.Integer(), nullable=False),
        sa.Column("closes_minute", sa.Integer(), nullable=False),
        sa.Column("cutoff_minutes", sa.Integer(), nullable=False),
        sa.Column("capacity", sa.Integer(), nullable=False),
        sa.CheckConstraint("weekday BETWEEN 0 AND 6", name=op.f("ck_windows_weekday_known")),
        sa.CheckConstraint(
            "opens_minute >= 0 AND opens_minute < closes_minute AND closes_minute <= 1440",
            name=op.f("ck_windows_opens_before_it_closes"),
        ),
        sa.CheckConstraint("cutoff_minutes BETWEEN 0 AND 10080", name=op.f("ck_windows_cutoff_range")),
        sa.CheckConstraint("capacity BETWEEN 1 AND 1000", name=op.f("ck_windows_capacity_range")),
        sa.ForeignKeyConstraint(["zone_id"], ["zones.id"], name=op.f("fk_windows_zone_id_zones"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_windows")),
        sa.UniqueConstraint(
            "zone_id",
            "weekday",
            "opens_minute",
            "closes_minute",
            name=op.f("uq_windows_zone_id_weekday_opens_minute_closes_minute"),
        ),
    )
    op.create_table(
        "closures",
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.CheckConstraint("length(reason) BETWEEN 0 AND 200", name=op.f("ck_closures_reason_length")),
        sa.PrimaryKeyConstraint("day", name=op.f("pk_closures")),
    )
    op.create_table(
        "slots",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("window_id", sa.Integer(), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("starts_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ends_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("capacity", sa.Integer(), nullable=False),
        sa.Column("taken", sa.Integer(), nullable=False),
        sa.CheckConstraint("taken BETWEEN 0 AND capacity", name=op.f("ck_slots_taken_range")),
        sa.CheckConstraint("starts_at < ends_at", name=op.f("ck_slots_starts_before_it_ends")),
        sa.ForeignKeyConstraint(
            ["window_id"], ["windows.id"], name=op.f("fk_slots_window_id_windows"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_slots")),
        sa.UniqueConstraint("window_id", "day", name=op.f("uq_slots_window_id_day")),
    )
    op.create_table(
        "order_deliveries",
        sa.Column("order_id", sa.String(), nullable=False),
        sa.Column("zone_id", sa.Integer(), nullable=True),
        sa.Column("zone_name", sa.String(), nullable=False),
        sa.Column("slot_id", sa.Integer(), nullable=True),
        sa.Column("held_slot_id", sa.Integer(), nullable=True),
        sa.Column("window_starts_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("window_ends_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("promised_by", sa.DateTime(timezone=True), nullable=False),
        sa.Column("door_pin", sa.String(), nullable=False),
        sa.Column("substitution", sa.String(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.CheckConstraint(PIN_DIGITS, name=op.f("ck_order_deliveries_door_pin_digits")),
        sa.CheckConstraint("attempts >= 0", name=op.f("ck_order_deliveries_attempts_not_negative")),
        sa.CheckConstraint(
            "held_slot_id IS NULL OR held_slot_id = slot_id", name=op.f("ck_order_deliveries_holds_its_own_slot")
        ),
        sa.CheckConstraint(
            "(window_starts_at IS NULL) = (window_ends_at IS NULL)", name=op.f("ck_order_deliveries_window_is_whole")
        ),
        sa.CheckConstraint(
            "window_starts_at < window_ends_at", name=op.f("ck_order_deliveries_window_starts_before_it_ends")
        ),
        sa.CheckConstraint(
            "substitution IN ('any', 'close', 'ask')", name=op.f("ck_order_deliveries_substitution_known")
        ),
        sa.ForeignKeyConstraint(
            ["order_id"], ["orders.id"], name=op.f("fk_order_deliveries_order_id_orders"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["zone_id"], ["zones.id"], name=op.f("fk_order_deliveries_zone_id_zones"), ondelete="SET NULL"
        ),
        sa.ForeignKeyConstraint(
            ["slot_id"], ["slots.id"], name=op.f("fk_order_deliveries_slot_id_slots"), ondelete="SET NULL"
        ),
        sa.ForeignKeyConstraint(
            ["held_slot_id"], ["slots.id"], name=op.f("fk_order_deliveries_held_slot_id_slots"), ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("order_id", name=op.f("pk_order_deliveries")),
    )
    for name in SLOT_KEYS:
        op.create_index(f"ix_order_deliveries_{name}", "order_deliveries", [name])


def downgrade() -> None:
    for name in SLOT_KEYS:
        op.drop_index(f"ix_order_deliveries_{name}", "order_deliveries")
    for table in ("order_deliveries", "slots", "closures", "windows"):
        op.drop_table(table)
