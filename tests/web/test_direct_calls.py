"""Calls answered ahead of the REST application: the same answers as from its own routes, only sooner."""

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Any

import httpx
import orjson
import pytest
from anyio.from_thread import BlockingPortal
from fastapi.testclient import TestClient
from sqlmodel import Session
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from marketplace_app import db
from marketplace_app.errors import StoreError
from marketplace_app.models import Product
from marketplace_app.services import sessions
from marketplace_app.services.buying import cart
from marketplace_app.web.direct_calls import CALLS, DirectCalls
from tests.builders import make_product
from tests.conftest import BASE_URL, Cast, SignIn

DRAFT = {
    "deliveryAddress": "214 Larch Street, Portland, OR 97201",
    "contactPhone": "503 555 0142",
    "deliveryInstructions": "Side entrance, the green door.",
    "paymentInstructions": "Envelope under the mat.",
}
JSON = {"Content-Type": "application/json"}


@pytest.fixture
def fern(session: Session) -> Product:
    product = make_product(session, "Fern Hollow", price_cents=60_00, stock=5_000)
    session.commit()
    return product


def bodies(path: str, product_id: int) -> list[Any]:
    """Valid and invalid bodies that the route and the layer might answer differently."""
    valid = {"productId": product_id, "quantity": 2}
    if path != "/api/cart":
        valid = {"items": [valid], **(DRAFT if path == "/api/orders" else {})}
    return [
        valid,
        {**valid, "unknown": 1},
        {},
        [],
        None,
        b"",
        b"{",
        b'{"productId": NaN}',
        b'{"productId": 1e400}',
        b'{"productId": 123456789012345678901234567890}',
        b'{"productId": "\\ud800"}',
        orjson.dumps(valid).decode().encode("utf-16"),
        b"\xef\xbb\xbf" + orjson.dumps(valid),
        {**valid, "quantity": "2", "items": "none"},
        {"productId": 999_999, "items": [{"productId": 999_999, "quantity": 1}]},
    ]


def sent(client: TestClient, path: str, body: Any, **headers: str) -> tuple[int, Any]:
    content = body if isinstance(body, bytes) else orjson.dumps(body)
    response = client.post(path, content=content, headers=JSON | headers)
    answer = response.json()
    changing = ("id", "number", "createdAt", "estimatedDelivery", "history")
    return response.status_code, {name: value for name, value in answer.items() if name not in changing}


@pytest.mark.parametrize("path", CALLS)
def test_the_route_itself_would_answer_the_same(
    path: str, fern: Product, cast: Cast, as_user: SignIn, client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    shopper, guest = as_user(cast.bob), client
    headers = [{}, {"Idempotency-Key": "k" * 201}, {"Idempotency-Key": ""}]

    def answers() -> list[tuple[int, Any]]:
        return [
            sent(who, path, body, **more)
            for who in (shopper, guest)
            for body in bodies(path, fern.id)
            for more in headers
        ]

    answers()  # the first order gets a discount, and the first add creates the cart line: later ones differ
    by_layer = answers()
    monkeypatch.delitem(CALLS, path)
    by_route = answers()
    if path == "/api/cart":  # the cart has more of it by then
        by_layer, by_route = (
            [(status, {**body, "quantity": 0}) for status, body in each] for each in (by_layer, by_route)
        )
    assert by_layer == by_route
    assert {status for status, _ in by_layer} >= {401, 422, 200 if path.endswith("quote") else 201}


def test_a_call_counts_once_for_each_limit(
    fern: Product, cast: Cast, as_user: SignIn, configure: Callable[..., None]
) -> None:
    """Also one whose input is invalid, which the layer and the route both look at.

    A browser's first request counts for its address, because the store does not know its user yet.
    """
    configure(ORDER_RATE="4/minute", WRITE_RATE="5/minute")
    shopper = as_user(cast.bob)
    valid = {"items": [{"productId": fern.id, "quantity": 2}]}
    statuses = [sent(shopper, "/api/orders/quote", body)[0] for body in (valid, {}, valid, {"items": 1}, valid)]
    assert statuses == [200, 422, 200, 422, 429]
    assert sent(shopper, "/api/cart", {"productId": fern.id})[0] == 201
    assert sent(shopper, "/api/cart", {"productId": fern.id})[0] == 429


def test_a_body_that_breaks_off_is_left_to_the_route() -> None:
    """A part of a body may be valid JSON by chance. What the layer has read is replayed to the route."""
    reached: list[Message] = []

    async def route(_scope: Scope, receive: Receive, _send: Send) -> None:
        reached.extend([await receive(), await receive()])

    parts: list[Message] = [
        {"type": "http.request", "body": b'{"productId": 1}', "more_body": True},
        {"type": "http.disconnect"},
    ]
    arriving = iter(parts)

    async def receive() -> Message:
        return next(arriving)

    async def send(_message: Message) -> None:
        raise AssertionError("nothing is answered")

    app: ASGIApp = DirectCalls(route)
    asyncio.run(app({"type": "http", "method": "POST", "path": "/api/cart", "headers": []}, receive, send))
    assert reached == parts


def test_an_order_whose_body_arrives_in_pieces_is_placed_by_the_layer(
    fern: Product, cast: Cast, as_user: SignIn, event_loop_thread: BlockingPortal
) -> None:
    """Not with the test client, which joins the pieces of a body before the application receives it."""

    async def route(_scope: Scope, _receive: Receive, _send: Send) -> None:
        raise AssertionError("the layer answers")

    content = orjson.dumps({"items": [{"productId": fern.id, "quantity": 2}], **DRAFT})
    cookies, transport = as_user(cast.bob).cookies, httpx.ASGITransport(DirectCalls(route))

    async def pieces() -> AsyncIterator[bytes]:
        yield content[:40]
        yield content[40:]

    async def order() -> httpx.Response:
        async with httpx.AsyncClient(transport=transport, base_url=BASE_URL, cookies=cookies) as client:
            return await client.post("/api/orders", content=pieces(), headers=JSON)

    assert event_loop_thread.call(order).status_code == 201


def test_a_user_signed_out_a_moment_ago_can_no_longer_write(fern: Product, cast: Cast, as_user: SignIn) -> None:
    shopper = as_user(cast.bob)
    assert sent(shopper, "/api/cart", {"productId": fern.id})[0] == 201
    db.write(lambda session: sessions.end_all(session, cast.bob))
    assert sent(shopper, "/api/cart", {"productId": fern.id})[0] == 401


def test_an_unexpected_failure_is_answered_in_the_stores_words(
    fern: Product, cast: Cast, as_user: SignIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("no such thing")

    monkeypatch.setattr(cart, "add", fail)
    answer = as_user(cast.alice).post("/api/cart", json={"productId": fern.id, "quantity": 1})
    assert (answer.status_code, answer.json()) == (500, StoreError().body())
