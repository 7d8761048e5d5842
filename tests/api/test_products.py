"""The public catalogue over REST (RULE public-catalogue)."""

from datetime import date
from math import inf
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import Engine
from sqlmodel import Session

from marketplace_app.models import LabReport, Product, ProductType, Strain
from marketplace_app.services.search import search_log
from tests.builders import make_product
from tests.conftest import ON_SQLITE
from tests.counting import count_statements


@pytest.fixture
def catalogue(session: Session) -> dict[str, Product]:
    products = {
        "fern": make_product(session, "Fern Hollow", price_cents=50_00, thc_percent=22.0, strain=Strain.HYBRID),
        "creme": make_product(
            session,
            "Crème Fraîche",
            price_cents=180_00,
            thc_percent=14.0,
            type=ProductType.HALF_OUNCE,
            is_featured=True,
        ),
        "dusk": make_product(
            session,
            "Blackberry Dusk",
            description="Ten fern-green gummies.",
            price_cents=24_00,
            category="Edibles",
            type=ProductType.SATIVA,
            thc_mg=100,
            stock=0,
        ),
        "ounce": make_product(session, "Amber Ounce", price_cents=260_00, thc_percent=25.0, type=ProductType.OUNCE),
        "gone": make_product(session, "Gone", is_active=False),
    }
    session.commit()
    return products


def names(client: TestClient, **params: Any) -> list[str]:
    response = client.get("/api/products", params=params)
    assert response.status_code == 200, response.text
    return [product["name"] for product in response.json()]


def test_a_product_carries_its_fields(client: TestClient, catalogue: dict[str, Product]) -> None:
    product = client.get(f"/api/products/{catalogue['fern'].id}").json()
    expected = {
        "id": catalogue["fern"].id,
        "name": "Fern Hollow",
        "price": "50.00",
        "imageUrl": "/pictures/fern-hollow-640.webp",
        "category": "THC Flower",
        "type": "Indica",
        "potency": "Medium THC (20-25%)",
        "rating": "4.6",
        "reviewCount": 128,
        "inStock": True,
        "featured": False,
        "labReport": None,
    }
    assert expected.items() <= product.items()
    assert "stock" not in product


def test_featured_first_then_in_stock_then_by_name(client: TestClient, catalogue: dict[str, Product]) -> None:
    assert names(client) == ["Crème Fraîche", "Amber Ounce", "Fern Hollow", "Blackberry Dusk"]


@pytest.mark.parametrize(
    ("params", "expected"),
    [
        ({"category": "Edibles"}, ["Blackberry Dusk"]),
        ({"type": ["Indica", "Sativa"]}, ["Fern Hollow", "Blackberry Dusk"]),
        ({"potency": "High THC (25%+)"}, ["Amber Ounce"]),
        ({"minPrice": "50", "maxPrice": "180.00"}, ["Crème Fraîche", "Fern Hollow"]),
        ({"category": "Edibles", "potency": "High THC (25%+)"}, []),
        ({"category": "Nothing known"}, []),
        ({"sortBy": "price", "sortOrder": "desc", "limit": 2}, ["Amber Ounce", "Crème Fraîche"]),
        ({"sortBy": "name"}, ["Amber Ounce", "Blackberry Dusk", "Crème Fraîche", "Fern Hollow"]),
        ({"sortBy": "name", "limit": 2, "offset": 2}, ["Crème Fraîche", "Fern Hollow"]),
    ],
)
def test_filters_combine(
    client: TestClient, catalogue: dict[str, Product], params: dict[str, Any], expected: list[str]
) -> None:
    assert names(client, **params) == expected


@pytest.mark.parametrize(
    ("search", "expected"),
    [
        ("fern", ["Fern Hollow", "Blackberry Dusk"]),  # the name before the description
        ("creme FRAICHE", ["Crème Fraîche"]),
        ("Crème", ["Crème Fraîche"]),
        ("blackb du", ["Blackberry Dusk"]),
        ("fern dusk", ["Blackberry Dusk"]),  # every word, wherever it stands
        ("edibles", ["Blackberry Dusk"]),
        ("half oz", ["Crème Fraîche"]),
        ("fern nothing", []),
        ("'; DROP TABLE products; --", []),
        ('" OR * NEAR(', []),
        ("!!!", []),
        ("%", []),
    ],
)
def test_search_folds_accents_and_takes_prefixes(
    client: TestClient, catalogue: dict[str, Product], search: str, expected: list[str]
) -> None:
    assert names(client, search=search) == expected


def test_the_whole_name_comes_first_then_names_that_begin_with_it(client: TestClient, session: Session) -> None:
    for name in ("Amnesia Haze", "Haze Berry", "Haze", "Super Haze Berry"):
        make_product(session, name, is_featured=name != "Haze")
    session.commit()
    assert names(client, search="HAZE!") == ["Haze", "Haze Berry", "Amnesia Haze", "Super Haze Berry"]
    assert names(client, search="haze berry") == ["Haze Berry", "Super Haze Berry"]


def test_the_whole_count_comes_with_a_page(client: TestClient, catalogue: dict[str, Product]) -> None:
    assert client.get("/api/products", params={"limit": 1}).headers["X-Total-Count"] == "4"
    assert client.get("/api/products", params={"limit": 3, "offset": 3}).headers["X-Total-Count"] == "4"


