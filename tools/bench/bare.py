"""The bare server, whose speed is the limit: FastAPI with uvloop, a raw driver and orjson on the store's own products.

No sessions, rate limits, headers, ETags, counts, checked input, rules or decimal prices. An order is one transaction
that takes stock, in tables of its own; unlike the store's, it does not wait for the disk on SQLite
(`synchronous=NORMAL`), except with `BENCH_SYNCHRONOUS=FULL`.

Run as `uvicorn tools.bench.bare:app` with `BENCH_DATABASE`.
"""

import asyncio
import os
import sqlite3
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any
from uuid import uuid4

import orjson
import psycopg
from fastapi import FastAPI, Request
from starlette.responses import Response

URL = os.environ.get("BENCH_DATABASE", "sqlite:///:memory:")
SYNCHRONOUS = os.environ.get("BENCH_SYNCHRONOUS", "NORMAL")
IS_SQLITE = URL.startswith("sqlite")
CONNECTIONS = 8
NAMES = ("id", "sku", "name", "description", "category", "type", "potency", "price_cents", "stock", "image", "strain")
COLUMNS = ", ".join(f"products.{name}" for name in NAMES)
PAGE = "ORDER BY price_cents, sort_name, products.id LIMIT 24"
LIST = f"SELECT {COLUMNS} FROM products WHERE is_active AND category = ? AND price_cents >= ? {PAGE}"
MATCHES = (
    "product_search JOIN products ON products.id = product_search.rowid WHERE product_search MATCH ?"
    if IS_SQLITE
    else "product_search JOIN products ON products.id = product_id WHERE document @@ to_tsquery('simple', ?)"
)
SEARCH = f"SELECT {COLUMNS} FROM {MATCHES} AND is_active AND price_cents >= ? {PAGE}"
DETAIL = f"SELECT {COLUMNS} FROM products WHERE is_active AND id = ?"
SCHEMA = (
    "DROP TABLE IF EXISTS bare_stock",
    "DROP TABLE IF EXISTS bare_lines",
    "DROP TABLE IF EXISTS bare_orders",
    "DROP TABLE IF EXISTS bare_items",
    "CREATE TABLE bare_stock AS SELECT id, price_cents, stock FROM products",
    "CREATE UNIQUE INDEX bare_stock_id ON bare_stock (id)",
    "CREATE TABLE bare_lines (cart TEXT, product_id INTEGER, quantity INTEGER, PRIMARY KEY (cart, product_id))",
    "CREATE TABLE bare_orders (id TEXT PRIMARY KEY, cart TEXT, total INTEGER, placed_at DOUBLE PRECISION)",
    "CREATE TABLE bare_items (order_id TEXT, product_id INTEGER, quantity INTEGER, price_cents INTEGER)",
)
ADD_TO_CART = (
    "INSERT INTO bare_lines VALUES (?, ?, ?)"
    " ON CONFLICT (cart, product_id) DO UPDATE SET quantity = bare_lines.quantity + excluded.quantity"
)
CART = "SELECT product_id, quantity, name, price_cents FROM bare_lines JOIN products ON id = product_id WHERE cart = ?"
TAKE_STOCK = "UPDATE bare_stock SET stock = stock - ? WHERE id = ? AND stock >= ? RETURNING price_cents"
INSERT_ITEM = "INSERT INTO bare_items VALUES (?, ?, ?, ?)"
INSERT_ORDER = "INSERT INTO bare_orders VALUES (?, ?, ?, ?)"


