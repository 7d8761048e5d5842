"""On every route, data of another user is not found; routes of staff are refused."""

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import Engine
from sqlmodel import Session

from marketplace_app.api.access import ANYONE, REQUIRED_ACCESS
from marketplace_app.models import Permission
from tests.api.test_access import OPERATIONS
from tests.builders import draft, make_product
from tests.conftest import Cast, SignIn
from tests.documented import openapi
from tests.rows import all_rows

DOCUMENT = openapi()
SECRETS = ("alice", "Larch Street", "503 555 0142", "green door", "by noon")
PUBLIC = ("product_id", "code", "page")
"""Parameters that name nothing of anybody's own."""
HOME = {"street": "214 Larch Street", "city": "Portland", "state": "OR", "zip": "97201"}


@pytest.fixture
def alices(session: Session, cast: Cast, as_user: SignIn) -> dict[str, Any]:
    """What alice has, by the name of the parameter that leads to it."""
    fern = make_product(session)
    session.commit()
    alice = as_user(cast.alice)
    order = alice.post("/api/orders", json=draft((fern, 2)))
    ticket = alice.post("/api/support/tickets", json={"subject": "Late", "message": "It was due by noon."})
    line = alice.post("/api/cart", json={"productId": fern.id, "quantity": 1})
    address = alice.post("/api/addresses", json=HOME)
    assert {answer.status_code for answer in (order, ticket, line, address)} <= {200, 201}
    return {
        "order_id": order.json()["id"],
        "ticket_id": ticket.json()["id"],
        "line_id": alice.get("/api/cart").json()[0]["id"],
        "address_id": address.json()["id"],
        "user_id": cast.alice.id,
    }


def paths(alices: dict[str, Any]) -> Iterator[tuple[str, str, bool]]:
    """Every call that names something of alices, and whether it is an admin call."""
    for method, path in OPERATIONS:
        access = REQUIRED_ACCESS.get(f"{method} {path}", ANYONE)  # tests/api/test_access.py says which are missing
        names = re.findall(r"\{(\w+)\}", path)
        if access is ANYONE or not names or names[0] in PUBLIC:
            continue
        is_for_staff = isinstance(access, Permission)
        if names[0] not in alices:
            assert is_for_staff, f"say in `alices` whose {names[0]} is"
            continue
        yield method, f"/api{path}".replace(f"{{{names[0]}}}", str(alices[names[0]])), is_for_staff


def example_of(method: str, path: str) -> dict[str, Any]:
    """A body that the owner of the thing could have sent."""
    pattern = next(each for each in DOCUMENT["paths"] if re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", each), path))
    body = DOCUMENT["paths"][pattern][method.lower()].get("requestBody")
    if body is None or "application/json" not in body["content"]:
        return {}
    [name] = re.findall(r"schemas/(\w+)", str(body["content"]["application/json"]["schema"]))
    return {"json": DOCUMENT["components"]["schemas"][name]["examples"][0]}


@pytest.mark.attack("what is somebody else's")
@pytest.mark.parametrize("who", ["another shopper", "somebody banned", "a guest"])
def test_no_route_gives_access_to_anothers_data(
    engine: Engine,
    cast: Cast,
    client: TestClient,
    as_user: SignIn,
    alices: dict[str, Any],
    who: str,
    record_property: Callable[[str, object], None],
) -> None:
    signed_in = {"another shopper": cast.bob, "somebody banned": cast.charlie}
    thief = as_user(signed_in[who]) if who in signed_in else client
    before, calls = all_rows(engine), list(paths(alices))
    for method, path, is_for_staff in calls:
        answer = thief.request(method, path, **example_of(method, path))
        expected = 401 if who != "another shopper" else 403 if is_for_staff else 404
        assert answer.status_code == expected, (method, path, answer.text)
        assert not [secret for secret in SECRETS if secret in answer.text]
    assert len(calls) > 15
    assert all_rows(engine) == before
    record_property("figures", f"{len(calls)} calls of {who}: 0 answered, 0 rows changed")
