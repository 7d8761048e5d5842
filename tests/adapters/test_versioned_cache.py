"""Cached answers are never older than the catalogue (docs/decisions/0006-cached-answers.md)."""

import asyncio
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import Engine, text
from sqlmodel import Session

from marketplace_app import db
from marketplace_app.adapters.versioned_cache import AsyncVersionedCache, VersionedCache
from tests.builders import draft, make_product
from tests.conftest import Cast, SignIn
from tests.counting import count_statements


def test_a_cached_answer_costs_only_a_check_of_the_version(
    client: TestClient, session: Session, engine: Engine
) -> None:
    """SQLite shows without a query whether anything was written since."""
    product = make_product(session)
    session.commit()
    first = client.get(f"/api/products/{product.id}")
    with count_statements(engine) as again:
        assert client.get(f"/api/products/{product.id}").content == first.content
    assert len(again) == (0 if engine.dialect.name == "sqlite" else 1)


@pytest.mark.parametrize("address", ["/api/products?limit=1", "/api/products/{id}"])
def test_a_change_made_directly_in_the_database_is_in_the_next_answer(
    client: TestClient, session: Session, address: str
) -> None:
    product = make_product(session)
    session.commit()
    address = address.format(id=product.id)
    assert '"60.00"' in client.get(address).text
    session.execute(text("UPDATE products SET price_cents = 6100"))
    session.commit()
    assert '"61.00"' in client.get(address).text


def test_selling_the_last_unit_is_in_the_next_answer(as_user: SignIn, cast: Cast, session: Session) -> None:
    product = make_product(session, price_cents=120_00, stock=1)
    session.commit()
    alice = as_user(cast.alice)
    assert alice.get(f"/api/products/{product.id}").json()["inStock"]
    assert alice.post("/api/orders", json=draft((product, 1))).status_code == 201
    assert not alice.get(f"/api/products/{product.id}").json()["inStock"]


def test_a_missing_product_is_not_cached_as_missing(client: TestClient, session: Session) -> None:
    assert client.get("/api/products/1").status_code == 404
    product = make_product(session, id=1)
    session.commit()
    assert client.get(f"/api/products/{product.id}").status_code == 200


def test_a_request_does_not_share_a_read_that_began_before_it() -> None:
    """Otherwise it would miss a change committed in between. Waiting requests share the next read."""
    readings: list[int] = []
    has_begun, may_end = threading.Event(), threading.Event()

    def read_version() -> int:
        readings.append(len(readings) + 1)
        has_begun.set()
        assert may_end.wait(5)
        return readings[-1]

    async def scenario() -> None:
        cache: AsyncVersionedCache[str] = AsyncVersionedCache(read_version, max_size=100)
        calls = [asyncio.create_task(cache.get("price", str))]
        await asyncio.to_thread(has_begun.wait)
        calls += [asyncio.create_task(cache.get("price", str)) for _ in range(2)]
        await asyncio.sleep(0)
        may_end.set()
        await asyncio.gather(*calls)

    asyncio.run(scenario())
    assert readings == [1, 2]


def test_the_version_is_read_again_once_anything_was_written(engine: Engine, session: Session) -> None:
    """Any write counts, also by another process."""
    readings: list[None] = []
    cache: AsyncVersionedCache[str] = AsyncVersionedCache(
        lambda: readings.append(None) or 1, max_size=100, read_change_mark=db.change_mark
    )  # type: ignore[func-returns-value]

    def ask_twice() -> int:
        readings.clear()
        for _ in range(2):
            asyncio.run(cache.get("price", str))
        return len(readings)

    reads_at_rest = 0 if engine.dialect.name == "sqlite" else 2  # PostgreSQL has no change mark, so each request reads
    assert ask_twice() == max(1, reads_at_rest)
    assert ask_twice() == reads_at_rest
    make_product(session)
    session.flush()
    assert ask_twice() == reads_at_rest  # not yet written
    session.commit()
    assert ask_twice() == max(1, reads_at_rest)
    session.rollback()
    if engine.dialect.name == "sqlite":
        write = "import sqlite3, sys; sqlite3.connect(sys.argv[1]).execute('PRAGMA user_version = 7')"
        subprocess.run([sys.executable, "-c", write, engine.url.database], check=True)
        assert ask_twice() == 1


