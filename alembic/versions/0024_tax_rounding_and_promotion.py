"""Tax, cash rounding and promotions are part of an order's total."""

import sqlalchemy as sa

from alembic import op
from marketplace_app.jobs.migrate import constraints_of_orders_change

revision = "0024"
down_revision = "0023"

COLUMNS = ("promotion_discount", "tax", "cash_rounding")
contracts = tuple(f"orders: ck_orders_{name}_not_negative" for name in COLUMNS)
"""The previous release does not write these columns, and their defaults satisfy the checks."""

BEFORE = (
    "total_cents = subtotal_cents + delivery_fee_cents"
    " - new_customer_discount_cents - referral_discount_cents - credit_applied_cents"
)
AFTER = (
    "total_cents = subtotal_cents + delivery_fee_cents"
    " - new_customer_discount_cents - referral_discount_cents - promotion_discount_cents"
    " + tax_cents - credit_applied_cents - cash_rounding_cents"
)


def upgrade() -> None:
    with constraints_of_orders_change() as batch:
        batch.drop_constraint(op.f("ck_orders_total_adds_up"), type_="check")
        for name in COLUMNS:
            batch.add_column(sa.Column(f"{name}_cents", sa.Integer(), nullable=False, server_default="0"))
            batch.create_check_constraint(op.f(f"ck_orders_{name}_not_negative"), f"{name}_cents >= 0")
        batch.create_check_constraint(op.f("ck_orders_total_adds_up"), AFTER)


def downgrade() -> None:
    """Fails if an order has such an amount, because without it the order's total would not add up."""
    with constraints_of_orders_change() as batch:
        batch.drop_constraint(op.f("ck_orders_total_adds_up"), type_="check")
        for name in COLUMNS:
            batch.drop_constraint(op.f(f"ck_orders_{name}_not_negative"), type_="check")
            batch.drop_column(f"{name}_cents")
        batch.create_check_constraint(op.f("ck_orders_total_adds_up"), BEFORE)
