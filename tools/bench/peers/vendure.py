"""Vendure on SQLite, asked over its Shop API."""

import hashlib
import json
import random
import shutil
import sqlite3
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

from tools.bench.packages import CACHE, NODE, from_npm
from tools.bench.peers.catalogue import slug
from tools.bench.peers.peer import Peer, with_requests
from tools.bench.scenarios import CATEGORIES, WORDS, Shop
from tools.bench.servers import running
from tools.bench.wrk import Request

PORT = 8743
SCRIPT = str(Path(__file__).with_name("vendure.js"))
VERSION = "3.7.3"
PACKAGES = {
    "dependencies": {"@vendure/core": VERSION, "better-sqlite3": "13.2.0"},
    # Vendure's own choice, better-sqlite3 12, aborts on Node 24.19 and later.
    "overrides": {"better-sqlite3": "13.2.0"},
}
TOKEN = "vendure-auth-token"
PRICE = "{...on PriceRange{min max} ...on SinglePrice{value}}"
LIST = (
    "query($input:SearchInput!){search(input:$input){totalItems items{productId slug productName description"
    f" productAsset{{preview}} facetValueIds price{PRICE} priceWithTax{PRICE}}}}}}}"
)
DETAIL = (
    "query($id:ID!){product(id:$id){id name slug description facetValues{name code facet{name code}}"
    " featuredAsset{preview} collections{slug} variants{id sku name price priceWithTax stockLevel}}}"
)
ADD = (
    "mutation($id:ID!,$quantity:Int!){addItemToOrder(productVariantId:$id,quantity:$quantity){__typename"
    " ...on Order{id code totalWithTax lines{id quantity linePriceWithTax productVariant{id name}}}"
    " ...on ErrorResult{errorCode message}}}"
)
CUSTOMER = (
    "mutation($email:String!){setCustomerForOrder("
    'input:{firstName:"Nora",lastName:"Lind",emailAddress:$email}){__typename}}'
)
ADDRESS = (
    'mutation{setOrderShippingAddress(input:{fullName:"Nora Lind",streetLine1:"214 Larch Street",city:"Portland",'
    'postalCode:"97201",countryCode:"US"}){__typename}}'
)
METHODS = "{eligibleShippingMethods{id}}"
METHOD = "mutation($ids:[ID!]!){setOrderShippingMethod(shippingMethodId:$ids){__typename}}"
ARRANGE = 'mutation{transitionOrderToState(state:"ArrangingPayment"){__typename}}'
PAY = 'mutation{addPaymentToOrder(input:{method:"cash",metadata:{}}){__typename ...on Order{state code}}}'


@contextmanager
def serve(folder: Path, catalogue: Path, shop: Shop) -> Iterator[Peer]:
    settings = {
        "NODE_ENV": "production",
        "VENDURE_DISABLE_TELEMETRY": "true",
        "PORT": str(PORT),
        "PACKAGES": str(from_npm("vendure", PACKAGES)),
    }
    settings["DATABASE"] = str(_filled(folder, catalogue, settings))
    url = f"http://127.0.0.1:{PORT}"
    with running([str(NODE), SCRIPT], settings, url, "health", folder=folder) as server:
        scenarios = with_requests(_lists, _cold_lists, _details, _searches, lambda *asked: _cart(url, *asked))
        yield Peer("Vendure", server, scenarios, lambda client, rng: _check_out(client, rng, shop))


def _filled(folder: Path, catalogue: Path, settings: dict[str, str]) -> Path:
    """A copy of the database that was imported once: Vendure takes minutes to import these products."""
    digest = hashlib.sha256(catalogue.read_bytes() + Path(SCRIPT).read_bytes() + VERSION.encode()).hexdigest()[:16]
    kept, database = CACHE / f"vendure-{digest}.db", folder / "vendure.db"
    if not kept.exists():
        print("Importing the products into Vendure takes some minutes ...", flush=True)
        import_settings = {**settings, "DATABASE": str(database), "CATALOGUE": str(catalogue)}
        subprocess.run([NODE, SCRIPT, "fill"], cwd=folder, env=import_settings, stdout=subprocess.DEVNULL, check=True)
        incomplete = kept.with_suffix(".partial")
        incomplete.unlink(missing_ok=True)
        with sqlite3.connect(database) as connection:
            connection.execute("VACUUM INTO ?", (str(incomplete),))
        incomplete.replace(kept)
    shutil.copy(kept, database)
    return database


def _lists(_shop: Shop, _rng: random.Random) -> list[Request]:
    return [_list(category) for category in CATEGORIES]


def _cold_lists(_shop: Shop, rng: random.Random) -> list[Request]:
    """Each begins at another product of a category: the Shop API has no filter by price that could vary."""
    asked = [_list(category, skip) for skip in range(1, 500) for category in CATEGORIES]
    rng.shuffle(asked)
    return asked


def _list(category: str, skip: int = 0) -> Request:
    filters = {"collectionSlug": slug(category), "sort": {"price": "ASC"}, "groupByProduct": True}
    return _query(LIST, {"input": {**filters, "take": 24, "skip": skip}})


def _details(shop: Shop, rng: random.Random) -> list[Request]:
    return [_query(DETAIL, {"id": str(rng.randint(1, shop.products))}) for _ in range(1_000)]


def _searches(_shop: Shop, _rng: random.Random) -> list[Request]:
    return [_query(LIST, {"input": {"term": word, "take": 24, "groupByProduct": True}}) for word in WORDS]


def _cart(url: str, shop: Shop, rng: random.Random) -> list[Request]:
    requests = []
    with httpx.Client(base_url=url) as client:
        for _ in shop.shopper_tokens:
            products = [str(number) for number in rng.sample(range(1, shop.products + 1), 5)]
            token = _start_cart(client, products[0])
            requests += [_query(ADD, {"id": product, "quantity": 1}, token) for product in products]
    rng.shuffle(requests)
    return requests


def _check_out(client: httpx.Client, rng: random.Random, shop: Shop) -> None:
    """The steps of a guest's checkout in a storefront."""
    first, second = (str(number) for number in rng.sample(range(1, shop.products + 1), 2))
    token = _start_cart(client, first, quantity=8)
    _call(client, ADD, {"id": second, "quantity": 8}, token)
    _call(client, CUSTOMER, {"email": f"{rng.getrandbits(64)}@example.org"}, token)
    _call(client, ADDRESS, {}, token)
    methods = _call(client, METHODS, {}, token)["eligibleShippingMethods"]
    _call(client, METHOD, {"ids": [methods[0]["id"]]}, token)
    _call(client, ARRANGE, {}, token)
    paid = _call(client, PAY, {}, token)["addPaymentToOrder"]
    assert paid.get("state") == "PaymentSettled", paid


def _start_cart(client: httpx.Client, product: str, quantity: int = 1) -> str:
    """The token of a cart with this product."""
    answer = _send(client, ADD, {"id": product, "quantity": quantity})
    return answer.headers[TOKEN]


def _call(client: httpx.Client, text: str, values: Mapping[str, Any], token: str) -> Any:
    return _send(client, text, values, token).json()["data"]


def _send(client: httpx.Client, text: str, values: Mapping[str, Any], token: str = "") -> httpx.Response:
    request = _query(text, values, token)
    answer = client.post(request.path, headers=dict(request.headers), content=request.body)
    return answer.raise_for_status()


def _query(text: str, values: Mapping[str, Any], token: str = "") -> Request:
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
    return Request("/shop-api", "POST", headers, json.dumps({"query": text, "variables": values}))
