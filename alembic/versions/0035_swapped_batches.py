"""A reason in the stock ledger for an order's units of one batch that were swapped for units of another."""

from alembic import op

revision = "0035"
down_revision = "0034"
contracts = ("stock_movements: ck_stock_movements_reason_known",)
"""The previous release writes only the reasons that it knows, which are still allowed."""

BEFORE = "'opening', 'sale', 'cancel', 'adjust', 'import', 'set_aside', 'release'"
AFTER = f"{BEFORE}, 'swap'"


def upgrade() -> None:
    _allow_reasons(AFTER)


def downgrade() -> None:
    for reason, sign in (("cancel", ">"), ("sale", "<")):
        op.execute(f"UPDATE stock_movements SET reason = '{reason}' WHERE reason = 'swap' AND change {sign} 0")
    _allow_reasons(BEFORE)


def _allow_reasons(reasons: str) -> None:
    """Without reflecting the referenced table `orders`: its indexes on expressions cannot be reflected."""
    with op.batch_alter_table("stock_movements", reflect_kwargs={"resolve_fks": False}) as batch:
        batch.drop_constraint(op.f("ck_stock_movements_reason_known"), type_="check")
        batch.create_check_constraint(op.f("ck_stock_movements_reason_known"), f"reason IN ({reasons})")
