"""Lab reports, and the laboratory's documents (RULE lab-report-edit)."""

import pytest
from sqlalchemy import select
from sqlmodel import Session, col

from marketplace_app import errors
from marketplace_app.models import AuditEntry, Product
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.products.lab_reports import LabReportForm
from marketplace_app.services.admin import lab_reports
from tests.builders import make_product
from tests.conftest import Cast

REPORT = parse(LabReportForm, LabReportForm.EXAMPLE)
RETEST = parse(LabReportForm, LabReportForm.EXAMPLE | {"lot": "5713"})


@pytest.fixture
def fern(session: Session) -> Product:
    return make_product(session, "Fern Hollow")


def actions(session: Session) -> list[str]:
    return list(session.execute(select(col(AuditEntry.action)).order_by(col(AuditEntry.id))).scalars())


def test_a_document_needs_a_report(session: Session, cast: Cast, fern: Product) -> None:
    for url in ("/uploads/a.pdf", ""):
        with pytest.raises(lab_reports.NoLabReport):
            lab_reports.set_pdf(session, cast.ada, fern.id, url)


def test_a_report_that_is_replaced_keeps_its_document(session: Session, cast: Cast, fern: Product) -> None:
    lab_reports.save(session, cast.ada, fern.id, REPORT)
    lab_reports.set_pdf(session, cast.ada, fern.id, "/uploads/a.pdf")
    for _ in range(2):
        lab_reports.save(session, cast.ada, fern.id, RETEST)
    assert lab_reports.set_pdf(session, cast.ada, fern.id, "/uploads/b.pdf") == "/uploads/a.pdf"
    saved, pdf = "product.lab_report_saved", "product.lab_report_pdf"
    assert actions(session) == [saved, pdf, saved, pdf]


def test_removing_says_which_document_is_no_longer_used(session: Session, cast: Cast, fern: Product) -> None:
    lab_reports.save(session, cast.ada, fern.id, REPORT)
    assert lab_reports.set_pdf(session, cast.ada, fern.id, "") == ""
    lab_reports.set_pdf(session, cast.ada, fern.id, "/uploads/a.pdf")
    assert lab_reports.remove(session, cast.ada, fern.id) == "/uploads/a.pdf"
    with pytest.raises(errors.NotFound):
        lab_reports.remove(session, cast.ada, fern.id)
    assert actions(session)[-1] == "product.lab_report_removed"
    assert "product.lab_report_pdf_removed" not in actions(session), "there was none to remove"
