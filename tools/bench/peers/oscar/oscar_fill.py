"""Creates and fills the tables: `python oscar_fill.py CATALOGUE`, a file with a JSON object on each line."""

import json
import os
import sys
from decimal import Decimal
from pathlib import Path

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "oscar_settings")

import django

django.setup()

from django.core.management import call_command  # noqa: E402
from oscar.core.loading import get_model  # noqa: E402

STOCK = 10_000_000
BATCH_SIZE = 1_000


def main(catalogue: Path) -> None:
    call_command("migrate", verbosity=0)
    products = [json.loads(line) for line in catalogue.read_text().splitlines()]
    get_model("address", "Country").objects.create(
        iso_3166_1_a2="US", printable_name="United States", name="United States", is_shipping_country=True
    )
    kind = get_model("catalogue", "ProductClass").objects.create(name="Cannabis", requires_shipping=True)
    categories = get_model("catalogue", "Category")
    slugs = {product["category"]: product["category_slug"] for product in products}
    roots = {name: categories.add_root(name=name, slug=slug) for name, slug in slugs.items()}
    partner = get_model("partner", "Partner").objects.create(name="Stillroom")
    _write(
        "catalogue.Product",
        *(
            {
                "structure": "standalone",
                "upc": product["sku"],
                "title": product["name"],
                "slug": f"product-{product['id']}",
                "description": product["description"],
                "product_class": kind,
            }
            for product in products
        ),
    )
    written = list(get_model("catalogue", "Product").objects.order_by("id"))
    pairs = list(zip(written, products, strict=True))
    _write("catalogue.ProductCategory", *({"product": row, "category": roots[each["category"]]} for row, each in pairs))
    _write(
        "partner.StockRecord",
        *(
            {
                "product": row,
                "partner": partner,
                "partner_sku": each["sku"],
                "price": Decimal(each["price_cents"]) / 100,
                "num_in_stock": STOCK,
            }
            for row, each in pairs
        ),
    )


def _write(model: str, *rows: dict[str, object]) -> None:
    kind = get_model(*model.split("."))
    kind.objects.bulk_create([kind(**row) for row in rows], batch_size=BATCH_SIZE)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
