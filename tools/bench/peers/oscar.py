"""django-oscar with oscarapi on PostgreSQL, in two processes of gunicorn."""

import json
import random
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
from sqlalchemy import create_engine, make_url, text

from tools.bench.packages import from_pypi
from tools.bench.peers.catalogue import slug
from tools.bench.peers.peer import Peer, with_requests
from tools.bench.scenarios import CATEGORIES, WORDS, Shop
from tools.bench.servers import Database, running
from tools.bench.wrk import Request

PORT = 8744
URL = f"http://127.0.0.1:{PORT}"
CODE = Path(__file__).with_name("oscar")
VERSION = "4.2.1"
PACKAGES = (f"django-oscar=={VERSION}", "django-oscar-api==3.3.0", "gunicorn==23.0.0", "psycopg[binary]==3.2.13")
WORKERS = 2
DATABASE = "oscar"
ADD = "/api/basket/add-product/"
JSON = {"Content-Type": "application/json"}
ADDRESS = {
    "first_name": "Nora",
    "last_name": "Lind",
    "line1": "214 Larch Street",
    "line4": "Portland",
    "state": "OR",
    "postcode": "97201",
    "phone_number": "",
    "country": f"{URL}/api/countries/US/",
}


@contextmanager
def serve(catalogue: Path, database: Database, shop: Shop) -> Iterator[Peer]:
    """Serve oscar from a database of its own, on the store's PostgreSQL server."""
    binaries = from_pypi("oscar", PACKAGES) / "bin"
    sockets = _create_database(database.url)
    settings = {
        "PYTHONPATH": str(CODE),
        "BENCH_DATABASE": DATABASE,
        "BENCH_SOCKETS": sockets,
        "PYTHONWARNINGS": "ignore",
    }
    subprocess.run([binaries / "python", CODE / "oscar_fill.py", catalogue], env=settings, check=True)
    command = [str(binaries / "gunicorn"), "oscar_urls:application", "-b", f"127.0.0.1:{PORT}", "-w", str(WORKERS)]
    with running([*command, "--log-level", "error"], settings, URL, "api/products/1/") as server:
        scenarios = with_requests(_lists, _cold_lists, _details, _searches, _cart)
        yield Peer("oscar", server, scenarios, lambda client, rng: _check_out(client, rng, shop))


def _create_database(url: str) -> str:
    """Create the database; returns the folder of the server's socket."""
    engine = create_engine(url, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {DATABASE}"))
    engine.dispose()
    return str(make_url(url).query["host"])


def _lists(_shop: Shop, _rng: random.Random) -> list[Request]:
    return [Request(f"/api/list/?category={slug(category)}&limit=24") for category in CATEGORIES]


def _cold_lists(_shop: Shop, rng: random.Random) -> list[Request]:
    asked = [
        Request(f"/api/list/?category={slug(category)}&limit=24&offset={offset}")
        for offset in range(1, 500)
        for category in CATEGORIES
    ]
    rng.shuffle(asked)
    return asked


def _details(shop: Shop, rng: random.Random) -> list[Request]:
    return [Request(f"/api/products/{rng.randint(1, shop.products)}/") for _ in range(1_000)]


def _searches(_shop: Shop, _rng: random.Random) -> list[Request]:
    return [Request(f"/api/list/?search={word}&limit=24") for word in WORDS]


def _cart(shop: Shop, rng: random.Random) -> list[Request]:
    requests = []
    with httpx.Client(base_url=URL) as client:
        for _ in shop.shopper_tokens:
            client.cookies.clear()
            products = rng.sample(range(1, shop.products + 1), 5)
            _add(client, products[0])
            cookies = "; ".join(f"{name}={value}" for name, value in client.cookies.items())
            for product in products:
                requests.append(Request(ADD, "POST", {**JSON, "Cookie": cookies}, json.dumps(_line(product))))
    rng.shuffle(requests)
    return requests


def _check_out(client: httpx.Client, rng: random.Random, shop: Shop) -> None:
    client.cookies.clear()
    first, second = rng.sample(range(1, shop.products + 1), 2)
    _add(client, first, quantity=8)
    basket = _add(client, second, quantity=8)
    order = {"basket": basket["url"], "guest_email": "nora@example.org", "shipping_address": ADDRESS}
    placed = client.post("/api/checkout/", json=order).raise_for_status().json()
    assert placed.get("number"), placed


def _add(client: httpx.Client, product: int, quantity: int = 1) -> Any:
    return client.post(ADD, json=_line(product, quantity)).raise_for_status().json()


def _line(product: int, quantity: int = 1) -> dict[str, Any]:
    return {"url": f"{URL}/api/products/{product}/", "quantity": quantity}
