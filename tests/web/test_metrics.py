"""What Prometheus reads: names from the code, the outcome of every request, and nothing about anybody."""

import asyncio
import logging
import re
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from typing import Any

import httpx
import pytest
from fastapi.testclient import TestClient
from prometheus_client import generate_latest
from prometheus_client.parser import text_string_to_metric_families
from reflex.state import State
from sqlalchemy import Engine, text
from sqlmodel import Session
from starlette.types import ASGIApp

from marketplace_app import clock, db
from marketplace_app.adapters import metrics
from marketplace_app.api import access
from marketplace_app.config import get_settings
from marketplace_app.errors import OutOfStock
from marketplace_app.jobs.measuring import GaugeCollector, measuring
from marketplace_app.models import OutboxMessage, TimetableTask
from marketplace_app.services import backups
from marketplace_app.states.events.base import ANYONE, action
from marketplace_app.states.events.failures import Explain
from marketplace_app.web.request_metrics import RequestMetrics
from tests.builders import make_product
from tests.conftest import BASE_URL, Cast, SignIn, free_port
from tests.services.buying.test_fulfilment import place

Configure = Callable[..., None]


def value(name: str, **labels: str) -> float:
    return metrics.REGISTRY.get_sample_value(name, labels) or 0.0


@pytest.fixture
def measured(client: TestClient, shop: ASGIApp) -> TestClient:
    visitor = TestClient(RequestMetrics(shop), base_url=BASE_URL)
    visitor.portal = client.portal
    return visitor


@pytest.mark.parametrize(
    ("path", "route", "status"),
    [
        ("/api/products", "/api/products", "200"),
        ("/api/products/987654", "/api/products/{product_id}", "404"),
        ("/api/orders/secret-id", "/api/orders/{order_id}", "401"),
        ("/api/olive.owner@shop.test", "/api/*", "404"),
        ("/api/" + "x" * 300, "/api/*", "404"),
        ("/healthz", "/healthz", "200"),
    ],
)
def test_requests_are_counted_by_template_and_outcome(measured: TestClient, path: str, route: str, status: str) -> None:
    labels = {"method": "GET", "route": route, "status": status}
    before = value("store_request_seconds_count", **labels)
    measured.get(path)
    assert value("store_request_seconds_count", **labels) == before + 1
    assert path == route or path.encode() not in generate_latest(metrics.REGISTRY)


def test_every_route_has_a_template() -> None:
    for line in access.REQUIRED_ACCESS:
        method, path = line.split(" ")
        assert access.template_of(method, re.sub(r"\{\w+\}", "7", f"/api{path}")) == f"/api{path}"


@pytest.mark.parametrize(
    ("raised", "outcome"),
    [
        (None, "ok"),
        (OutOfStock("Fern", 1), "refused"),
        (ZeroDivisionError(), "failed"),
        (asyncio.CancelledError(), "cancelled"),
    ],
)
def test_an_event_is_counted_by_how_its_handler_ends(raised: BaseException | None, outcome: str) -> None:
    @action(who=ANYONE, on_failure=Explain("Error", "It failed."))
    async def handler(self: Any) -> None:
        if raised is not None:
            raise raised

    def counts() -> dict[str, float]:
        name, outcomes = handler.__qualname__, ("ok", "refused", "failed", "cancelled")
        return {each: value("store_event_seconds_count", handler=name, outcome=each) for each in outcomes}

    before = counts()
    with suppress(asyncio.CancelledError):
        asyncio.run(handler(State()))
    assert counts() == before | {outcome: before[outcome] + 1}


def test_an_order_counts_once_and_only_if_it_is_committed(session: Session, cast: Cast, as_user: SignIn) -> None:
    fern = make_product(session, "Fern", stock=2)
    session.commit()
    before, refused = value("store_orders_placed_total"), value("store_refusals_total", code=OutOfStock.code)
    place(cast.alice, fern)
    assert value("store_orders_placed_total") == before + 1
    with pytest.raises(OutOfStock):
        place(cast.bob, fern)
    assert value("store_orders_placed_total") == before + 1
    answer = as_user(cast.bob).post("/api/cart", json={"productId": fern.id, "quantity": 1})
    assert answer.json()["code"] == OutOfStock.code
    assert value("store_refusals_total", code=OutOfStock.code) == refused + 1


