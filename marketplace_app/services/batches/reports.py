"""The lab report that shoppers read of a product with batches (RULE batch-reports)."""

from sqlalchemy import select
from sqlmodel import Session, col

from marketplace_app.models import Batch
from marketplace_app.models.batches import PANELS
from marketplace_app.schemas.products.lab_reports import LabReportAnswer, lab_report_of_row
from marketplace_app.services.batches.states import is_for_sale, today

_OF_BATCH = [getattr(Batch, name) for name in ("code", "reported_on", *PANELS)]


def report_of_next_batch(session: Session, product_id: int) -> LabReportAnswer | None:
    """The report of the batch from which an order would be served first (RULE fefo); None if it has none."""
    day = today()
    statement = (
        select(*_OF_BATCH)
        .where(col(Batch.product_id) == product_id, col(Batch.units) > 0, is_for_sale(day))
        .order_by(col(Batch.expires_on).is_(None), col(Batch.expires_on), col(Batch.id))
        .limit(1)
    )
    row = session.execute(statement).one_or_none()
    if row is None or row.reported_on is None:
        return None
    code, reported_on, *results = row
    no_pdf = ""
    return lab_report_of_row((code, reported_on, no_pdf, *results))