@ON_SQLITE
@pytest.mark.parametrize(
    ("params", "field"),
    [
        ({"sortBy": "colour"}, "sortBy"),
        ({"sortOrder": "up"}, "sortOrder"),
        ({"minPrice": "NaN"}, "minPrice"),
        ({"minPrice": "-1"}, "minPrice"),
        ({"maxPrice": "9e99"}, "maxPrice"),
        ({"limit": "0"}, "limit"),
        ({"limit": "101"}, "limit"),
        ({"offset": "-1"}, "offset"),
        ({"search": "x" * 201}, "search"),
    ],
)
def test_a_wrong_query_is_refused_by_name(client: TestClient, params: dict[str, str], field: str) -> None:
    response = client.get("/api/products", params=params)
    assert response.status_code == 422
    assert response.json()["code"] == "invalid_input"
    assert list(response.json()["fields"]) == [field]


@pytest.mark.parametrize("unknown", ["999999", "abc", "0", "-1", "9" * 30, "1%00"])
def test_an_unknown_product_is_not_found(client: TestClient, catalogue: dict[str, Product], unknown: str) -> None:
    response = client.get(f"/api/products/{unknown}")
    assert response.status_code == 404


def test_a_product_no_longer_sold_is_not_found(client: TestClient, catalogue: dict[str, Product]) -> None:
    response = client.get(f"/api/products/{catalogue['gone'].id}")
    assert (response.status_code, response.json()) == (404, {"message": "Product not found.", "code": "not_found"})


def test_an_unchanged_list_is_answered_304_and_a_changed_one_is_not(
    client: TestClient, session: Session, catalogue: dict[str, Product]
) -> None:
    first = client.get("/api/products")
    tag = {"If-None-Match": first.headers["ETag"]}
    again = client.get("/api/products", headers=tag)
    assert (again.status_code, again.content) == (304, b"")
    catalogue["fern"].price_cents = 51_00
    session.add(catalogue["fern"])
    session.commit()
    assert client.get("/api/products", headers=tag).status_code == 200


def test_facets_leave_a_groups_own_choice_out_of_its_own_counts(
    client: TestClient, catalogue: dict[str, Product]
) -> None:
    facets = client.get("/api/products/facets", params={"category": "Edibles"}).json()
    counts = {group: {each["value"]: each["count"] for each in facets[group]} for group in ("category", "type")}
    assert counts["category"] == {"THC Flower": 3, "Edibles": 1}
    assert counts["type"]["Sativa"] == 1
    assert counts["type"]["Indica"] == 0
    assert facets["priceRange"][0] == {"value": "Under $50", "count": 1}
    assert facets["total"] == 1


def test_a_type_is_found_by_its_strain_too_and_counted_so(client: TestClient, session: Session) -> None:
    for kind, strain in (
        (ProductType.INDICA, Strain.INDICA),
        (ProductType.INDICA, None),
        (ProductType.EIGHTH, Strain.INDICA),
        (ProductType.EIGHTH, Strain.HYBRID),
        (ProductType.PRE_ROLL, None),
        (ProductType.SATIVA, Strain.INDICA),
    ):
        make_product(session, f"{kind} {strain}", type=kind, strain=strain)
    session.commit()
    facets = client.get("/api/products/facets").json()["type"]
    counts = {each["value"]: each["count"] for each in facets}
    assert counts == {kind.value: len(names(client, type=kind.value)) for kind in ProductType}
    assert (counts["Indica"], counts["Sativa"], counts["Hybrid"], counts["Eighth (3.5g)"]) == (4, 1, 1, 2)
    assert len(names(client, type=["Indica", "Eighth (3.5g)"])) == 5
    assert client.get("/api/products/facets", params={"type": ["Indica", "Sativa"]}).json()["total"] == 4


def test_a_price_on_an_edge_counts_in_both_ranges(client: TestClient, catalogue: dict[str, Product]) -> None:
    ranges = client.get("/api/products/facets", params={"search": "fern hollow"}).json()["priceRange"]
    assert [each["count"] for each in ranges] == [1, 1, 0, 0]


def test_a_lab_report_comes_in_a_fixed_order(
    client: TestClient, session: Session, catalogue: dict[str, Product]
) -> None:
    panels = dict.fromkeys(("pesticides", "heavy_metals", "residual_solvents", "microbials"), "Not Detected")
    session.add(LabReport(product_id=catalogue["fern"].id, lot="7789", reported_on=date(2026, 9, 6), **panels))
    session.commit()
    report = client.get(f"/api/products/{catalogue['fern'].id}").json()["labReport"]
    assert [panel["name"] for panel in report["panels"]] == [
        "Pesticides",
        "Heavy Metals",
        "Residual Solvents",
        "Microbials",
    ]


def test_the_list_takes_the_same_number_of_statements_for_one_and_for_many(
    client: TestClient, session: Session, catalogue: dict[str, Product], engine: Engine
) -> None:
    with count_statements(engine) as few:
        client.get("/api/products", params={"limit": 1})
    for n in range(10):
        make_product(session, f"More {n}")
    session.commit()
    with count_statements(engine) as many:
        client.get("/api/products", params={"limit": 14})
    assert len(few) == len(many) == 4  # the version, read twice; the index of the new version; and the page


def test_a_search_that_finds_nothing_is_recorded_unless_a_filter_may_be_why(
    client: TestClient, session: Session
) -> None:
    make_product(session, "Fern Hollow")
    session.commit()
    search_log.take_settled(inf)
    for query in ("search=moon+rocks&category=Edibles", "search=fern", "search=%20"):
        client.get(f"/api/products?{query}")
        assert search_log.take_settled(inf) == {}
    for _ in range(2):
        assert client.get("/api/products?search=Moon+Rocks&sortBy=name").json() == []
        assert search_log.take_settled(inf) == {"moon rocks": 1}
