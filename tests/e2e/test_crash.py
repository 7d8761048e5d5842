"""Crashes: the error screen, and orders that survive a killed process (promise P2)."""

import os
import re
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from tests.builders import draft
from tests.e2e.acts import sign_in_as_adult
from tests.e2e.conftest import PORT, ROOT, Store, wait_until_ready
from tests.e2e.wire import cookie_of

pytestmark = [pytest.mark.browser, pytest.mark.stores]


def falsify_answers(page: Page, replacements: dict[str, str]) -> Callable[[], None]:
    """Corrupt the server's answers, so that rendering them fails, until the result is called."""
    is_falsifying = True

    def listen(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()

        def forward(message: str | bytes) -> None:
            if is_falsifying and isinstance(message, str):
                for original, replacement in replacements.items():
                    message = message.replace(original, replacement)
            socket.send(message)

        server.on_message(forward)

    def stop() -> None:
        nonlocal is_falsifying
        is_falsifying = False

    page.route_web_socket(re.compile("/_event"), listen)
    return stop


def test_a_broken_component_shows_its_error_and_leaves_the_rest(new_page: Callable[..., Page]) -> None:
    page = new_page(allowed_error="React error #31")
    sign_in_as_adult(page, "unlucky@example.org", to=None)
    stop = falsify_answers(page, {'"count_label_rx_state_":"': '"count_label_rx_state_":{"a":1},"b":"'})
    page.goto("/")
    expect(page.get_by_role("heading", name="App Component Error", level=1)).to_be_visible()
    expect(page.get_by_role("navigation", name="Main")).to_be_visible()
    refresh(page, stop, details="React error #31")


def test_a_broken_page_shows_the_application_error(new_page: Callable[..., Page]) -> None:
    page = new_page(allowed_error="React error #31")
    sign_in_as_adult(page, "unlucky@example.org", to=None)
    broken = '"lines_rx_state_":[{"name":{},"image":""}]'
    stop = falsify_answers(
        page,
        {'"lines_rx_state_":[]': broken, '"is_loaded_rx_state_":true': f'"is_loaded_rx_state_":true,{broken}'},
    )
    page.goto("/")
    page.get_by_role("button", name="Cart, 0 items").click()
    expect(page.get_by_role("heading", name="Application Error", level=1)).to_be_visible()
    expect(page.get_by_role("navigation", name="Main")).to_have_count(0)
    refresh(page, stop, details="React error #31")


def refresh(page: Page, stop: Callable[[], None], *, details: str) -> None:
    page.get_by_text("Technical details").click()
    expect(page.locator("pre")).to_contain_text(details)
    stop()
    page.get_by_role("button", name="Refresh Page").click()
    expect(page.get_by_role("heading", name="All Products", level=1)).to_be_visible()


@pytest.mark.attack("orders under way at a kill")
def test_every_acknowledged_order_survives_a_kill(store: Store, tmp_path: Path) -> None:
    """kill -9 in the middle of ordering; after a restart each acknowledged order is there, and the stock adds up."""
    database = tmp_path / "killed.db"
    port = PORT + 3
    environment = os.environ | {"PORT": str(port), "DATABASE_URL": f"sqlite:///{database}", "PYTHONWARNINGS": "ignore"}
    environment.pop("OIDC_ISSUER", None)
    url = f"http://localhost:{port}"
    command = [sys.executable, "-m", "tests.e2e.bare_store"]

    def start() -> subprocess.Popen[bytes]:
        process = subprocess.Popen(command, cwd=ROOT, env=environment)
        wait_until_ready(url, process)
        return process

    acknowledged: list[dict[str, Any]] = []
    process = start()
    clients = [_shopper(url, n) for n in range(6)]
    product = httpx.get(f"{url}/api/products", params={"search": "Crème Fraîche"}).json()[0]
    opening = _one(database, "SELECT stock FROM products WHERE id = ?", product["id"])

    def keep_buying(client: httpx.Client) -> None:
        body = draft(items=[{"productId": product["id"], "quantity": 1}])
        while True:
            try:
                answer = client.post("/api/orders", json=body)
            except httpx.TransportError:
                return
            if answer.status_code == 201:
                acknowledged.append(answer.json())

    buyers = [threading.Thread(target=keep_buying, args=[client]) for client in clients]
    for buyer in buyers:
        buyer.start()
    deadline = time.monotonic() + 60
    while len(acknowledged) < 12 and time.monotonic() < deadline:
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait()
    for buyer in buyers:
        buyer.join()
    assert len(acknowledged) >= 12

    again = start()
    try:
        with sqlite3.connect(database) as connection:
            stored = dict(connection.execute("SELECT id, total_cents FROM orders"))
            sold = connection.execute("SELECT COALESCE(SUM(quantity), 0) FROM order_lines").fetchone()[0]
        assert {order["id"] for order in acknowledged} <= set(stored)
        assert all(f"{stored[order['id']] / 100:.2f}" == order["total"] for order in acknowledged)
        assert _one(database, "SELECT stock FROM products WHERE id = ?", product["id"]) == opening - sold
    finally:
        again.terminate()
        again.wait(10)


def _shopper(url: str, number: int) -> httpx.Client:
    cookie = cookie_of(url, f"killed{number}@example.org")
    client = httpx.Client(base_url=url, cookies={"session": cookie})
    client.post("/api/verify-age", json={"dateOfBirth": "1990-01-01"})
    return client


def _one(database: Path, statement: str, *values: object) -> int:
    with sqlite3.connect(database) as connection:
        return int(connection.execute(statement, values).fetchone()[0])
