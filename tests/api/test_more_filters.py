"""The filters under 'More filters', over REST: effects, flavors, brands, strain, THC, CBD and stock."""

from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import Engine
from sqlmodel import Session

from marketplace_app.models import ProductType, Strain
from tests.builders import make_product
from tests.conftest import ON_SQLITE
from tests.counting import count_statements

GROUPS = ("effect", "flavor", "brand", "strain", "inStock")


@pytest.fixture(autouse=True)
def catalogue(session: Session) -> None:
    make_product(
        session,
        "Calm Pine",
        effects=["Calm", "Happy"],
        flavors=["Pine"],
        brand="Hollis & Fern",
        strain=Strain.INDICA,
        thc_percent=15.0,
        cbd_percent=1.0,
    )
    make_product(
        session,
        "Happy Lemon",
        effects=["Happy"],
        flavors=["Lemon", "Pine"],
        brand="Northbank",
        strain=Strain.SATIVA,
        type=ProductType.SATIVA,
        thc_percent=22.5,
        stock=0,
    )
    make_product(session, "Plain", brand="Northbank", category="Edibles", thc_percent=None)
    make_product(session, 'Odd "Calm', effects=['C"alm', "Calm down", "Ünique"], flavors=["Pin%"], thc_percent=30.0)
    make_product(session, "Gone", effects=["Calm"], brand="Northbank", is_active=False)
    session.commit()


def names(client: TestClient, **params: Any) -> set[str]:
    answer = client.get("/api/products", params=params)
    assert answer.status_code == 200
    assert int(answer.headers["X-Total-Count"]) == len(answer.json())
    return {each["name"] for each in answer.json()}


def counts(client: TestClient, **params: Any) -> dict[str, dict[str, int]]:
    facets = client.get("/api/products/facets", params=params).json()
    assert facets.pop("total") == len(names(client, **params))
    return {group: {each["value"]: each["count"] for each in values} for group, values in facets.items()}


@pytest.mark.parametrize(
    ("params", "found"),
    [
        ({"effect": "Happy"}, {"Calm Pine", "Happy Lemon"}),
        ({"effect": ["Calm", 'C"alm']}, {"Calm Pine", 'Odd "Calm'}),
        ({"effect": "Ünique"}, {'Odd "Calm'}),
        ({"effect": "calm"}, set()),
        ({"effect": "Cal"}, set()),
        ({"flavor": "Pine"}, {"Calm Pine", "Happy Lemon"}),
        ({"flavor": "Pin%"}, {'Odd "Calm'}),
        ({"flavor": "Pine", "effect": "Calm"}, {"Calm Pine"}),
        ({"brand": ["Hollis & Fern", "Northbank"]}, {"Calm Pine", "Happy Lemon", "Plain"}),
        ({"brand": "Nobody"}, set()),
        ({"strain": ["Sativa", "Unknown"]}, {"Happy Lemon"}),
        ({"minThc": "15", "maxThc": "22.5"}, {"Calm Pine", "Happy Lemon"}),
        ({"minThc": "15.1"}, {"Happy Lemon", 'Odd "Calm'}),
        ({"maxThc": "100"}, {"Calm Pine", "Happy Lemon", 'Odd "Calm'}),
        ({"minCbd": "1", "maxCbd": "1"}, {"Calm Pine"}),
        ({"inStock": "true"}, {"Calm Pine", "Plain", 'Odd "Calm'}),
        ({"inStock": "false"}, {"Happy Lemon"}),
        ({"inStock": "true", "brand": "Northbank", "category": "Edibles"}, {"Plain"}),
        ({"search": "lemon", "effect": "Happy"}, {"Happy Lemon"}),
    ],
)
def test_each_filter_finds_the_products_with_its_value(
    client: TestClient, params: dict[str, Any], found: set[str]
) -> None:
    assert names(client, **params) == found
    assert client.get("/api/products/facets", params=params).json()["total"] == len(found)


@pytest.mark.parametrize(
    "beside",
    [{}, {"effect": "Happy"}, {"brand": "Northbank"}, {"minThc": "16"}, {"inStock": "true"}, {"search": "calm"}],
    ids=str,
)
def test_a_count_is_what_ticking_that_value_alone_in_its_group_shows(
    client: TestClient, beside: dict[str, Any]
) -> None:
    counted = counts(client, **beside)
    for group in GROUPS + ("category", "type", "potency"):
        for value, count in counted[group].items():
            assert count == len(names(client, **{**beside, group: value})), (group, value)
    without_thc = {key: value for key, value in beside.items() if key != "minThc"}
    bounds = {
        "Under 15%": {"maxThc": 15},
        "15% - 20%": {"minThc": 15, "maxThc": 20},
        "20% - 25%": {"minThc": 20, "maxThc": 25},
        "Over 25%": {"minThc": 25},
    }
    assert counted["thcRange"].keys() == bounds.keys()
    for label, params in bounds.items():
        assert counted["thcRange"][label] == len(names(client, **{**without_thc, **params})), label


def test_values_are_ordered_by_count_and_chosen_ones_stay(client: TestClient) -> None:
    assert list(counts(client)["brand"].items()) == [("Northbank", 2), ("Hollis & Fern", 1)]
    assert counts(client, category="Edibles", brand="Hollis & Fern")["brand"] == {"Northbank": 1, "Hollis & Fern": 0}


@ON_SQLITE
@pytest.mark.parametrize(
    ("params", "field"),
    [
        ({"minThc": "20", "maxThc": "19.9"}, "maxThc"),
        ({"minCbd": "2", "maxCbd": "1"}, "maxCbd"),
        ({"minThc": "-1"}, "minThc"),
        ({"maxThc": "101"}, "maxThc"),
        ({"minCbd": "NaN"}, "minCbd"),
        ({"maxCbd": "1e400"}, "maxCbd"),
        ({"minThc": "strong"}, "minThc"),
        ({"inStock": "maybe"}, "inStock"),
        ({"brand": "x" * 81}, "brand"),
        ({"effect": ["x"] * 21}, "effect"),
    ],
)
def test_bad_values_are_refused_by_field(client: TestClient, params: dict[str, Any], field: str) -> None:
    for path in ("/api/products", "/api/products/facets"):
        answer = client.get(path, params=params)
        assert answer.status_code == 422
        assert list(answer.json()["fields"]) == [field]


def test_the_filters_are_documented(client: TestClient) -> None:
    documented = client.get("/api/openapi.json").json()["paths"]["/api/products"]["get"]["parameters"]
    wanted = {"effect", "flavor", "brand", "strain", "minThc", "maxThc", "minCbd", "maxCbd", "inStock"}
    assert wanted <= {each["name"] for each in documented}


def test_more_filters_do_not_need_more_statements(client: TestClient, engine: Engine) -> None:
    client.get("/api/products/facets")
    params = {"effect": ["Calm", "Happy"], "brand": "Northbank", "minThc": 1, "inStock": "true"}
    with count_statements(engine) as plain:
        client.get("/api/products", params={"category": "Edibles"})
        client.get("/api/products/facets", params={"category": "Edibles"})
    with count_statements(engine) as filtered:
        client.get("/api/products", params=params)
        client.get("/api/products/facets", params=params)
    assert len(filtered) <= len(plain)
