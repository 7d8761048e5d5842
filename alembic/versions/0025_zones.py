"""Delivery zones and their ZIP codes."""

import sqlalchemy as sa

from alembic import op

revision = "0025"
down_revision = "0024"

AMOUNTS = ("fee", "minimum", "free_from")
ONLY_DIGITS = "length(zip_code) = 5 AND length(trim(zip_code, '0123456789')) = 0"


def upgrade() -> None:
    op.create_table(
        "zones",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        *[sa.Column(f"{name}_cents", sa.Integer(), nullable=True) for name in AMOUNTS],
        sa.CheckConstraint("length(name) BETWEEN 1 AND 60", name=op.f("ck_zones_name_length")),
        *[sa.CheckConstraint(f"{name}_cents >= 0", name=op.f(f"ck_zones_{name}_not_negative")) for name in AMOUNTS],
        sa.PrimaryKeyConstraint("id", name=op.f("pk_zones")),
        sa.UniqueConstraint("name", name=op.f("uq_zones_name")),
    )
    op.create_table(
        "zone_zips",
        sa.Column("zip_code", sa.String(), nullable=False),
        sa.Column("zone_id", sa.Integer(), nullable=False),
        sa.CheckConstraint(ONLY_DIGITS, name=op.f("ck_zone_zips_zip_code_digits")),
        sa.ForeignKeyConstraint(["zone_id"], ["zones.id"], name=op.f("fk_zone_zips_zone_id_zones"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("zip_code", name=op.f("pk_zone_zips")),
    )
    op.create_index("ix_zone_zips_zone_id", "zone_zips", ["zone_id"])


def downgrade() -> None:
    op.drop_index("ix_zone_zips_zone_id", "zone_zips")
    op.drop_table("zone_zips")
    op.drop_table("zones")