class Sqlite:
    def __init__(self) -> None:
        self.connection = sqlite3.connect(URL.removeprefix("sqlite:///"), isolation_level=None, check_same_thread=False)
        synchronous = f"synchronous={SYNCHRONOUS}"
        for pragma in ("journal_mode=WAL", synchronous, "mmap_size=268435456", "busy_timeout=5000"):
            self.connection.execute(f"PRAGMA {pragma}")

    async def open(self) -> None:
        for statement in SCHEMA:
            self.connection.execute(statement)

    async def rows(self, statement: str, *values: Any) -> Sequence[Any]:
        return self.connection.execute(statement, values).fetchall()

    async def transaction(self, statements: Sequence[tuple[str, tuple[Any, ...]]]) -> list[Any]:
        """The first row of each statement, or None if it returns none."""
        self.connection.execute("BEGIN IMMEDIATE")
        first_rows = [self.connection.execute(statement, values).fetchone() for statement, values in statements]
        self.connection.execute("COMMIT")
        return first_rows


class PostgreSql:
    def __init__(self) -> None:
        self.free: asyncio.Queue[Any] = asyncio.Queue()

    async def open(self) -> None:
        for number in range(CONNECTIONS):
            connection = await psycopg.AsyncConnection.connect(URL.replace("+psycopg", ""), autocommit=True)
            for statement in SCHEMA if number == 0 else ():
                await connection.execute(statement)
            self.free.put_nowait(connection)

    async def rows(self, statement: str, *values: Any) -> Sequence[Any]:
        return (await self._run([(statement, values)], in_transaction=False))[0]

    async def transaction(self, statements: Sequence[tuple[str, tuple[Any, ...]]]) -> list[Any]:
        return await self._run(statements, in_transaction=True)

    async def _run(self, statements: Sequence[tuple[str, tuple[Any, ...]]], *, in_transaction: bool) -> list[Any]:
        connection = await self.free.get()
        try:
            if not in_transaction:
                return [await self._read(connection, *each) for each in statements]
            async with connection.transaction():
                return [(await self._read(connection, *each) or [None])[0] for each in statements]
        finally:
            self.free.put_nowait(connection)

    async def _read(self, connection: Any, statement: str, values: tuple[Any, ...]) -> Sequence[Any]:
        cursor = await connection.execute(statement.replace("?", "%s"), values)
        return await cursor.fetchall() if cursor.description else []


database: Any = Sqlite() if IS_SQLITE else PostgreSql()


@asynccontextmanager
async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
    await database.open()
    yield


app = FastAPI(openapi_url=None, lifespan=lifespan)


@app.get("/healthz")
async def healthz() -> Response:
    return _json({})


@app.get("/api/products")
async def list_products(request: Request) -> Response:
    asked = request.query_params
    min_cents = int(float(asked.get("minPrice", "0")) * 100)
    if words := asked.get("search"):
        query = f'"{words}" *' if IS_SQLITE else f"{words}:*"
        return _products(await database.rows(SEARCH, query, min_cents))
    return _products(await database.rows(LIST, asked["category"], min_cents))


@app.get("/api/products/{number}")
async def get_product(number: int) -> Response:
    return _json(dict(zip(NAMES, (await database.rows(DETAIL, number))[0], strict=True)))


@app.post("/api/cart")
async def add(request: Request) -> Response:
    body, cart = orjson.loads(await request.body()), request.headers["cookie"]
    await database.rows(ADD_TO_CART, cart, body["productId"], body["quantity"])
    return _json([list(row) for row in await database.rows(CART, cart)], 201)


@app.post("/api/orders")
async def order(request: Request) -> Response:
    items, order_id = orjson.loads(await request.body())["items"], str(uuid4())
    items.sort(key=lambda item: item["productId"])
    claims = [(TAKE_STOCK, (item["quantity"], item["productId"], item["quantity"])) for item in items]
    lines = [(INSERT_ITEM, (order_id, item["productId"], item["quantity"], 0)) for item in items]
    await database.transaction([*claims, *lines, (INSERT_ORDER, (order_id, request.headers["cookie"], 0, time.time()))])
    return _json({"id": order_id}, 201)


def _products(rows: Sequence[Any]) -> Response:
    return _json([dict(zip(NAMES, row, strict=True)) for row in rows])


def _json(content: object, status: int = 200) -> Response:
    return Response(orjson.dumps(content), status, media_type="application/json")
