"""What the events of a real tab and its writes look like to a collector."""

import re
import threading
import uuid
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.collector import Collector, attributes, collecting
from tests.e2e.conftest import BUILD_SETTINGS, PORT, Store
from tests.e2e.running import running
from tests.e2e.wire import STATES, cookie_of, tab

pytestmark = [pytest.mark.browser, pytest.mark.stores]
CONSUMER, CLIENT = 5, 3


@pytest.fixture(scope="module")
def collector() -> Iterator[Collector]:
    with collecting() as collector:
        yield collector


@pytest.fixture(scope="module")
def traced(store: Store, collector: Collector, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """A second store with the same pages."""
    settings = {**BUILD_SETTINGS, "TRACES_ENDPOINT": collector.url}
    with running("tests.e2e.second_store", PORT + 8, tmp_path_factory.mktemp("traced"), settings) as started:
        yield started


def test_an_event_is_a_span_with_its_statements(traced: Store, collector: Collector) -> None:
    email, token = f"{uuid.uuid4().hex}@shop.test", str(uuid.uuid4())
    cookie = cookie_of(traced.url, email)
    with tab(traced.url, cookie=cookie, token=token) as mine:
        mine.call("self_check____self_check_state.load", path="/test")
        mine.call("buying___cart____cart_state.add", product_id=1)
    loaded = collector.wait_for(lambda span: span.name == "SelfCheckState.load")
    added = collector.wait_for(lambda span: span.name == "CartState.add")
    assert loaded.kind == CONSUMER
    assert re.fullmatch(r"[0-9a-f]{16}-[0-9a-f]{12}", str(attributes(loaded)["request.id"]))
    assert loaded.trace_id != added.trace_id
    written = collector.wait_for(
        lambda span: span.trace_id == added.trace_id and "INSERT INTO cart" in str(attributes(span))
    )
    assert written.kind == CLIENT
    assert attributes(written)["request.id"] == attributes(added)["request.id"]
    names = {name for span in collector.spans() for name in attributes(span)}
    assert names <= {
        *("http.request.method", "http.route", "http.response.status_code", "error.type", "request.id"),
        *("db.system.name", "db.query.text", "code.function.name"),
    }
    sent = b"".join(collector.bodies)
    assert not [secret for secret in (email, token, cookie) if secret.encode() in sent]


def test_a_refused_event_says_why_by_the_code_of_its_error(traced: Store, collector: Collector) -> None:
    with tab(traced.url, cookie=cookie_of(traced.url, "refused@shop.test")) as mine:
        mine.call("buying___cart____cart_state.add", product_id=987_654)
    refused = collector.wait_for(lambda span: attributes(span).get("error.type") == "not_found")
    assert refused.name == "CartState.add"


@pytest.mark.attack("parents of traces in packets of the socket")
def test_a_tab_cannot_name_the_parent_of_its_trace(traced: Store, collector: Collector) -> None:
    parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
    with tab(traced.url) as mine:
        name = f"{STATES}products___catalogue____catalogue_state.load"
        event = f'{{"name":"{name}","payload":{{}},"router_data":{{"pathname":"/"}},"traceparent":"{parent}"}}'
        mine.socket.send(f'42/_event,["event",{event}]')
        mine.gather()
    span = collector.wait_for(lambda span: span.name == "CatalogueState.load")
    assert span.trace_id.hex() not in parent
    assert span.parent_span_id == b""


def test_writes_that_share_a_commit_are_each_traced_under_their_own_request(
    traced: Store, collector: Collector
) -> None:
    cookies = [cookie_of(traced.url, f"together{number}@shop.test") for number in range(4)]
    together = threading.Barrier(len(cookies))
    ids: list[str] = []

    def add(cookie: str) -> None:
        with httpx.Client(base_url=traced.url, cookies={"session": cookie}) as client:
            for _ in range(5):
                together.wait(20)
                answer = client.post("/api/cart", json={"productId": 1, "quantity": 1})
                assert answer.status_code == 201, answer.text
                ids.append(answer.headers["X-Request-Id"])

    threads = [threading.Thread(target=add, args=(cookie,)) for cookie in cookies]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    for request_id in ids:
        request = collector.wait_for(
            lambda span, wanted=request_id: (
                attributes(span).get("request.id") == wanted and span.name == "POST /api/cart"
            )
        )
        collector.wait_for(
            lambda span, trace=request.trace_id: span.trace_id == trace and "INTO cart" in str(attributes(span))
        )


def test_the_store_says_nothing_about_a_collector_that_answers(traced: Store) -> None:
    assert "opentelemetry" not in Path(traced.log).read_text()
