"""Products as staff write them over REST (RULE wire-product)."""

from datetime import timedelta
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import Engine, func, select
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col

from marketplace_app import clock
from marketplace_app.models import AuditEntry, Product, Role, StockMovement
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.products.product_fields import ProductForm
from marketplace_app.services.admin import products as admin_products
from tests.builders import draft, make_product, make_user
from tests.conftest import ON_SQLITE, Cast, SignIn
from tests.counting import count_statements

PRODUCTS = "/api/admin/products"
REQUIRED_FIELDS = {
    "name": "Quiet Meadow",
    "description": "Hay and chamomile.",
    "price": "48.50",
    "category": "THC Flower",
    "type": "Indica",
    "potency": "",
    "stock": 12,
}
REPORT = {
    "lot": "7789",
    "reportedOn": "2026-09-06",
    "pesticides": "Not Detected",
    "heavyMetals": "Not Detected",
    "residualSolvents": "Not Detected",
    "microbials": "Not Detected",
}


def create(ada: TestClient, **changes: Any) -> dict[str, Any]:
    answer = ada.post(PRODUCTS, json=REQUIRED_FIELDS | changes)
    assert answer.status_code == 201, answer.text
    return answer.json()


def ledger(session: Session, product_id: int) -> list[tuple[str, int]]:
    session.expire_all()
    own = select(StockMovement).where(col(StockMovement.product_id) == product_id).order_by(col(StockMovement.id))
    return [(each.reason.value, each.change) for each in session.execute(own).scalars()]


def actions(session: Session) -> list[str]:
    return list(session.execute(select(col(AuditEntry.action)).order_by(col(AuditEntry.id))).scalars())


def test_a_product_with_the_seven_required_fields_is_on_sale_at_once(
    ada: TestClient, client: TestClient, session: Session
) -> None:
    assert client.get("/api/products").json() == []
    product = create(ada)
    assert product["sku"].startswith("P-")
    assert (product["active"], product["featured"], product["potency"], product["strain"]) == (True, False, "", "")
    shown = client.get("/api/products", params={"search": "chamomile"}).json()
    assert [(each["name"], each["price"], each["inStock"]) for each in shown] == [("Quiet Meadow", "48.50", True)]
    assert ledger(session, product["id"]) == [("opening", 12)]
    assert actions(session) == ["product.created"]


def test_every_field_is_stored_and_potency_follows_from_thc(ada: TestClient) -> None:
    facts = {
        "featured": True,
        "brand": "Stillroom",
        "sku": "FLW-77",
        "strain": "Hybrid",
        "thcPercent": 22.5,
        "cbdPercent": 0.1,
        "thcMg": None,
        "netWeightGrams": 3.5,
        "effects": ["Calm", "Happy"],
        "flavors": ["Pine"],
        "terpenes": ["Myrcene"],
        "ingredients": "Cured flower.",
    }
    product = create(ada, **facts)
    assert {name: product[name] for name in facts} == facts
    assert product["potency"] == "Medium THC (20-25%)"
    assert ada.get(f"{PRODUCTS}/{product['id']}").json() == product


@ON_SQLITE
@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"name": " "}, "name"),
        ({"name": "a" * 121}, "name"),
        ({"name": "nul\u0000"}, "name"),
        ({"price": "0"}, "price"),
        ({"price": "-1.00"}, "price"),
        ({"price": "1.999"}, "price"),
        ({"price": "999999999.00"}, "price"),
        ({"category": "Seeds"}, "category"),
        ({"type": "Liquid"}, "type"),
        ({"potency": "Strong"}, "potency"),
        ({"stock": -1}, "stock"),
        ({"stock": 1.5}, "stock"),
        ({"stock": "12"}, "stock"),
        ({"stock": 3_000_000_000}, "stock"),
        ({"sku": "has space"}, "sku"),
        ({"strain": "Ruderalis"}, "strain"),
        ({"thcPercent": 101}, "thcPercent"),
        ({"cbdPercent": -0.1}, "cbdPercent"),
        ({"thcMg": -1}, "thcMg"),
        ({"netWeightGrams": 0}, "netWeightGrams"),
        ({"effects": ["a|b"]}, "effects.0"),
        ({"flavors": "Pine"}, "flavors"),
        ({"featured": "yes"}, "featured"),
        ({"rating": "5.0"}, "rating"),
        ({"id": 3}, "id"),
    ],
)
def test_invalid_values_are_refused_by_field(
    ada: TestClient, session: Session, changes: dict[str, Any], field: str
) -> None:
    refused = ada.post(PRODUCTS, json=REQUIRED_FIELDS | changes)
    assert (refused.status_code, list(refused.json()["fields"])) == (422, [field])
    assert session.execute(select(func.count()).select_from(Product)).scalar_one() == 0


