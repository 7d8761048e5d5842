"""The figures of the shop over REST."""

import pytest
from fastapi.testclient import TestClient
from sqlmodel import Session

from tests.builders import draft, make_product
from tests.conftest import ON_SQLITE, Cast, SignIn

PATHS = ("/api/admin/stats", "/api/admin/stats/report", "/api/admin/stats/attention")


def test_the_figures_of_one_order(as_user: SignIn, cast: Cast, session: Session) -> None:
    fern = make_product(session, "Fern Hollow", price_cents=200_00)
    session.commit()
    as_user(cast.alice).post("/api/orders", json=draft((fern, 1)))
    ada = as_user(cast.ada)
    assert ada.get("/api/admin/stats").json() == {
        "totalOrders": 1,
        "totalRevenue": "150.00",
        "collectedRevenue": "0.00",
        "pendingOrders": 1,
        "totalCustomers": 4,
    }
    report = ada.get("/api/admin/stats/report?days=14").json()
    assert (len(report["days"]), len(report["hours"])) == (14, 24)
    assert (report["days"][-1]["orders"], report["days"][-1]["revenue"]) == (1, "150.00")
    assert (report["to"], report["days"][0]["day"]) == (report["days"][-1]["day"], report["from"])
    assert report["topProducts"] == [{"productId": fern.id, "name": "Fern Hollow", "quantity": 1, "revenue": "200.00"}]
    assert (report["statuses"]["pending"], report["buyers"]) == (1, {"first": 1, "returning": 0})
    assert report["newCustomers"] == 4
    assert ada.get("/api/admin/stats/attention").json() == {
        "latePendingOrders": 0,
        "lowStockProducts": 0,
        "urgentTickets": 0,
        "untestedProducts": 1,
        "unwrittenLegalPages": 4,
    }


@ON_SQLITE
@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("days=8", "days"),
        ("days=many", "days"),
        ("from=2026-01-01", "to"),
        ("to=2026-01-01", "to"),
        ("from=2026-01-02&to=2026-01-01", "to"),
        ("from=2024-01-01&to=2026-01-01", "to"),
        ("from=soon&to=2026-01-01", "from"),
    ],
)
def test_an_invalid_span_names_its_parameter(as_user: SignIn, cast: Cast, query: str, field: str) -> None:
    refused = as_user(cast.ada).get(f"/api/admin/stats/report?{query}")
    assert refused.status_code == 422
    assert field in refused.json()["fields"]


@pytest.mark.parametrize("path", PATHS)
def test_customers_and_guests_get_no_figures(client: TestClient, as_user: SignIn, cast: Cast, path: str) -> None:
    assert client.get(path).status_code == 401
    assert as_user(cast.bob).get(path).status_code == 403
