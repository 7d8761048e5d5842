"""The lab report on a product's page is that of the batch which is sold next (RULE batch-reports)."""

from datetime import date, timedelta
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import text
from sqlmodel import Session

from marketplace_app import db
from marketplace_app.models import LabReport, Product
from marketplace_app.services.batches.states import today
from marketplace_app.services.products import products
from tests.builders import make_batch, make_product
from tests.counting import count_statements

PANELS = dict.fromkeys(("pesticides", "heavy_metals", "residual_solvents", "microbials"), "Not Detected")
REPORT: dict[str, Any] = {"reported_on": date(2026, 9, 6), **PANELS}


@pytest.fixture
def fern(session: Session) -> Product:
    """Without batches, and with a report of its own."""
    product = make_product(session, stock=0)
    session.add(LabReport(product_id=product.id, lot="OWN", **REPORT))
    session.commit()
    return product


def shown_lot(client: TestClient, fern: Product) -> str:
    return str(client.get(f"/api/products/{fern.id}").json()["labReport"]["lot"])


def batch(session: Session, fern: Product, code: str, days: int | None = None, **values: Any) -> None:
    expires = None if days is None else today() + timedelta(days=days)
    make_batch(session, fern, code, **{"units": 2, "expires_on": expires} | values)
    session.commit()


def test_it_is_the_report_of_the_batch_that_expires_first(client: TestClient, session: Session, fern: Product) -> None:
    batch(session, fern, "NEVER", None, **REPORT)
    assert shown_lot(client, fern) == "NEVER"
    batch(session, fern, "LATER", 90, **REPORT)
    batch(session, fern, "SOON", 9, **REPORT)
    report = client.get(f"/api/products/{fern.id}").json()["labReport"]
    assert (report["lot"], report["reportedOn"], report["pdfUrl"]) == ("SOON", "2026-09-06", "")


def test_each_panel_has_the_result_of_its_own_column(client: TestClient, session: Session, fern: Product) -> None:
    batch(session, fern, "A1", 90, **REPORT | {panel: f"result of {panel}" for panel in PANELS})
    assert client.get(f"/api/products/{fern.id}").json()["labReport"]["panels"] == [
        {"name": "Pesticides", "result": "result of pesticides"},
        {"name": "Heavy Metals", "result": "result of heavy_metals"},
        {"name": "Residual Solvents", "result": "result of residual_solvents"},
        {"name": "Microbials", "result": "result of microbials"},
    ]


def test_a_batch_that_is_not_for_sale_is_passed_over(client: TestClient, session: Session, fern: Product) -> None:
    batch(session, fern, "EXPIRED", -1, **REPORT)
    batch(session, fern, "SOLD", 1, units=0, **REPORT)
    batch(session, fern, "HELD", 2, units=0, set_aside=3, hold_reason="Mould", **REPORT)
    batch(session, fern, "GOOD", 3, **REPORT)
    assert shown_lot(client, fern) == "GOOD"


def test_it_is_the_products_own_where_that_batch_has_none(client: TestClient, session: Session, fern: Product) -> None:
    batch(session, fern, "BARE", 1)
    batch(session, fern, "LATER", 2, **REPORT)
    assert shown_lot(client, fern) == "OWN"


@pytest.mark.parametrize(
    ("change", "lot"),
    [
        ("units = 0", "LATER"),
        ("code = 'RENAMED'", "RENAMED"),
        ("expires_on = '2999-01-01'", "LATER"),
        ("units = 0, set_aside = 2, hold_reason = 'Mould'", "LATER"),
        ("units = 0, set_aside = 2, is_approved = false", "LATER"),
    ],
)
def test_an_answer_given_before_follows_each_change_of_a_batch(
    client: TestClient, session: Session, fern: Product, change: str, lot: str
) -> None:
    batch(session, fern, "SOON", 1, **REPORT)
    batch(session, fern, "LATER", 2, **REPORT)
    assert shown_lot(client, fern) == "SOON"
    session.execute(text(f"UPDATE batches SET {change} WHERE code = 'SOON'"))
    session.commit()
    assert shown_lot(client, fern) == lot


def test_only_a_product_with_batches_costs_another_statement(session: Session, fern: Product) -> None:
    number = fern.id
    session.commit()

    def statements() -> int:
        with count_statements(db.get_engine()) as counted:
            db.read(lambda own: products.get(own, None, number))
        return len(counted)

    assert statements() == 1
    batch(session, fern, "A1", 1, **REPORT)
    assert statements() == 2
