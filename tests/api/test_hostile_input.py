"""Hostile URLs, headers and bodies never cause a traceback."""

import json
import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import pytest
from fastapi.testclient import TestClient
from sqlmodel import Session

from tests.api.test_access import OPERATIONS
from tests.builders import make_product
from tests.conftest import Cast, SignIn
from tests.documented import openapi

pytestmark = [pytest.mark.slow, pytest.mark.attack("hostile addresses and values")]
JSON = {"content-type": "application/json"}
DOCUMENT = openapi()
QUERIES = (
    "category=%00",
    "search=%00",
    "search=" + "x" * 200,
    "search=%F0%9F%8C%BF",
    "search=%ED%A0%80",
    "type=%00&potency=%00",
    "limit=1&offset=99999999999999999999",
    "minPrice=1e400",
)


def test_a_search_with_a_nul_finds_what_the_rest_of_it_finds(session: Session, client: TestClient) -> None:
    make_product(session, "Blue Dream")
    session.commit()
    for query, found in (("%00", 1), ("blue%00dream", 1), ("x%00", 0)):
        answer = client.get(f"/api/products?search={query}")
        assert (answer.status_code, answer.headers["x-total-count"]) == (200, str(found))
        suggested = client.get(f"/api/products/suggestions?q={query}").json()["products"]
        assert len(suggested) == (found if query != "%00" else 0)


@pytest.mark.parametrize("query", QUERIES)
def test_the_catalogue_answers_or_refuses_whatever_is_asked(session: Session, client: TestClient, query: str) -> None:
    make_product(session)
    session.commit()
    for path in ("/api/products", "/api/products/facets"):
        assert client.get(f"{path}?{query}").status_code in (200, 422)


@pytest.mark.parametrize(
    "query", ["to=9999-12-31", "from=0001-01-01", "to=2999-12-31&from=2000-01-01", "q=%00", "action=%00"]
)
@pytest.mark.parametrize("path", ["audit", "orders", "orders/export", "users", "products", "invitations", "tickets"])
def test_admin_lists_answer_or_refuse_any_query(cast: Cast, as_user: SignIn, path: str, query: str) -> None:
    assert as_user(cast.ada).get(f"/api/admin/{path}?{query}").status_code in (200, 422)


@pytest.mark.parametrize("day", ["9999-12-31", "0001-01-01"])
def test_a_day_out_of_range_is_refused_as_a_day(cast: Cast, as_user: SignIn, day: str) -> None:
    answer = as_user(cast.ada).get(f"/api/admin/audit?to={day}")
    assert answer.json()["fields"] == {"to": "A day between 2000-01-01 and 2999-12-31 is expected"}


def test_a_number_out_of_bounds_is_refused_with_the_bound(client: TestClient) -> None:
    answer = client.get("/api/products?minThc=-1&maxCbd=101&limit=0")
    assert answer.json()["fields"] == {
        "minThc": "A number of at least 0 is expected",
        "maxCbd": "A number of at most 100 is expected",
        "limit": "A number of at least 1 is expected",
    }


def test_too_many_entries_are_refused_with_the_maximum(cast: Cast, as_user: SignIn) -> None:
    many = {"effects": [f"Effect {number}" for number in range(500)]}
    answer = as_user(cast.ada).post("/api/admin/products", json=many)
    assert answer.json()["fields"]["effects"] == "At most 20 entries are expected"


@pytest.mark.parametrize(
    ("path", "body", "field"),
    [
        ("cart", {"productId": 10**30}, "productId"),
        ("cart", {"productId": 1, "quantity": 10**30}, "quantity"),
        ("saved", {"productId": 10**30}, "productId"),
        ("preferences", {"desiredIntensity": 10**30}, "desiredIntensity"),
        ("orders/quote", {"items": [{"productId": 10**30, "quantity": 1}]}, "items.0.productId"),
        ("orders/quote", {"items": [{"productId": 1, "quantity": 10**30}]}, "items.0.quantity"),
    ],
)
def test_bodies_that_no_database_can_store_are_refused(
    cast: Cast, as_user: SignIn, path: str, body: dict[str, object], field: str
) -> None:
    refused = as_user(cast.alice).post(f"/api/{path}", json=body)
    assert (refused.status_code, list(refused.json()["fields"])) == (422, [field])


@pytest.mark.parametrize("amount", ["9" * 400, "-" + "9" * 400, "NaN", "-0.01"])
def test_an_amount_that_no_price_can_have_is_refused_by_its_field(cast: Cast, as_user: SignIn, amount: str) -> None:
    sent = f'{{"name": "East side", "fee": {amount}, "zips": ["97201"]}}'
    answer = as_user(cast.ada).post("/api/admin/zones", content=sent, headers=JSON)
    assert answer.status_code == 422
    assert answer.json()["fields"].keys() == {"fee"}


def test_a_lone_surrogate_is_refused_by_its_field(cast: Cast, as_user: SignIn) -> None:
    sent = b'{"subject": "\\ud800", "message": "Where is it?"}'
    answer = as_user(cast.alice).post("/api/support/tickets", content=sent, headers=JSON)
    assert answer.status_code == 422
    assert list(answer.json()["fields"]) == ["subject"]


@pytest.mark.parametrize("path", ["/" + "x" * 300, "/api/orders/%00", "/product/%00", "/" + "é" * 200, "/a%00b"])
def test_an_odd_address_is_not_found_and_has_every_header(cast: Cast, as_user: SignIn, path: str) -> None:
    answer = as_user(cast.alice).get(path)
    assert answer.status_code == 404
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "content-security-policy" in answer.headers


ENDING = ("/auth/logout", "/auth/delete-account", "/login")
HOSTILE = ("\x00", "\ud800", "x" * 300, str(2**63), "9999-12-31")
NUMBERS = (10**400, -(10**400), 2**63, float("nan"), float("inf"), -0.01)


def hostile_calls(method: str, path: str) -> Iterator[tuple[str, object]]:
    """Addresses and bodies with a hostile value in every place that takes one."""
    described = DOCUMENT["paths"]["/api" + path][method.lower()]
    names = [each["name"] for each in described.get("parameters", []) if each["in"] == "query"]
    schema = described.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
    fields = DOCUMENT["components"]["schemas"].get(schema.get("$ref", "").rpartition("/")[2], {}).get("properties", {})
    for value in HOSTILE:
        text = quote(value.encode("utf-8", "surrogatepass"))
        plain, hostile = (re.sub(r"\{\w+\}", each, "/api" + path) for each in ("1", text))
        query = "&".join(f"{name}={text}&{name}=1" for name in names)
        body = dict.fromkeys(fields, value)
        yield f"{plain}?{query}", body
        if hostile != plain:
            yield hostile, body
        yield plain, {name: [value, {value: value}] for name in fields}
    for number in NUMBERS if fields else ():
        yield plain, dict.fromkeys(fields, number)
        yield plain, {name: [number, {"x": number}] for name in fields}


def test_no_hostile_call_of_an_owner_is_a_500(cast: Cast, as_user: SignIn, session: Session) -> None:
    """On every documented route, as the role that may call all of them."""
    make_product(session)
    session.commit()
    ada = as_user(cast.ada)
    failed = []
    for method, path in OPERATIONS:
        for address, body in hostile_calls(method, path) if path not in ENDING else ():
            sent: dict[str, Any] = (
                {"content": json.dumps(body), "headers": JSON} if method in ("POST", "PUT", "PATCH") else {}
            )
            answer = ada.request(method, address, follow_redirects=False, **sent)
            if answer.status_code >= 500 or answer.status_code == 401:
                failed.append((method, address, answer.status_code))
    assert failed == []
