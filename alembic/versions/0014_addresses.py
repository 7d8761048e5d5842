"""Phone numbers and saved addresses of users."""

import sqlalchemy as sa

from alembic import op

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    op.add_column("users", sa.Column("phone", sa.String(), server_default="", nullable=False))
    op.create_table(
        "addresses",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("label", sa.String(), nullable=False),
        sa.Column("street", sa.String(), nullable=False),
        sa.Column("city", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("zip_code", sa.String(), nullable=False),
        sa.Column("delivery_instructions", sa.String(), nullable=False),
        sa.Column("payment_instructions", sa.String(), nullable=False),
        sa.Column("is_default", sa.Boolean(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("place BETWEEN 1 AND 10", name=op.f("ck_addresses_place_range")),
        sa.CheckConstraint(
            "street <> '' AND city <> '' AND state <> '' AND zip_code <> ''", name=op.f("ck_addresses_is_whole")
        ),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_addresses_user_id_users"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_addresses")),
        sa.UniqueConstraint("user_id", "place", name=op.f("uq_addresses_user_id_place")),
    )
    op.create_index(
        "uq_addresses_default",
        "addresses",
        ["user_id"],
        unique=True,
        sqlite_where=sa.text("is_default"),
        postgresql_where=sa.text("is_default"),
    )


def downgrade() -> None:
    op.drop_index("uq_addresses_default", "addresses")
    op.drop_table("addresses")
    op.drop_column("users", "phone")
