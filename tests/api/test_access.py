"""On every route, access is checked before the input is validated."""

from collections.abc import Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlmodel import Session

from marketplace_app.api.access import REQUIRED_ACCESS, SHOPPERS, SIGNED_IN
from marketplace_app.models import PERMISSIONS, Permission, Role, User
from tests.builders import make_user
from tests.conftest import ON_SQLITE, Cast, SignIn
from tests.documented import openapi

OPERATIONS = [
    (method.upper(), path.removeprefix("/api"))
    for path, methods in openapi()["paths"].items()
    if path.startswith("/api")
    for method in methods
]
NONSENSE: list[dict[str, Any]] = [
    {"json": {}},
    {"content": b"{", "headers": {"content-type": "application/json"}},
    {"content": b"\xff\xfe", "headers": {"content-type": "application/json"}},
]
QUERY = "?limit=none&offset=-1&page=x&days=many&from=never&category=%00&dryRun=perhaps&everywhere=what"
REFUSALS = (401, 403, 404)


def test_every_operation_has_an_access_rule() -> None:
    there = {f"{method} {path}" for method, path in OPERATIONS}
    missing, gone = there - REQUIRED_ACCESS.keys(), REQUIRED_ACCESS.keys() - there
    assert not missing, f"Say in REQUIRED_ACCESS of api/access.py who may call these: {missing}"
    assert not gone, (
        f"No route has these: include the module in api/app.py, or remove them from REQUIRED_ACCESS: {gone}"
    )


def wrong_calls(client: TestClient, method: str, path: str) -> Iterator[int]:
    """The status of every call with something wrong in path, query or body."""
    for name in ("nonsense", "99999999999999999999", "%00"):
        address = "/api" + "/".join(name if part.startswith("{") else part for part in path.split("/"))
        for body in NONSENSE if method in ("POST", "PUT") else [{}]:
            answer = client.request(method, f"{address}{QUERY}", follow_redirects=False, **body)
            assert answer.status_code < 500, (method, address, body)
            assert answer.headers["content-type"].startswith("application/json") or answer.status_code in (204, 302)
            yield answer.status_code
        if "{" not in path:
            return


@pytest.fixture
def people(session: Session, cast: Cast) -> dict[str, User]:
    made = {role.value: make_user(session, f"one-{role}", role=role) for role in Role}
    session.commit()
    return made | {"banned": cast.charlie}


@ON_SQLITE
@pytest.mark.slow
@pytest.mark.attack("calls by those who may not")
@pytest.mark.parametrize("who", ["guest", "banned", *(role.value for role in Role)])
def test_callers_without_access_do_not_learn_what_was_wrong(
    who: str, people: dict[str, User], client: TestClient, as_user: SignIn
) -> None:
    caller = client if who == "guest" else as_user(people[who])
    may = PERMISSIONS[people[who].role] if who not in ("guest", "banned") else frozenset[Permission]()
    leaks = []
    for method, path in OPERATIONS:
        access = REQUIRED_ACCESS.get(f"{method} {path}")  # the test above says which are missing
        if isinstance(access, Permission):
            is_allowed = access in may
        else:
            is_allowed = who not in ("guest", "banned") or access not in (SIGNED_IN, SHOPPERS)
        if not is_allowed:
            leaks += [(method, path, status) for status in wrong_calls(caller, method, path) if status not in REFUSALS]
    assert leaks == []


@pytest.mark.parametrize("path", ["/api", "/api/", "/api/nothing", "/api/admin/nothing", "/api/orders/x/y/z"])
@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "PATCH", "DELETE"])
def test_everything_below_api_is_json(client: TestClient, method: str, path: str) -> None:
    answer = client.request(method, path, **({"json": {}} if method in ("POST", "PUT", "PATCH") else {}))
    assert answer.status_code in (401, 403, 404, 405)
    assert answer.headers["content-type"] == "application/json"
    assert set(answer.json()) == {"message", "code"}


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("PATCH", "/api/cart", "GET, POST, HEAD"),
        ("POST", "/api/products", "GET, HEAD"),
        ("DELETE", "/api/orders/1", "GET, HEAD"),
        ("GET", "/api/orders/1/cancel", "POST"),
    ],
)
def test_a_method_that_a_route_does_not_have_is_a_405_for_anyone(
    client: TestClient, method: str, path: str, allowed: str
) -> None:
    answer = client.request(method, path)
    assert (answer.status_code, answer.json()["code"]) == (405, "method_not_allowed")
    assert answer.headers["allow"] == allowed