@ON_SQLITE
@pytest.mark.parametrize("missing", REQUIRED_FIELDS)
def test_each_required_field_must_be_given(ada: TestClient, missing: str) -> None:
    refused = ada.post(PRODUCTS, json={name: value for name, value in REQUIRED_FIELDS.items() if name != missing})
    assert (refused.status_code, list(refused.json()["fields"])) == (422, [missing])


def test_a_sku_is_unique(ada: TestClient) -> None:
    create(ada, sku="FLW-77")
    other = create(ada, sku="FLW-78")
    again = ada.post(PRODUCTS, json=REQUIRED_FIELDS | {"sku": "FLW-77"})
    taken = ada.put(f"{PRODUCTS}/{other['id']}", json=REQUIRED_FIELDS | {"sku": "FLW-77"})
    for refused in (again, taken):
        assert (refused.status_code, refused.json()["fields"]) == (422, {"sku": "Another product has this SKU."})
    assert ada.get(f"{PRODUCTS}/{other['id']}").json() == other


@pytest.mark.parametrize("is_new", [True, False], ids=["created", "edited"])
def test_only_a_duplicate_sku_is_reported_as_one(session: Session, cast: Cast, is_new: bool) -> None:
    """A value that the form accepts and the database refuses is a mistake in the code, so its error is not turned into
    one about the SKU."""
    refused = parse(ProductForm, REQUIRED_FIELDS).model_copy(update={"price": 0})
    product = make_product(session)
    session.commit()
    with pytest.raises(IntegrityError):
        if is_new:
            admin_products.create(session, cast.ada, refused)
        else:
            admin_products.edit(session, cast.ada, product.id, refused)


def test_a_put_takes_a_whole_product_and_keeps_sku_and_ingredients(
    ada: TestClient, client: TestClient, session: Session
) -> None:
    product = create(ada, brand="Stillroom", sku="FLW-77", ingredients="Cured flower.", effects=["Calm"])
    body = REQUIRED_FIELDS | {"name": "Loud Meadow", "price": "50.00", "stock": 9}
    changed = ada.put(f"{PRODUCTS}/{product['id']}", json=body)
    assert changed.status_code == 200
    answer = changed.json()
    assert (answer["name"], answer["price"], answer["stock"], answer["brand"]) == ("Loud Meadow", "50.00", 9, "")
    assert (answer["sku"], answer["effects"], answer["ingredients"]) == ("FLW-77", [], "Cured flower.")
    assert client.get("/api/products", params={"search": "quiet"}).json() == []
    assert client.get(f"/api/products/{product['id']}").json()["name"] == "Loud Meadow"
    assert ledger(session, product["id"]) == [("opening", 12), ("adjust", -3)]
    details = session.execute(select(AuditEntry).where(col(AuditEntry.action) == "product.edited")).scalar_one().details
    assert details["price_cents"] == [4850, 5000]


def test_a_put_that_changes_nothing_leaves_no_trace(ada: TestClient, session: Session) -> None:
    product = create(ada)
    same = ada.put(f"{PRODUCTS}/{product['id']}", json=REQUIRED_FIELDS)
    assert same.json() == product
    assert actions(session) == ["product.created"]


