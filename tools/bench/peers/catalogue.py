"""The store's own products, as the peers read them: one JSON object on each line."""

import json
from pathlib import Path

from sqlalchemy import select
from sqlmodel import col

from marketplace_app import db
from marketplace_app.models import Product
from tools.bench.servers import Database

NAMES = ("id", "sku", "name", "description", "category", "price_cents")


def export(database: Database, file: Path) -> None:
    """In the order of their ids, so that a peer that numbers its products from 1 gives each the same id."""
    products = select(*(getattr(Product, name) for name in NAMES)).order_by(col(Product.id))
    engine = db.make_engine(database.url)
    with engine.connect() as connection:
        rows = [dict(zip(NAMES, row, strict=True)) for row in connection.execute(products)]
    engine.dispose()
    assert [row["id"] for row in rows] == list(range(1, database.products + 1))
    file.write_text("".join(json.dumps(row | {"category_slug": slug(row["category"])}) + "\n" for row in rows))


def slug(category: str) -> str:
    return category.lower().replace(" ", "-")
