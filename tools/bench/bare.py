"""The baseline: FastAPI, sqlite3 and orjson answering the same two queries from the same file, and nothing else.

No limits, headers, sessions, ETags, counts, checked queries or decimal prices. Run as `uvicorn tools.bench.bare:app`.
"""

import os
import sqlite3
from typing import Any

import orjson
from fastapi import FastAPI
from starlette.responses import Response

COLUMNS = (
    "id, sku, name, description, ingredients, price_cents, image, category, type, potency, strain, brand, "
    "net_weight_grams, thc_percent, cbd_percent, thc_mg, effects, flavors, terpenes, rating_tenths, review_count, "
    "stock, is_featured"
)
NAMES = COLUMNS.split(", ")
LIST = (
    f"SELECT {COLUMNS} FROM products WHERE is_active AND category = ? AND price_cents >= ? "
    "ORDER BY price_cents, sort_name, id LIMIT ?"
)
DETAIL = f"SELECT {COLUMNS} FROM products WHERE is_active AND id = ?"

app = FastAPI(openapi_url=None)
connection = sqlite3.connect(
    os.environ.get("BENCH_DATABASE", ":memory:"), check_same_thread=False, isolation_level=None
)


@app.get("/healthz")
async def healthz() -> dict[str, str]:
    return {}


@app.get("/api/products")
async def list_products(category: str, minPrice: float, limit: int) -> Response:  # noqa: N803 - as on the wire
    return _json([dict(zip(NAMES, row, strict=True)) for row in _rows(LIST, category, int(minPrice * 100), limit)])


@app.get("/api/products/{number}")
async def get_product(number: int) -> Response:
    return _json(dict(zip(NAMES, _rows(DETAIL, number)[0], strict=True)))


def _rows(statement: str, *values: Any) -> list[Any]:
    return connection.execute(statement, values).fetchall()


def _json(content: object) -> Response:
    return Response(orjson.dumps(content), media_type="application/json")