def test_an_edit_of_an_outdated_version_is_refused(ada: TestClient) -> None:
    path = f"{PRODUCTS}/{create(ada)['id']}"
    seen = ada.get(path).headers["ETag"]
    assert ada.put(path, json=REQUIRED_FIELDS | {"price": "50.00"}, headers={"If-Match": seen}).status_code == 200
    late = ada.put(path, json=REQUIRED_FIELDS | {"price": "51.00"}, headers={"If-Match": seen})
    assert (late.status_code, late.json()["code"]) == (409, "edited_meanwhile")
    assert ada.get(path).json()["price"] == "50.00"


def test_archiving_hides_a_product_and_breaks_no_cart_and_no_order(
    ada: TestClient, as_user: SignIn, cast: Cast, session: Session, client: TestClient
) -> None:
    fern = make_product(session, price_cents=120_00)
    session.commit()
    alice, bob = as_user(cast.alice), as_user(cast.bob)
    order_id = bob.post("/api/orders", json=draft((fern, 1))).json()["id"]
    alice.post("/api/cart", json={"productId": fern.id, "quantity": 1})
    assert [ada.delete(f"{PRODUCTS}/{fern.id}").status_code for _ in range(2)] == [204, 204]
    assert client.get(f"/api/products/{fern.id}").status_code == 404
    assert alice.get("/api/cart").json()[0]["product"]["inStock"] is False
    assert alice.post("/api/orders", json=draft((fern, 1))).status_code == 409
    assert bob.get(f"/api/orders/{order_id}").json()["items"][0]["name"] == "Fern Hollow"
    assert [each["active"] for each in ada.get(PRODUCTS).json()] == [False]
    assert actions(session).count("product.archived") == 1


def test_a_stock_adjustment_and_its_reason_are_in_the_ledger(ada: TestClient, session: Session) -> None:
    path = f"{PRODUCTS}/{create(ada)['id']}"
    assert ada.post(f"{path}/stock", json={"change": -5, "note": "Broken jars"}).json()["stock"] == 7
    assert ada.post(f"{path}/stock", json={"change": 3, "note": "Found"}).json()["stock"] == 10
    page = ada.get(f"{path}/movements", params={"limit": 2})
    assert page.headers["X-Total-Count"] == "3"
    movements = [(each["change"], each["reason"], each["note"], each["stockAfter"], each["by"]) for each in page.json()]
    assert movements == [(3, "adjust", "Found", 10, "Ada"), (-5, "adjust", "Broken jars", 7, "Ada")]
    oldest = ada.get(f"{path}/movements", params={"offset": 2}).json()
    assert [(each["reason"], each["stockAfter"]) for each in oldest] == [("opening", 12)]


@pytest.mark.parametrize(
    ("body", "status", "field"),
    [
        ({"change": 0, "note": "Nothing"}, 422, "change"),
        ({"change": 1}, 422, "note"),
        ({"change": 1, "note": " "}, 422, "note"),
        ({"change": "1", "note": "Text"}, 422, "change"),
        ({"change": 1_000_000, "note": "Too many"}, 422, "change"),
        ({"change": -13, "note": "More than there are"}, 409, None),
    ],
)
def test_an_invalid_stock_adjustment_is_refused(
    ada: TestClient, session: Session, body: dict[str, Any], status: int, field: str | None
) -> None:
    product = create(ada)
    refused = ada.post(f"{PRODUCTS}/{product['id']}/stock", json=body)
    assert (refused.status_code, next(iter(refused.json().get("fields", [])), None)) == (status, field)
    assert ledger(session, product["id"]) == [("opening", 12)]


def test_a_sale_is_in_the_ledger_with_its_order(ada: TestClient, as_user: SignIn, cast: Cast, session: Session) -> None:
    fern = make_product(session, price_cents=120_00, stock=5)
    session.commit()
    order = as_user(cast.alice).post("/api/orders", json=draft((fern, 2))).json()
    newest = ada.get(f"{PRODUCTS}/{fern.id}/movements").json()[0]
    assert (newest["reason"], newest["change"], newest["stockAfter"]) == ("sale", -2, 3)
    assert (newest["orderId"], newest["orderNumber"], newest["by"]) == (order["id"], order["number"], "")


