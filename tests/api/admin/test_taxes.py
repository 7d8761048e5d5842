"""The report of taxes over REST (RULE tax-report)."""

import csv
import io

import pytest
from sqlmodel import Session

from marketplace_app import clock
from marketplace_app.config import get_settings
from marketplace_app.models import OrderTax
from tests.builders import make_order
from tests.conftest import ON_SQLITE, Cast, SignIn

PATHS = ("/api/admin/taxes", "/api/admin/taxes/export")


@pytest.fixture
def month(session: Session, cast: Cast) -> str:
    """The month of an order with an excise tax, whose label looks like a formula to a spreadsheet."""
    order = make_order(session, cast.alice, 100_00, tax_cents=15_00, total_cents=115_00)
    session.add(
        OrderTax(
            order_id=order.id,
            position=1,
            code="excise",
            label="=Excise",
            kind="added",
            basis_points=15_00,
            base_cents=100_00,
            amount_cents=15_00,
        )
    )
    session.commit()
    return f"{clock.today(get_settings().timezone):%Y-%m}"


def test_the_taxes_of_one_order(as_user: SignIn, cast: Cast, month: str) -> None:
    found = as_user(cast.ada).get("/api/admin/taxes?days=7").json()
    assert found["taxes"] == [
        {
            "month": month,
            "state": "",
            "code": "excise",
            "label": "=Excise",
            "kind": "added",
            "rate": "0.15",
            "orders": 1,
            "base": "100.00",
            "amount": "15.00",
        }
    ]
    assert found["to"].startswith(month)


def test_the_export_has_the_same_rows_and_no_formula(as_user: SignIn, cast: Cast, month: str) -> None:
    ada = as_user(cast.ada)
    today = clock.today(get_settings().timezone).isoformat()
    answer = ada.get("/api/admin/taxes/export", params={"from": today, "to": today})
    assert (answer.status_code, answer.headers["Content-Type"]) == (200, "text/csv; charset=utf-8")
    assert answer.headers["Content-Disposition"] == f'attachment; filename="taxes-{today}-to-{today}.csv"'
    assert answer.headers["Cache-Control"] == "no-store"
    [row] = csv.DictReader(io.StringIO(answer.text, newline=""))
    assert row == {
        "month": month,
        "state": "",
        "code": "excise",
        "tax": "'=Excise",
        "kind": "added",
        "rate": "0.15",
        "orders": "1",
        "base": "100.00",
        "amount": "15.00",
    }


def test_an_export_is_recorded_with_its_span(as_user: SignIn, cast: Cast, month: str) -> None:
    ada = as_user(cast.ada)
    ada.get("/api/admin/taxes/export", params={"from": "2026-10-01", "to": "2026-10-31"})
    [entry] = ada.get("/api/admin/audit", params={"action": "taxes.exported"}).json()
    assert entry["details"] == {"from": "2026-10-01", "to": "2026-10-31"}
    assert entry["words"].endswith("exported taxes: 2026-10-01 to 2026-10-31")


@ON_SQLITE
@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize(("query", "field"), [("days=8", "days"), ("from=2026-01-01", "to"), ("to=soon", "to")])
def test_an_invalid_span_names_its_parameter(as_user: SignIn, cast: Cast, path: str, query: str, field: str) -> None:
    refused = as_user(cast.ada).get(f"{path}?{query}")
    assert (refused.status_code, list(refused.json()["fields"])) == (422, [field])