def test_limits_that_are_hit_are_counted(client: TestClient, configure: Configure) -> None:
    configure(READ_RATE="1/minute")
    before = value("store_limits_hit_total", limit="read")
    statuses = [client.get("/api/products").status_code for _ in range(3)]
    assert statuses == [200, 429, 429]
    assert value("store_limits_hit_total", limit="read") == before + 2


def test_each_worker_answers_at_a_port_of_its_own_on_loopback(session: Session, configure: Configure) -> None:
    port = free_port()
    configure(METRICS_PORT=str(port))
    session.add(OutboxMessage(kind="x", recipient="olive.owner@shop.test"))
    session.commit()

    async def scrape() -> httpx.Response:
        async with measuring(), httpx.AsyncClient() as client:
            for _ in range(100):
                await asyncio.sleep(0.05)
                try:
                    return await client.get(f"http://127.0.0.1:{port}/metrics")
                except httpx.ConnectError:
                    continue
        raise AssertionError("nobody answers")

    exposed = asyncio.run(scrape()).text
    families = {family.name: family for family in text_string_to_metric_families(exposed)}
    assert families["store_outbox_waiting"].samples[0].value == 1
    assert families["store_database_up"].samples[0].value == 1
    assert families["store_database_pool_in_use"].samples[0].value >= 0
    assert "process_resident_memory_bytes" in families
    assert "olive.owner" not in exposed


def gauges() -> dict[str, float]:
    return {sample.name: sample.value for metric in GaugeCollector().collect() for sample in metric.samples}


def test_the_last_backup_is_told_by_its_time_and_a_missing_one_as_never(session: Session) -> None:
    assert gauges()["store_last_backup_timestamp_seconds"] == 0
    before = time.time()
    db.write(backups.record)
    assert before - 1 <= gauges()["store_last_backup_timestamp_seconds"] <= time.time()


@pytest.mark.parametrize(("minutes_overdue", "late"), [([], 0), ([-30], 0), ([-30, 5, 2], 300)])
def test_the_timetable_is_as_late_as_its_most_overdue_task(
    session: Session, minutes_overdue: list[int], late: int
) -> None:
    due = [clock.now() - timedelta(minutes=each) for each in minutes_overdue]
    session.add_all(TimetableTask(task=f"task {number}", due_at=at) for number, at in enumerate(due))
    session.commit()
    assert gauges()["store_timetable_late_seconds"] == pytest.approx(late, abs=30)


def test_connections_that_wait_for_a_lock_are_counted(engine: Engine, session: Session) -> None:
    if engine.dialect.name == "sqlite":
        assert "store_database_waiting_for_locks" not in gauges()
        return
    fern = make_product(session, "Fern")
    session.commit()
    lock = text("SELECT id FROM products WHERE id = :id FOR UPDATE")
    holder = engine.connect()
    holder.execute(lock, {"id": fern.id})
    assert gauges()["store_database_waiting_for_locks"] == 0
    waiter = threading.Thread(target=db.read, args=(lambda session: session.execute(lock, {"id": fern.id}),))
    waiter.start()
    deadline = time.monotonic() + 2.5  # then the waiter gives up
    while not (waiting := gauges()["store_database_waiting_for_locks"]) and time.monotonic() < deadline:
        time.sleep(0.02)
    holder.rollback()
    holder.close()
    waiter.join()
    assert waiting == 1


def test_without_a_port_nothing_listens(configure: Configure, monkeypatch: pytest.MonkeyPatch) -> None:
    configure(METRICS_PORT="0")
    monkeypatch.setattr(metrics, "start_http_server", lambda *_, **__: pytest.fail("it listens"))

    async def run() -> None:
        async with measuring():
            await asyncio.sleep(0.05)

    asyncio.run(run())


def test_the_log_says_why_metrics_are_not_served(
    configure: Configure, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    configure(METRICS_PORT="9100")
    answers = iter([OSError("Cannot assign requested address"), None])

    def start(*_: object, **__: object) -> None:
        if problem := next(answers):
            raise problem

    monkeypatch.setattr(metrics, "start_http_server", start)
    monkeypatch.setattr(metrics, "TRY_AGAIN_SECONDS", 0.0)
    with caplog.at_level(logging.WARNING, metrics.__name__):
        metrics._serve(get_settings())
    [record] = caplog.records
    assert "9100" in record.getMessage() and "Cannot assign requested address" in record.getMessage()