@pytest.fixture
def catalogue(session: Session) -> None:
    now = clock.now()
    make_product(session, "Alder", sku="FLW-1", price_cents=30_00, stock=40, created_at=now, updated_at=now)
    rest = {"created_at": now - timedelta(days=1), "updated_at": now + timedelta(days=1)}
    make_product(session, "Birch", sku="EDB-1", category="Edibles", price_cents=20_00, stock=3, **rest)
    older = {"created_at": now - timedelta(days=2), "updated_at": now - timedelta(days=2)}
    make_product(session, "Cedar", sku="FLW-2", price_cents=10_00, stock=0, is_active=False, **older)
    session.commit()


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ({}, ["Alder", "Birch", "Cedar"]),
        ({"order": "desc"}, ["Cedar", "Birch", "Alder"]),
        ({"sort": "price"}, ["Cedar", "Birch", "Alder"]),
        ({"sort": "stock", "order": "desc"}, ["Alder", "Birch", "Cedar"]),
        ({"sort": "updated", "order": "desc"}, ["Birch", "Alder", "Cedar"]),
        ({"sort": "created"}, ["Cedar", "Birch", "Alder"]),
        ({"q": "flw-"}, ["Alder", "Cedar"]),
        ({"q": "bir"}, ["Birch"]),
        ({"q": "%"}, []),
        ({"q": "_"}, []),
        ({"category": "Edibles"}, ["Birch"]),
        ({"category": ["Edibles", "THC Flower"], "active": "true"}, ["Alder", "Birch"]),
        ({"type": "Sativa"}, []),
        ({"active": "false"}, ["Cedar"]),
        ({"lowStock": "true"}, ["Birch"]),
        ({"withoutReport": "true"}, ["Alder", "Birch"]),
        ({"limit": 1, "offset": 1}, ["Birch"]),
    ],
)
def test_the_list_is_searched_filtered_and_sorted(
    ada: TestClient, catalogue: None, query: dict[str, Any], names: list[str]
) -> None:
    answer = ada.get(PRODUCTS, params=query)
    assert [each["name"] for each in answer.json()] == names
    assert answer.headers["X-Total-Count"] == ("3" if "limit" in query else str(len(names)))


@ON_SQLITE
@pytest.mark.parametrize("query", [{"sort": "weight"}, {"order": "up"}, {"limit": 0}, {"limit": 101}, {"active": "x"}])
def test_an_invalid_list_query_is_422(ada: TestClient, query: dict[str, Any]) -> None:
    assert ada.get(PRODUCTS, params=query).status_code == 422


def test_the_list_needs_a_constant_number_of_statements(
    ada: TestClient, catalogue: None, engine: Engine, session: Session
) -> None:
    with count_statements(engine) as short:
        ada.get(PRODUCTS)
    for number in range(20):
        make_product(session, f"Dogwood {number}")
    session.commit()
    with count_statements(engine) as long:
        assert len(ada.get(PRODUCTS).json()) == 23
    assert len(long) == len(short)


def test_a_lab_report_is_written_replaced_and_taken_away(ada: TestClient, client: TestClient, session: Session) -> None:
    product = create(ada)
    report = f"{PRODUCTS}/{product['id']}/lab-report"
    assert ada.put(report, json=REPORT).json()["labReport"]["lot"] == "7789"
    assert ada.put(report, json=REPORT | {"lot": "7790"}).status_code == 200
    shown = client.get(f"/api/products/{product['id']}").json()["labReport"]
    assert (shown["lot"], shown["reportedOn"], shown["pdfUrl"]) == ("7790", "2026-09-06", "")
    assert [panel["name"] for panel in shown["panels"]] == [
        "Pesticides",
        "Heavy Metals",
        "Residual Solvents",
        "Microbials",
    ]
    assert ada.delete(report).status_code == 204
    assert client.get(f"/api/products/{product['id']}").json()["labReport"] is None
    assert ada.delete(report).status_code == 404


