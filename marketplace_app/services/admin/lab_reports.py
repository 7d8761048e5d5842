"""Lab reports: the four panels of a product's results and, where there is one, the laboratory's own document."""

from sqlalchemy import select
from sqlmodel import Session, col

from marketplace_app.adapters import live
from marketplace_app.errors import Conflict, NotFound
from marketplace_app.models import LabReport, Permission, User
from marketplace_app.schemas.admin.products import AdminProductView
from marketplace_app.schemas.products.lab_reports import LabReportForm
from marketplace_app.services.accounts import require
from marketplace_app.services.admin.products import view
from marketplace_app.services.records import announcements, audit_log
from marketplace_app.services.stock import lock_product


class NoLabReport(Conflict):
    code = "no_lab_report"
    message = "Please save the lab report first, then add its PDF."


def save(session: Session, actor: User | None, product_id: int, form: LabReportForm) -> AdminProductView:
    """Write or replace the panels, lot and date. An existing document stays. Raises NotFound."""
    staff = require(actor, Permission.EDIT_PRODUCTS)
    lock_product(session, product_id)
    report, values = _find(session, product_id), form.model_dump()
    if report is not None and all(getattr(report, name) == value for name, value in values.items()):
        return view(session, product_id)
    report = report or LabReport(product_id=product_id, **values)
    for name, value in values.items():
        setattr(report, name, value)
    session.add(report)
    return _record(session, staff, product_id, "product.lab_report_saved", lot=form.lot)


def remove(session: Session, actor: User | None, product_id: int) -> str:
    """Remove the report; returns the URL of its document, which is no longer used. Raises NotFound."""
    staff = require(actor, Permission.EDIT_PRODUCTS)
    report = _lock_and_get(session, product_id)
    url = report.pdf
    session.delete(report)
    _record(session, staff, product_id, "product.lab_report_removed", lot=report.lot)
    return url


def set_pdf(session: Session, actor: User | None, product_id: int, url: str) -> str:
    """Set the URL of the report's document; an empty one removes the document, if there is one.

    Returns the previous document's URL, which is no longer used. Raises NotFound, NoLabReport.
    """
    staff = require(actor, Permission.EDIT_PRODUCTS)
    lock_product(session, product_id)
    report = _find(session, product_id)
    if report is None:
        raise NoLabReport()
    if not url and not report.pdf:
        return ""
    previous, report.pdf = report.pdf, url
    session.add(report)
    _record(session, staff, product_id, "product.lab_report_pdf" if url else "product.lab_report_pdf_removed")
    return previous


def _lock_and_get(session: Session, product_id: int) -> LabReport:
    lock_product(session, product_id)
    report = _find(session, product_id)
    if report is None:
        raise NotFound("No lab report on file.")
    return report


def _find(session: Session, product_id: int) -> LabReport | None:
    statement = select(LabReport).where(col(LabReport.product_id) == product_id)
    found: LabReport | None = session.execute(statement).scalar_one_or_none()
    return found


def _record(session: Session, staff: User, product_id: int, action: str, **details: str) -> AdminProductView:
    session.flush()
    audit_log.append(session, staff, action, f"product:{product_id}", **details)
    announcements.publish(session, live.STAFF)
    announcements.publish(session, live.product(product_id))
    return view(session, product_id)
