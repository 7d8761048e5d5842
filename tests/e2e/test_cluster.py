"""`make cluster`: several processes of the store behind Caddy. Any of them may die."""

import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.acts import OWNER
from tests.e2e.conftest import BUILD_SETTINGS, PORT, one_at_a_time
from tests.e2e.raw_http import ambiguous_requests, exchange, smuggled_request, statuses_in
from tests.e2e.wire import cookie_of
from tests.injections import IS_LONG
from tools.cluster.control import Cluster
from tools.load.__main__ import Size, run

pytestmark = [pytest.mark.browser, pytest.mark.stores]

STORES = ("store-1", "store-2")
PLENTIFUL = 1
"""A product of the demo catalogue, of which there is enough."""


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    started = Cluster(tmp_path_factory.mktemp("cluster"), PORT + 12, BUILD_SETTINGS)
    try:
        with one_at_a_time():
            started.start()
        yield started
    finally:
        started.stop()


@contextmanager
def signed_in(cluster: Cluster, email: str) -> Iterator[httpx.Client]:
    cookies = {"__Host-session": cookie_of(cluster.url, email)}
    with httpx.Client(base_url=cluster.url, verify=cluster.ssl_context(), cookies=cookies) as client:
        assert client.post("/api/verify-age", json={"dateOfBirth": "1990-04-17"}).status_code == 200
        yield client


@pytest.fixture(scope="module")
def shopper(cluster: Cluster) -> Iterator[httpx.Client]:
    with signed_in(cluster, "shopper@example.com") as client:
        yield client


def place_order(shopper: httpx.Client) -> httpx.Response:
    draft = {
        "items": [{"productId": PLENTIFUL, "quantity": 4}],
        "deliveryAddress": "214 Larch Street, Portland, OR 97201",
        "contactPhone": "503 555 0142",
        "deliveryInstructions": "Side entrance, the green door.",
        "paymentInstructions": "Envelope under the mat.",
    }
    return shopper.post("/api/orders", json=draft, headers={"Idempotency-Key": str(uuid.uuid4())}, timeout=30)


def test_orders_and_open_tabs_go_on_while_each_process_dies_and_comes_back(
    cluster: Cluster, shopper: httpx.Client, browser: Browser
) -> None:
    """The tab is somebody else's, whose other device adds to the cart."""
    placed = [place_order(shopper)]
    with signed_in(cluster, "watcher@example.com") as watcher, open_tab(cluster, browser, watcher) as page:
        add_to_cart(watcher, page, 1)
        for count, name in enumerate(STORES, start=2):
            cluster.kill_with_children(name)
            placed += [place_order(shopper) for _ in range(5)]
            cluster.start()
            assert cluster.program(name) is not None
            add_to_cart(watcher, page, count)
    assert [answer.status_code for answer in placed] == [201] * 11
    kept = {order["number"] for order in shopper.get("/api/orders").json()}
    assert {answer.json()["number"] for answer in placed} <= kept


@contextmanager
def open_tab(cluster: Cluster, browser: Browser, person: httpx.Client) -> Iterator[Page]:
    with browser.new_context(base_url=cluster.url, ignore_https_errors=True, service_workers="block") as context:
        value = person.cookies["__Host-session"]
        context.add_cookies([{"name": "__Host-session", "value": value, "url": cluster.url, "secure": True}])
        page = context.new_page()
        page.goto("/account")
        yield page


def add_to_cart(person: httpx.Client, page: Page, count: int) -> None:
    """One more, which the open tab then shows."""
    person.post("/api/cart", json={"productId": PLENTIFUL, "quantity": 1}).raise_for_status()
    cart = page.get_by_role("button", name="Cart").or_(page.get_by_role("link", name="Cart")).first
    expect(cart).to_have_accessible_name(f"Cart, {count} item{'s' if count > 1 else ''}", timeout=20_000)


def test_scripts_come_compressed_from_the_proxy_and_may_be_kept(cluster: Cluster, shopper: httpx.Client) -> None:
    page = shopper.get("/").text
    script = page.split('src="/assets/')[1].split('"')[0] if 'src="/assets/' in page else ""
    name = script or page.split('href="/assets/')[1].split('"')[0]
    answer = shopper.get(f"/assets/{name}", headers={"Accept-Encoding": "gzip"})
    assert answer.status_code == 200
    assert answer.headers["content-encoding"] == "gzip"
    assert "immutable" in answer.headers["cache-control"]
    assert "via" not in answer.headers  # no process of the store was asked
    assert shopper.get("/assets/gone-12345678.js").status_code == 404


def test_the_proxy_refuses_bodies_that_no_route_takes(shopper: httpx.Client) -> None:
    assert shopper.post("/api/cart", content=b"0" * 26_000_000).status_code == 413