def test_saving_an_unchanged_lab_report_is_not_audited(ada: TestClient, session: Session) -> None:
    report = f"{PRODUCTS}/{create(ada)['id']}/lab-report"
    saved = select(func.count()).where(col(AuditEntry.action) == "product.lab_report_saved")
    for again, entries in ((REPORT, 1), (REPORT, 1), (REPORT | {"lot": "7790"}, 2)):
        assert ada.put(report, json=again).status_code == 200
        count = session.execute(saved).scalar_one()
        session.rollback()  # SQLite allows one writer at a time
        assert count == entries


@ON_SQLITE
@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"lot": ""}, "lot"),
        ({"reportedOn": "soon"}, "reportedOn"),
        ({"reportedOn": 1_700_000_000}, "reportedOn"),
        ({"reportedOn": "2999-01-01"}, "reportedOn"),
        ({"heavyMetals": ""}, "heavyMetals"),
        ({"panels": []}, "panels"),
    ],
)
def test_an_invalid_lab_report_is_refused_by_field(ada: TestClient, changes: dict[str, Any], field: str) -> None:
    refused = ada.put(f"{PRODUCTS}/{create(ada)['id']}/lab-report", json=REPORT | changes)
    assert (refused.status_code, list(refused.json()["fields"])) == (422, [field])


# Every route of docs/product/routes.md below /api/admin/products.
CALLS: list[tuple[str, str, dict[str, Any] | None]] = [
    ("GET", "", None),
    ("GET", "/1", None),
    ("GET", "/1/movements", None),
    ("GET", "/export", None),
    ("POST", "", REQUIRED_FIELDS),
    ("PUT", "/1", REQUIRED_FIELDS),
    ("DELETE", "/1", None),
    ("POST", "/1/stock", {"change": 1, "note": "One more"}),
    ("PUT", "/1/lab-report", REPORT),
    ("DELETE", "/1/lab-report", None),
    ("PUT", "/1/lab-report/pdf", None),
    ("DELETE", "/1/lab-report/pdf", None),
    ("PUT", "/1/image", None),
    ("POST", "/import", None),
]


@pytest.mark.parametrize(("method", "path", "body"), CALLS)
def test_only_staff_read_products_and_viewers_and_support_may_not_change_them(
    client: TestClient,
    as_user: SignIn,
    cast: Cast,
    session: Session,
    method: str,
    path: str,
    body: dict[str, Any] | None,
) -> None:
    make_product(session)
    support, viewer = make_user(session, "sue", role=Role.SUPPORT), make_user(session, "vera", role=Role.VIEWER)
    session.commit()
    for who, refused in ((client, 401), (as_user(cast.alice), 403)):
        assert who.request(method, PRODUCTS + path, json=body).status_code == refused
    for user in (support, viewer):
        answer = as_user(user).request(method, PRODUCTS + path, json=body)
        assert answer.status_code == (200 if method == "GET" else 403), user.role


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [each for each in CALLS if each[1].startswith("/1")],
)
def test_an_unknown_product_is_404(ada: TestClient, method: str, path: str, body: dict[str, Any] | None) -> None:
    assert ada.request(method, PRODUCTS + path, json=body).status_code == 404


def test_a_search_lists_an_exact_name_first(ada: TestClient) -> None:
    for name in ("A Pine Haze", "Haze Berry", "Hazelnut", "Haze", "Zen Haze"):
        create(ada, name=name)

    def names(**query: str) -> list[str]:
        return [each["name"] for each in ada.get(PRODUCTS, params={"q": "haze"} | query).json()]

    assert names() == ["Haze", "Haze Berry", "Hazelnut", "A Pine Haze", "Zen Haze"]
    assert names(sort="name") == ["A Pine Haze", "Haze", "Haze Berry", "Hazelnut", "Zen Haze"]
    assert names(sort="name", order="desc") == ["Zen Haze", "Hazelnut", "Haze Berry", "Haze", "A Pine Haze"]
    assert names(q="") == ["A Pine Haze", "Haze", "Haze Berry", "Hazelnut", "Zen Haze"]
    assert names(q="%") == []
