"""Repeated requests for the catalogue are answered from a cache in front of the REST application, by the same rules."""

from collections.abc import Callable
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from sqlalchemy import Engine, text
from sqlmodel import Session

from marketplace_app import db
from marketplace_app.api import catalogue_answers
from marketplace_app.api.app import make_api
from marketplace_app.auth import acting
from marketplace_app.web.catalogue_answers import CatalogueAnswers
from tests.builders import make_product
from tests.counting import count_statements

URLS = ("/api/products?limit=2", "/api/products/facets", "/api/products/suggestions?q=f", "/api/products/1")


class Counted:
    """An application that counts the requests that come through to it."""

    def __init__(self, app: FastAPI) -> None:
        self.app, self.state, self.requests = app, app.state, 0

    async def __call__(self, *call: object) -> None:
        self.requests += 1
        await self.app(*call)  # type: ignore[arg-type]


@pytest.fixture
def answers_made(monkeypatch: pytest.MonkeyPatch, shop: object) -> list[object]:
    """The contents of the answers that were made instead of taken from the cache."""
    contents: list[object] = []
    make = catalogue_answers._tagged

    def made(content: object, *rest: Any) -> catalogue_answers.Content:
        contents.append(content)
        return make(content, *rest)

    monkeypatch.setattr(catalogue_answers, "_tagged", made)
    return contents


@pytest.mark.parametrize("url", URLS)
def test_a_kept_answer_is_the_one_that_was_made(
    client: TestClient, session: Session, answers_made: list[object], url: str
) -> None:
    make_product(session, id=1, name="Fern")
    session.commit()
    first, second = client.get(url), client.get(url)
    assert len(answers_made) == 1
    assert (first.status_code, first.content) == (second.status_code, second.content)
    del first.headers["X-Request-Id"], second.headers["X-Request-Id"]
    assert dict(first.headers) == dict(second.headers)


def test_a_kept_answer_does_not_reach_the_application(engine: Engine, session: Session, shop: object) -> None:
    make_product(session, id=1)
    session.commit()
    app = Counted(make_api())
    visitor = TestClient(CatalogueAnswers(app))  # type: ignore[arg-type]
    assert [visitor.get("/api/products/1").status_code for _ in range(3)] == [200, 200, 200]
    assert app.requests == 1
    visitor.post("/api/products/1")
    assert app.requests == 2


def test_a_kept_answer_counts_for_the_limit(
    client: TestClient, session: Session, configure: Callable[..., None]
) -> None:
    configure(READ_RATE="2/minute")
    make_product(session, id=1)
    session.commit()
    answers = [client.get("/api/products/1") for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert answers[2].headers["Retry-After"]


@pytest.mark.parametrize("url", URLS)
def test_a_request_counts_once_whichever_layer_answers_it(
    client: TestClient, session: Session, configure: Callable[..., None], url: str
) -> None:
    configure(READ_RATE="3/minute")
    make_product(session, id=1)
    session.commit()
    statuses = [client.get(url).status_code]
    session.execute(text("UPDATE products SET price_cents = 6100"))
    session.commit()
    statuses += [client.get(url).status_code for _ in range(3)]
    assert statuses == [200, 200, 200, 429]


@pytest.mark.attack("rate limits bypassed")
def test_a_query_is_not_even_read_beyond_the_limit(
    client: TestClient, configure: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    configure(READ_RATE="1/minute")
    client.get("/api/products")
    monkeypatch.setattr(catalogue_answers, "parse_query", pytest.fail)
    assert client.get("/api/products?search=new").status_code == 429


def test_a_client_that_has_the_answer_already_is_told_so(client: TestClient, session: Session) -> None:
    make_product(session, id=1)
    session.commit()
    tag = client.get("/api/products/1").headers["ETag"]
    again = client.get("/api/products/1", headers={"If-None-Match": tag})
    assert (again.status_code, again.content) == (304, b"")


def test_a_list_of_products_in_memory_is_made_without_a_thread(
    client: TestClient, session: Session, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only the catalogue's version is read, which SQLite shows without a query."""
    for number in range(3):
        make_product(session, id=number + 1, price_cents=(40 + number) * 100)
    session.commit()
    client.get("/api/products?limit=3&sortBy=price")
    with monkeypatch.context() as patched, count_statements(engine) as statements:
        patched.setattr(acting, "read", pytest.fail if engine.dialect.name == "sqlite" else acting.read)
        found = client.get("/api/products?limit=2&sortBy=price&minPrice=41.00")
    assert [each["id"] for each in found.json()] == [2, 3]
    assert found.headers["X-Total-Count"] == "2"
    assert len(statements) == (0 if engine.dialect.name == "sqlite" else 1)


def test_a_change_is_in_the_next_list_of_products_in_memory(client: TestClient, session: Session) -> None:
    make_product(session, id=1)
    session.commit()
    client.get("/api/products?limit=3")
    session.execute(text("UPDATE products SET price_cents = 6100"))
    session.commit()
    assert client.get("/api/products?limit=2").json()[0]["price"] == "61.00"


def test_a_change_is_answered_anew(client: TestClient, session: Session) -> None:
    make_product(session, id=1, price_cents=60_00)
    session.commit()
    assert [client.get("/api/products/1").json()["price"] for _ in range(2)] == ["60.00", "60.00"]
    session.execute(text("UPDATE products SET price_cents = 6100"))
    session.commit()
    assert client.get("/api/products/1").json()["price"] == "61.00"


@pytest.mark.attack("memory filled with made-up URLs")
def test_answers_for_long_urls_are_not_kept(client: TestClient, session: Session, answers_made: list[object]) -> None:
    make_product(session, id=7)
    session.commit()
    padding = "0" * catalogue_answers.MAX_CACHED_URL
    for _ in range(2):
        assert client.get(f"/api/products?search=none&made={padding}").json() == []
        assert client.get(f"/api/products/{padding}7").json()["id"] == 7
    assert len(answers_made) == 4


def test_an_empty_answer_is_not_without_weight(shop: object, engine: Engine) -> None:
    cache = catalogue_answers.make_cache()
    assert cache._size_of(catalogue_answers.Content(b"[]", {})) >= catalogue_answers.MAX_CACHED_URL


def test_without_a_database_it_says_so(
    client: TestClient, session: Session, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether the answer still holds cannot be known then."""
    make_product(session, id=1)
    session.commit()
    assert client.get("/api/products/1").status_code == 200
    gone = db.make_engine("postgresql+psycopg://nobody@127.0.0.1:1/none")
    monkeypatch.setattr(db, "get_engine", lambda: gone)
    answer = client.get("/api/products/1")
    assert (answer.status_code, answer.json()["code"]) == (503, "unavailable")
