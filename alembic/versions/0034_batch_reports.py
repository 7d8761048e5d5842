"""A product's page shows the lab report of a batch, so batches raise the catalogue's version (0002).

A change of units counts only if a batch runs out or comes back, so ordinary sales do not wait for the counter. A batch
that is held, recalled or not approved has no units for sale, so its state needs no trigger of its own.
"""

from alembic import op

revision = "0034"
down_revision = "0033"

SHOWN = "code, expires_on, reported_on, pesticides, heavy_metals, residual_solvents, microbials"
BUMP = "UPDATE counters SET value = value + 1 WHERE name = 'catalogue'"
# Name, event, condition.
TRIGGERS = (
    ("made", "INSERT", ""),
    ("deleted", "DELETE", ""),
    ("changed", f"UPDATE OF {SHOWN}", ""),
    ("stocked", "UPDATE OF units", " WHEN ((OLD.units > 0) <> (NEW.units > 0))"),
)


def upgrade() -> None:
    action = f"BEGIN {BUMP}; END" if _is_sqlite() else "EXECUTE FUNCTION bump_catalogue()"
    for name, event, when in TRIGGERS:
        op.execute(f"CREATE TRIGGER catalogue_batches_{name} AFTER {event} ON batches FOR EACH ROW{when} {action}")


def downgrade() -> None:
    for name, _event, _when in TRIGGERS:
        op.execute(f"DROP TRIGGER catalogue_batches_{name}{'' if _is_sqlite() else ' ON batches'}")


def _is_sqlite() -> bool:
    return bool(op.get_bind().dialect.name == "sqlite")