@pytest.mark.attack("request smuggling")
def test_no_request_is_hidden_in_another(
    cluster: Cluster, shopper: httpx.Client, record_property: Callable[[str, object], None]
) -> None:
    """Whatever reaches the store was answered on the connection that sent it, and others get their own answers."""
    context, host = cluster.ssl_context(), f"127.0.0.1:{cluster.port}"
    owner = {"__Host-session": cookie_of(cluster.url, OWNER)}

    def is_stored(subject: str) -> bool:
        newest = httpx.get(f"{cluster.url}/api/admin/tickets?limit=20", cookies=owner, verify=context).json()
        return subject in [ticket["subject"] for ticket in newest]

    alone = f"Alone {uuid.uuid4().hex}"
    assert statuses_in(exchange(cluster.port, smuggled_request(host, alone), context)) == [201]
    assert is_stored(alone)
    tried = rejected = 0
    names = [name for name, _ in ambiguous_requests(host, b"")]
    for name in names if IS_LONG else names[::5]:
        subject = f"Hidden {uuid.uuid4().hex}"
        request = dict(ambiguous_requests(host, smuggled_request(host, subject)))[name]
        statuses = statuses_in(exchange(cluster.port, request, context))
        for _ in range(3):
            answer = shopper.get("/api/auth/user")
            assert (answer.status_code, answer.json()["email"]) == (200, "shopper@example.com"), name
        assert not is_stored(subject) or 201 in statuses, f"{name}: a request that nobody sent was answered {statuses}"
        assert not set(statuses) & {500, 503, 504}, (name, statuses)  # 501 and 502 are of the proxy
        tried, rejected = tried + 1, rejected + (statuses in ([400], [501], []))
    record_property("figures", f"{tried} ambiguous requests, {rejected} refused at once, 0 hidden")


@pytest.mark.attack("processes taken out by malformed bodies")
def test_a_malformed_body_takes_no_process_out(
    cluster: Cluster, shopper: httpx.Client, record_property: Callable[[str, object], None]
) -> None:
    """The proxy stops using a process that fails; here the request is at fault, so it goes on using the process."""
    host, context = f"127.0.0.1:{cluster.port}", cluster.ssl_context()
    requests = [request for name, request in ambiguous_requests(host, b"") if name.startswith("chunks")]
    for request in requests * 2:
        exchange(cluster.port, request, context, quiet_seconds=0.05)
        answer = shopper.get("/api/auth/user", timeout=1.5)
        assert answer.status_code == 200, answer.text
    record_property("figures", f"{2 * len(requests)} malformed bodies, others answered within 1.5 s each")


@pytest.mark.attack("request smuggling")
def test_headers_of_the_caller_do_not_say_where_the_store_is(cluster: Cluster, shopper: httpx.Client) -> None:
    evil = {
        "X-Forwarded-Host": "evil.example",
        "X-Forwarded-Proto": "http",
        "X-Forwarded-Port": "1",
        "X-Forwarded-Prefix": "//evil.example",
        "X-Original-URL": "/api/admin/users",
        "X-Rewrite-URL": "/api/admin/users",
        "X-HTTP-Method-Override": "DELETE",
        "Forwarded": "host=evil.example;proto=http",
    }
    started = shopper.get("/api/login", headers=evil)
    assert started.status_code == 302
    assert "evil.example" not in started.headers["location"]
    assert "secure" in started.headers["set-cookie"].lower()
    usual = shopper.get("/api/auth/user", headers=evil)
    assert usual.json()["email"] == "shopper@example.com"
    assert shopper.get("/api/products", headers={"Host": "evil.example"}).content == b""


def test_people_order_while_tabs_are_open_and_others_attack(cluster: Cluster) -> None:
    """The short form of `make load`: the same acts by few people. What was acknowledged is stored, once.

    How late a tab hears of it depends on the machine, and is not judged.
    """
    result = run(cluster, seconds=20, size=Size(shoppers=4, buyers=3, tabs=6, staff=1, events=500, sockets=20))
    assert not result.outcome.is_bad, result.tables
    assert not result.is_flooded, result.tables
    assert all("not within" in why for why in result.errors), result.tables
    assert result.outcome.acknowledged > 0
    assert "a tab hears of the cart" in result.tables
    assert "20 sockets opened, 0 refused" in result.tables


def test_all_of_it_stops(cluster: Cluster) -> None:
    cluster.stop()
    assert [cluster.program(name) for name in STORES] == [None, None]
    with pytest.raises(httpx.ConnectError):
        httpx.get(cluster.url, verify=cluster.ssl_context())