def test_what_is_written_while_the_version_is_read_is_not_missed() -> None:
    """The marker of writes is read first: read later, it would include a write that the version does not."""
    marks, versions = [1], [1]

    def read_version() -> int:
        read = versions[-1]
        marks.append(marks[-1] + 1)
        versions.append(versions[-1] + 1)
        return read

    async def scenario() -> None:
        cache: AsyncVersionedCache[str] = AsyncVersionedCache(
            read_version, max_size=100, read_change_mark=lambda: marks[-1]
        )
        assert await cache.get("price", lambda: "old") == "old"
        assert await cache.get("price", lambda: "new") == "new"

    asyncio.run(scenario())


def test_a_cache_never_grows_above_its_maximum_size() -> None:
    cache: AsyncVersionedCache[str] = AsyncVersionedCache(lambda: 1, max_size=64, size_of=len)
    made: list[str] = []

    def make(key: str, size: int) -> str:
        made.append(key)
        return "x" * size

    async def ask(*keys: tuple[str, int]) -> list[str]:
        made.clear()
        for key, size in keys:
            await cache.get(key, lambda key=key, size=size: make(key, size))  # type: ignore[misc]
        return list(made)

    async def scenario() -> None:
        # Above a sixteenth of the maximum: not kept.
        assert await ask(("too much", 5), ("too much", 5)) == ["too much", "too much"]
        small = [(str(number), 4) for number in range(17)]
        await ask(*small)
        assert await ask(*small[1:]) == []
        assert await ask(small[0]) == ["0"]

    asyncio.run(scenario())


def test_a_cached_answer_is_valid_for_its_version_only() -> None:
    made: list[str] = []

    def make(words: str) -> Callable[[], str]:
        return lambda: made.append(words) or words  # type: ignore[func-returns-value]

    latest: VersionedCache[str] = VersionedCache(max_size=2)
    assert [latest.get("a", 1, make("first")), latest.get("a", 1, make("again"))] == ["first", "first"]
    assert latest.get("a", 2, make("second")) == "second"
    latest.get("b", 2, make("b"))
    latest.get("c", 2, make("c"))
    assert latest.get("a", 2, make("third")) == "third"
    assert made == ["first", "second", "b", "c", "third"]


def test_a_value_that_several_threads_miss_at_once_is_computed_once() -> None:
    cache: VersionedCache[str] = VersionedCache(max_size=4)
    computed: list[str] = []
    may_end = threading.Event()

    def compute() -> str:
        computed.append("once")
        assert may_end.wait(5)
        return "words"

    with ThreadPoolExecutor(8) as pool:
        found = [pool.submit(cache.get, "words", 1, compute) for _ in range(8)]
        while not computed:
            time.sleep(0.001)
        may_end.set()
        assert {each.result(5) for each in found} == {"words"}
    assert computed == ["once"]
    assert cache.get("words", 2, lambda: "new words") == "new words"


def test_an_older_value_does_not_replace_a_newer_one() -> None:
    cache: VersionedCache[str] = VersionedCache(max_size=4)

    def compute_slowly() -> str:
        assert cache.get("words", 6, lambda: "new") == "new"
        return "old"

    assert cache.get("words", 5, compute_slowly) == "old"
    assert cache.get("words", 6, lambda: "computed again") == "new"


def test_an_answer_that_is_asked_for_at_once_is_made_once() -> None:
    made: list[str] = []
    has_begun, may_end = threading.Event(), threading.Event()

    def make() -> str:
        made.append("once")
        has_begun.set()
        assert may_end.wait(5)
        return "answer"

    async def scenario() -> list[str]:
        cache: AsyncVersionedCache[str] = AsyncVersionedCache(lambda: 1, max_size=1_000)
        calls = [asyncio.create_task(cache.get("list", make)) for _ in range(5)]
        await asyncio.to_thread(has_begun.wait)
        may_end.set()
        return await asyncio.gather(*calls)

    assert asyncio.run(scenario()) == ["answer"] * 5
    assert made == ["once"]


def test_a_value_that_could_not_be_computed_is_computed_again() -> None:
    cache: VersionedCache[str] = VersionedCache(max_size=4)

    def fail() -> str:
        raise RuntimeError

    with pytest.raises(RuntimeError):
        cache.get("words", 1, fail)
    assert cache.get("words", 1, lambda: "words") == "words"
