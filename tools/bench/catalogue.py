"""A large catalogue, written through the store's own services into an empty database of its own.

Run as `python -m tools.bench.catalogue 5000` with `DATABASE_URL` set in the environment, because a process reads
its settings only once.
"""

import random
import sys
from datetime import date
from typing import Any

from sqlmodel import Session

from marketplace_app import db
from marketplace_app.jobs.migrate import migrate
from marketplace_app.jobs.seed import read_demo, seed_if_empty
from marketplace_app.models import LabReport, Product, ProductType, Strain
from marketplace_app.services.products import products

CHUNK_SIZE = 500
PANELS: dict[str, Any] = dict.fromkeys(
    ("pesticides", "heavy_metals", "residual_solvents", "microbials"), "Not Detected"
)


def write_catalogue(count: int) -> None:
    """The demo products, and variations of them until there are `count`; the same ones every time."""
    migrate()
    demo = read_demo()
    rng = random.Random(7)
    seeded = seed_if_empty()
    for first in range(seeded, count, CHUNK_SIZE):
        numbers = range(first, min(first + CHUNK_SIZE, count))
        db.write(lambda session, numbers=numbers: _write(session, demo, numbers, rng))  # type: ignore[misc]


def _write(session: Session, demo: list[dict[str, Any]], numbers: range, rng: random.Random) -> None:
    for number in numbers:
        product = products.save(session, _variation(demo[number % len(demo)], number, rng))
        products.set_opening_stock(session, product, rng.randrange(0, 400))
        if number % 2:
            assert product.id is not None
            session.add(LabReport(product_id=product.id, lot=f"{number:04}", reported_on=date(2026, 9, 6), **PANELS))


def _variation(entry: dict[str, Any], number: int, rng: random.Random) -> Product:
    return Product(
        sku=f"BENCH-{number:05}",
        name=f"{entry['name']} No. {number}",
        description=entry["description"],
        ingredients=entry.get("ingredients", ""),
        price_cents=rng.randrange(8_00, 300_00),
        category=entry["category"],
        type=ProductType(entry["type"]),
        strain=Strain(entry["strain"]) if entry.get("strain") else None,
        brand=entry.get("brand", ""),
        thc_percent=entry.get("thc_percent"),
        effects=entry.get("effects", []),
        flavors=entry.get("flavors", []),
        terpenes=entry.get("terpenes", []),
        image=f"/pictures/{entry['slug']}",
        rating_tenths=rng.randrange(30, 51),
        review_count=rng.randrange(0, 900),
    )


if __name__ == "__main__":
    write_catalogue(int(sys.argv[1]))
