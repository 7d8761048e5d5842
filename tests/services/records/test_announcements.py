"""What a change of a product is announced as (RULE live-updates)."""

from collections.abc import Callable
from typing import Any

import pytest
from sqlmodel import Session

from marketplace_app.adapters import live
from marketplace_app.models import Product
from marketplace_app.schemas.products.stock import StockForm
from marketplace_app.services import stock
from marketplace_app.services.admin import product_csv, products
from tests.builders import make_product
from tests.conftest import Cast
from tests.services.admin.test_products import filled

Change = Callable[[Session, Any, Product], object]


def import_price(session: Session, ada: Any, product: Product) -> object:
    content = f"sku,price\n{product.sku},61.50\n".encode()
    return product_csv.import_file(session, ada, content, dry_run=False)


CHANGES: dict[str, Change] = {
    "price": lambda s, ada, product: products.edit(s, ada, product.id, filled(s, product, price="61.50")),
    "stock": lambda s, ada, product: stock.adjust(s, ada, product.id, StockForm(change=-3, note="Broken.")),
    "archived": lambda s, ada, product: products.archive(s, ada, product.id),
    "picture": lambda s, ada, product: products.set_image(s, ada, product.id, "fern"),
    "import": import_price,
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES.keys())
def test_a_changed_product_is_announced_and_no_other(change: Change, session: Session, cast: Cast) -> None:
    fern, _dune = make_product(session, "Fern"), make_product(session, "Dune")
    session.flush()
    change(session, cast.ada, fern)
    assert session.info[live.TOPICS] == {live.STAFF, live.product(fern.id)}
