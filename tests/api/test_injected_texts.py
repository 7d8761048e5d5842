"""Hostile texts in each text field of each route are stored as they are, or refused by the name of their field."""

import csv
import io
import re
from collections.abc import Callable, Iterator
from math import gcd
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import Engine
from sqlmodel import Session

from marketplace_app import db
from marketplace_app.api.access import REQUIRED_ACCESS
from marketplace_app.models import Permission
from marketplace_app.services import invariants
from marketplace_app.spreadsheets import FORMULA_PREFIXES
from tests.api.test_access import OPERATIONS
from tests.builders import draft, make_product
from tests.conftest import Cast, SignIn
from tests.documented import openapi
from tests.injections import ALL, IS_LONG

pytestmark = [pytest.mark.slow, pytest.mark.attack("injected texts")]

EVERY = 1 if IS_LONG else 9
"""Of all texts in all fields, every ninth is sent; `make attack` sends all."""
assert gcd(len(ALL), EVERY) == 1, "all fields would get the same few texts"
DOCUMENT = openapi()
SCHEMAS = DOCUMENT["components"]["schemas"]
BAN = {"reason": "Resold"}
EXPORTS = ("/api/admin/orders/export", "/api/admin/products/export", "/api/admin/taxes/export")


def text_fields(schema: dict[str, Any]) -> list[str]:
    def is_text(field: dict[str, Any]) -> bool:
        kinds = [field, *field.get("anyOf", [])]
        return any(kind.get("type") == "string" or kind.get("items", {}).get("type") == "string" for kind in kinds)

    return [name for name, field in schema.get("properties", {}).items() if is_text(field)]


def forms() -> Iterator[tuple[str, str, dict[str, Any], str]]:
    """Method, path, a valid body and the name of a text field in it."""
    for method, path in OPERATIONS:
        content = DOCUMENT["paths"]["/api" + path][method.lower()].get("requestBody", {}).get("content", {})
        names = re.findall(r"schemas/(\w+)", str(content.get("application/json", {}).get("schema", "")))
        for field in text_fields(SCHEMAS[names[0]]) if names else ():
            body = (SCHEMAS[names[0]].get("examples") or [BAN])[0]
            yield method, path, body, field


def queries() -> Iterator[tuple[str, str]]:
    for method, path in OPERATIONS:
        for each in DOCUMENT["paths"]["/api" + path][method.lower()].get("parameters", []):
            if each["in"] == "query" and method == "GET" and path != "/login":
                yield path, each["name"]


@pytest.fixture
def ids(session: Session, cast: Cast, as_user: SignIn) -> dict[str, str]:
    """One of each thing that a path names."""
    fern = make_product(session)
    session.commit()
    alice, ada = as_user(cast.alice), as_user(cast.ada)
    sent = {"subject": "Late", "message": "It was due by noon."}
    home = {"street": "214 Larch Street", "city": "Portland", "state": "OR", "zip": "97201"}
    return {
        "order_id": alice.post("/api/orders", json=draft((fern, 2))).json()["id"],
        "ticket_id": alice.post("/api/support/tickets", json=sent).json()["id"],
        "line_id": str(alice.post("/api/cart", json={"productId": fern.id, "quantity": 1}).json()["id"]),
        "address_id": str(alice.post("/api/addresses", json=home).json()["id"]),
        "user_id": str(cast.bob.id),
        "product_id": str(fern.id),
        "synonym_id": ada.post("/api/admin/search/synonyms", json={"term": "reefer", "replacement": "Roll"}).json()[
            "id"
        ],
        "page": "terms",
    }


def with_text(body: dict[str, Any], field: str, text: str) -> dict[str, Any]:
    return body | {field: [text] if isinstance(body.get(field), list) else text}


def caller_of(method: str, path: str, alice: TestClient, ada: TestClient) -> TestClient:
    return ada if isinstance(REQUIRED_ACCESS[f"{method} {path}"], Permission) else alice


def test_no_text_in_any_field_is_more_than_text(
    engine: Engine, cast: Cast, as_user: SignIn, ids: dict[str, str], record_property: Callable[[str, object], None]
) -> None:
    alice, ada = as_user(cast.alice), as_user(cast.ada)
    fields, statuses = list(forms()), []
    assert len(fields) > 60
    calls = [(form, text) for form in fields for text in ALL]
    for (method, path, body, field), text in calls[::EVERY]:
        address = "/api" + re.sub(r"\{(\w+)\}", lambda name: str(ids.get(name[1], "1")), path)
        answer = caller_of(method, path, alice, ada).request(method, address, json=with_text(body, field, text))
        statuses.append(answer.status_code)
        assert answer.status_code < 500, (method, path, field, text)
        assert answer.headers["content-type"] == "application/json" or answer.status_code == 204
        assert "set-cookie" not in answer.headers or "evil" not in answer.headers["set-cookie"]
    for path in EXPORTS:
        exported = ada.get(path)
        assert exported.status_code == 200
        for row in csv.reader(io.StringIO(exported.text)):
            assert not [cell for cell in row if cell.startswith(FORMULA_PREFIXES) and not is_number(cell)]
    assert ada.get("/api/admin/audit").status_code == 200
    assert db.read(lambda s: [each for each in invariants.check(s) if not each.holds]) == []
    stored = sum(status < 300 for status in statuses)
    record_property("figures", f"{len(statuses)} calls, {len(fields)} fields, {len(ALL)} texts: {stored} stored")


def is_number(cell: str) -> bool:
    return re.fullmatch(r"-?[0-9.]+", cell) is not None


def test_no_text_in_any_query_is_more_than_text(
    cast: Cast, as_user: SignIn, ids: dict[str, str], record_property: Callable[[str, object], None]
) -> None:
    alice, ada = as_user(cast.alice), as_user(cast.ada)
    calls = [(query, text) for query in queries() for text in ALL][::EVERY]
    for (path, name), text in calls:
        address = "/api" + re.sub(r"\{(\w+)\}", lambda found: str(ids.get(found[1], "1")), path)
        answer = caller_of("GET", path, alice, ada).get(address, params={name: text.encode("utf-8", "replace")})
        assert answer.status_code in (200, 422), (path, name, text, answer.status_code)
    record_property("figures", f"{len(calls)} queries, {len(list(queries()))} parameters")
