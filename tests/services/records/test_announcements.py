"""What a change of a product is announced as (RULE live-updates)."""

from collections.abc import Callable
from typing import Any

import pytest
from sqlmodel import Session

from marketplace_app.adapters import live
from marketplace_app.models import Product
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.batches.batches import BatchForm
from marketplace_app.schemas.products.stock import StockForm
from marketplace_app.services import stock
from marketplace_app.services.admin import lab_reports, product_csv, products
from marketplace_app.services.batches import keeping
from tests.builders import make_batch, make_product
from tests.conftest import Cast
from tests.services.admin.test_lab_reports import REPORT
from tests.services.admin.test_products import filled

Change = Callable[[Session, Any, Product], object]


def import_lines(*lines: str) -> Change:
    """`{0.sku}` in a line is that of the product."""

    def change(session: Session, ada: Any, product: Product) -> object:
        content = "\n".join(lines).format(product).encode()
        return product_csv.import_file(session, ada, content, dry_run=False)

    return change


def edit_batch(session: Session, ada: Any, product: Product) -> object:
    batch = make_batch(session, product)
    session.flush()
    values = keeping.get(session, ada, batch.id).values()
    return keeping.change(session, ada, batch.id, parse(BatchForm, values | {"thcPercent": 21.5}))


CHANGES: dict[str, Change] = {
    "price": lambda s, ada, product: products.edit(s, ada, product.id, filled(s, product, price="61.50")),
    "stock": lambda s, ada, product: stock.adjust(s, ada, product.id, StockForm(change=-3, note="Broken.")),
    "archived": lambda s, ada, product: products.archive(s, ada, product.id),
    "picture": lambda s, ada, product: products.set_image(s, ada, product.id, "fern"),
    "lab report": lambda s, ada, product: lab_reports.save(s, ada, product.id, REPORT),
    "batch": edit_batch,
    "import of a price": import_lines("sku,price", "{0.sku},61.50"),
    "import of stock": import_lines("sku,stock", "{0.sku},7"),
    "import with a new product": import_lines(
        "sku,name,description,price,category,type,potency,stock",
        "{0.sku},Fern,Soft.,61.50,{0.category},{0.type},,5",
        "NEW,New,Of note.,40.00,{0.category},{0.type},,5",
    ),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES.keys())
def test_a_changed_product_is_announced_and_no_other(change: Change, session: Session, cast: Cast) -> None:
    fern, _dune = make_product(session, "Fern"), make_product(session, "Dune")
    session.flush()
    change(session, cast.ada, fern)
    assert session.info[live.TOPICS] == {live.STAFF, live.product(fern.id)}
