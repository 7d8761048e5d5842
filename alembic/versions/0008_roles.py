"""Roles between customer and owner, granted by owners."""

import sqlalchemy as sa

from alembic import op

revision = "0008"
down_revision = "0007"

ROLES = "'customer', 'viewer', 'support', 'manager', 'owner'"


def upgrade() -> None:
    with op.batch_alter_table("users") as batch:
        batch.add_column(sa.Column("granted_role", sa.String(), nullable=False, server_default="customer"))
        batch.drop_constraint(op.f("ck_users_role_known"), type_="check")
        batch.create_check_constraint(op.f("ck_users_role_known"), f"role IN ({ROLES})")
        batch.create_check_constraint(op.f("ck_users_granted_role_known"), f"granted_role IN ({ROLES})")
    with op.batch_alter_table("users") as batch:
        batch.alter_column("granted_role", server_default=None)


def downgrade() -> None:
    op.execute("UPDATE users SET role = 'customer' WHERE role <> 'owner'")
    with op.batch_alter_table("users") as batch:
        batch.drop_constraint(op.f("ck_users_granted_role_known"), type_="check")
        batch.drop_constraint(op.f("ck_users_role_known"), type_="check")
        batch.create_check_constraint(op.f("ck_users_role_known"), "role IN ('customer', 'owner')")
        batch.drop_column("granted_role")
