"""The lab report that shoppers read of a product with batches (RULE batch-reports)."""

from sqlalchemy import select
from sqlmodel import Session, col

from marketplace_app.models import Batch
from marketplace_app.schemas.products.lab_reports import LAB_PANELS, LabReportAnswer, lab_report_of_row
from marketplace_app.services.batches.states import is_for_sale, today

_BATCH_COLUMNS = [getattr(Batch, name) for name in ("code", "reported_on", *(panel for _, panel in LAB_PANELS))]


def report_of_next_batch(session: Session, product_id: int) -> LabReportAnswer | None:
    """The report of the batch from which the next order is served (RULE fefo). None if no batch is for sale, or if that
    batch has no report."""
    day = today()
    statement = (
        select(*_BATCH_COLUMNS)
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
