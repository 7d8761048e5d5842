"""`make cluster`: several processes of the store behind Caddy. Any of them may die."""

import uuid
from collections.abc import Iterator

import httpx
import pytest
from playwright.sync_api import Browser, expect

from tests.e2e.conftest import BUILD_SETTINGS, PORT, one_at_a_time
from tests.e2e.wire import cookie_of
from tools.cluster.control import Cluster

pytestmark = pytest.mark.browser

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


@pytest.fixture(scope="module")
def shopper(cluster: Cluster) -> Iterator[httpx.Client]:
    cookies = {"__Host-session": cookie_of(cluster.url, "shopper@example.com")}
    with httpx.Client(base_url=cluster.url, verify=cluster.authority(), cookies=cookies) as client:
        assert client.post("/api/verify-age", json={"dateOfBirth": "1990-04-17"}).status_code == 200
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


def test_orders_go_on_while_either_process_dies_and_comes_back(cluster: Cluster, shopper: httpx.Client) -> None:
    placed = [place_order(shopper)]
    for name in STORES:
        cluster.kill_all(name)
        placed += [place_order(shopper) for _ in range(5)]
        cluster.start()
        assert cluster.program(name) is not None
    assert [answer.status_code for answer in placed] == [201] * 11
    kept = {order["number"] for order in shopper.get("/api/orders").json()}
    assert {answer.json()["number"] for answer in placed} <= kept


def test_an_open_tab_follows_changes_through_the_death_of_its_process(
    cluster: Cluster, shopper: httpx.Client, browser: Browser
) -> None:
    with browser.new_context(base_url=cluster.url, ignore_https_errors=True, service_workers="block") as context:
        value = shopper.cookies["__Host-session"]
        context.add_cookies([{"name": "__Host-session", "value": value, "url": cluster.url, "secure": True}])
        page = context.new_page()
        page.goto("/account")
        cart = page.get_by_role("button", name="Cart").or_(page.get_by_role("link", name="Cart")).first
        for count, killed in ((1, "store-1"), (2, "store-2"), (3, "")):
            assert shopper.post("/api/cart", json={"productId": 1, "quantity": 1}).status_code == 201
            expect(cart).to_have_accessible_name(f"Cart, {count} item{'s' if count > 1 else ''}", timeout=20_000)
            if killed:
                cluster.kill_all(killed)
                cluster.start()


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


def test_all_of_it_stops(cluster: Cluster) -> None:
    cluster.stop()
    assert [cluster.program(name) for name in STORES] == [None, None]
    with pytest.raises(httpx.ConnectError):
        httpx.get(cluster.url, verify=cluster.authority())
