"""What a page of another site can make a signed-in person's browser send (RULE origins-and-hosts)."""

import re
from collections.abc import Callable

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import Engine
from sqlmodel import Session

from marketplace_app.api.access import REQUIRED_ACCESS
from tests.api.test_access import OPERATIONS
from tests.builders import make_product
from tests.conftest import Cast, SignIn
from tests.rows import all_rows

pytestmark = pytest.mark.attack("requests from another site")

FOREIGN: tuple[dict[str, str], ...] = (
    {"Origin": "https://evil.example"},
    {"Origin": "null"},
    {"Sec-Fetch-Site": "cross-site"},
    {"Origin": "http://localhost:8000", "Sec-Fetch-Site": "cross-site"},
    {"Origin": "http://localhost:8000.evil.example", "Sec-Fetch-Site": "same-origin"},
)
SIMPLE = ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x")
"""The content types that a form of another site can send without asking."""
UNSAFE = [(method, path) for method, path in OPERATIONS if method != "GET"]
RECORDED = {"audit_entries", "counters", "users"}
"""What reading writes: that orders were exported, the head of that trail, and the caller's own first referral code."""
CHANGING = {"GET /login", "GET /callback", "GET /r/{code}"}
"""Sign-in itself begins and ends with a GET, and has a state of its own."""


def address_of(path: str) -> str:
    return "/api" + re.sub(r"\{\w+\}", "1", path)


def test_no_other_site_can_change_anything(
    engine: Engine, session: Session, cast: Cast, as_user: SignIn, record_property: Callable[[str, object], None]
) -> None:
    make_product(session)
    session.commit()
    ada = as_user(cast.ada)
    before = all_rows(engine)
    for method, path in UNSAFE:
        for headers in FOREIGN:
            answer = ada.request(method, address_of(path), headers=headers, json={})
            assert (answer.status_code, answer.json()["code"]) == (403, "foreign_origin"), (method, path, headers)
            assert "access-control-allow-origin" not in answer.headers
    assert all_rows(engine) == before
    record_property("figures", f"{len(UNSAFE) * len(FOREIGN)} requests on {len(UNSAFE)} routes: 0 rows changed")


@pytest.mark.parametrize("content_type", SIMPLE)
def test_no_form_of_another_site_is_read(
    engine: Engine, session: Session, cast: Cast, as_user: SignIn, content_type: str
) -> None:
    """Even if a browser sent no header that says where it came from. Routes that take files are left out."""
    make_product(session)
    session.commit()
    ada, before = as_user(cast.ada), all_rows(engine)
    for method, path in UNSAFE:
        if any(part in path for part in ("/image", "/pdf", "/import")):
            continue
        body = b'{"reason": "Resold", "productId": 1}'
        answer = ada.request(method, address_of(path), content=body, headers={"Content-Type": content_type})
        assert answer.status_code == 415, (method, path)
    assert all_rows(engine) == before


def test_reading_changes_nothing(engine: Engine, session: Session, cast: Cast, as_user: SignIn) -> None:
    """An image or a link of another site can make a browser send any GET."""
    make_product(session)
    session.commit()
    ada = as_user(cast.ada)
    ada.get("/api/auth/user")
    before = all_rows(engine)
    reading = [path for method, path in OPERATIONS if method == "GET" and f"GET {path}" not in CHANGING]
    assert {f"GET {path}" for path in reading} <= REQUIRED_ACCESS.keys()
    for path in reading:
        ada.get(address_of(path), follow_redirects=False)
    after = all_rows(engine)
    assert {table for table in after if after[table] != before[table]} == RECORDED


def test_no_answer_may_be_read_by_another_site(client: TestClient) -> None:
    for path in ("/api/products", "/api/auth/user", "/readyz"):
        answer = client.get(path, headers={"Origin": "https://evil.example"})
        assert not [name for name in answer.headers if name.startswith("access-control-")]
        assert answer.headers["cross-origin-resource-policy"] == "same-origin"
