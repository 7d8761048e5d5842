"""Answers kept between requests are never older than the catalogue (docs/decisions/0006)."""

import asyncio
from collections.abc import Callable

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import Engine, text
from sqlmodel import Session

from marketplace_app.api import kept
from marketplace_app.api.kept import Kept, KeptAnswers
from marketplace_app.models import User
from tests.builders import draft, make_product
from tests.conftest import Cast
from tests.counting import count_statements


def test_an_answer_is_kept_and_asked_of_the_database_again(
    client: TestClient, session: Session, engine: Engine
) -> None:
    product = make_product(session)
    session.commit()
    first = client.get(f"/api/products/{product.id}")
    with count_statements(engine) as again:
        assert client.get(f"/api/products/{product.id}").content == first.content
    assert len(again) == 1


@pytest.mark.parametrize("address", ["/api/products?limit=1", "/api/products/{id}"])
def test_a_change_past_the_store_is_in_the_next_answer(client: TestClient, session: Session, address: str) -> None:
    product = make_product(session)
    session.commit()
    address = address.format(id=product.id)
    assert '"60.00"' in client.get(address).text
    session.execute(text("UPDATE products SET price_cents = 6100"))
    session.commit()
    assert '"61.00"' in client.get(address).text


def test_selling_the_last_unit_is_in_the_next_answer(
    as_user: Callable[[User], TestClient], cast: Cast, session: Session
) -> None:
    product = make_product(session, price_cents=120_00, stock=1)
    session.commit()
    alice = as_user(cast.alice)
    assert alice.get(f"/api/products/{product.id}").json()["inStock"]
    assert alice.post("/api/orders", json=draft((product, 1))).status_code == 201
    assert not alice.get(f"/api/products/{product.id}").json()["inStock"]


def test_a_product_that_was_missing_is_not_kept_as_missing(client: TestClient, session: Session) -> None:
    assert client.get("/api/products/1").status_code == 404
    product = make_product(session, id=1)
    session.commit()
    assert client.get(f"/api/products/{product.id}").status_code == 200


def answer(text_: str) -> Kept:
    return Kept(text_.encode(), {})


def test_nobody_joins_a_reading_that_began_before_they_came(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else a change committed in between would be missed."""
    readings: list[asyncio.Event] = []

    async def read(*_: object) -> int:
        readings.append(asyncio.Event())
        number = len(readings)
        await readings[-1].wait()
        return number

    monkeypatch.setattr(kept, "run_in_threadpool", read)

    async def scenario() -> list[int]:
        answers = KeptAnswers()
        first = asyncio.create_task(answers._read_version())
        await asyncio.sleep(0.01)
        later = [asyncio.create_task(answers._read_version()) for _ in range(2)]
        for number in range(2):
            await asyncio.sleep(0.01)
            readings[number].set()
        return [await task for task in (first, *later)]

    assert asyncio.run(scenario()) == [1, 2, 2]


def test_no_more_is_kept_than_has_room(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = KeptAnswers()
    monkeypatch.setattr(kept, "MAX_BYTES", 10)
    for address in "abc":
        answers._keep(address, answer("1234"))
    assert list(answers._answers) == ["b", "c"]
    assert answers._bytes == 10
