"""What is kept of erased accounts under a keyed hash of the identity: one-time discounts used, and a ban's reason.

Also the row `referrals` of `counters`, which is locked while referrals change.
"""

import sqlalchemy as sa

from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.create_table(
        "erased_identities",
        sa.Column("identity_hash", sa.String(), nullable=False),
        sa.Column("first_purchase_discount_used", sa.Boolean(), nullable=False),
        sa.Column("referral_bonus_used", sa.Boolean(), nullable=False),
        sa.Column("ban_reason", sa.String(), nullable=False),
        sa.Column("erased_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("identity_hash", name=op.f("pk_erased_identities")),
    )
    op.execute("INSERT INTO counters (name, value, text_value) VALUES ('referrals', 0, '')")


def downgrade() -> None:
    op.execute("DELETE FROM counters WHERE name = 'referrals'")
    op.drop_table("erased_identities")
