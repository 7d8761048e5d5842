"""Preferences."""

import sqlalchemy as sa

from alembic import op

revision = "0006"
down_revision = "0005"

LISTS = ("preferred_types", "preferred_effects", "preferred_flavors", "medical_needs", "avoid_effects")


def upgrade() -> None:
    op.create_table(
        "preferences",
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("experience_level", sa.String(), nullable=True),
        sa.Column("tolerance_level", sa.String(), nullable=True),
        sa.Column("primary_use_time", sa.String(), nullable=True),
        sa.Column("desired_intensity", sa.Integer(), server_default="5", nullable=False),
        sa.Column("preferred_types", sa.JSON(), nullable=False),
        sa.Column("preferred_effects", sa.JSON(), nullable=False),
        sa.Column("preferred_flavors", sa.JSON(), nullable=False),
        sa.Column("medical_needs", sa.JSON(), nullable=False),
        sa.Column("medical_consent_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("avoid_effects", sa.JSON(), nullable=False),
        sa.Column("saved_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint(
            "experience_level IN ('beginner', 'intermediate', 'advanced')",
            name=op.f("ck_preferences_experience_level_known"),
        ),
        sa.CheckConstraint(
            "tolerance_level IN ('low', 'medium', 'high')", name=op.f("ck_preferences_tolerance_level_known")
        ),
        sa.CheckConstraint(
            "primary_use_time IN ('morning', 'afternoon', 'evening', 'night')",
            name=op.f("ck_preferences_primary_use_time_known"),
        ),
        sa.CheckConstraint("desired_intensity BETWEEN 1 AND 10", name=op.f("ck_preferences_desired_intensity_range")),
        *[
            sa.CheckConstraint(
                f"substr(CAST({column} AS TEXT), 1, 1) = '['", name=op.f(f"ck_preferences_{column}_is_list")
            )
            for column in LISTS
        ],
        sa.CheckConstraint(
            "medical_consent_at IS NOT NULL OR CAST(medical_needs AS TEXT) = '[]'",
            name=op.f("ck_preferences_medical_needs_consented"),
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_preferences_user_id_users"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("user_id", name=op.f("pk_preferences")),
    )


def downgrade() -> None:
    op.drop_table("preferences")
