"""The desk's list is read from indexes, whatever it is sorted by."""

import pytest
from sqlalchemy import Engine, text
from sqlalchemy.dialects import postgresql, sqlite
from sqlmodel import Session, col

from marketplace_app.models import Product
from marketplace_app.schemas.product_desk import DeskSort
from marketplace_app.services.product_desk import _ROWS, _SORTED_BY

INDEXES = {
    DeskSort.NAME: "ix_products_sort_name",
    DeskSort.PRICE: "ix_products_price_cents",
    DeskSort.STOCK: "ix_products_stock",
    DeskSort.UPDATED: "ix_products_updated_at",
    DeskSort.CREATED: "ix_products_created_at",
}


@pytest.mark.parametrize("sort", list(DeskSort))
@pytest.mark.parametrize("is_falling", [False, True])
def test_a_page_is_read_in_the_order_of_an_index(
    engine: Engine, session: Session, sort: DeskSort, is_falling: bool
) -> None:
    key, number = _SORTED_BY[sort], col(Product.id)
    order = (key.desc(), number.desc()) if is_falling else (key.asc(), number.asc())
    dialect = sqlite.dialect() if engine.dialect.name == "sqlite" else postgresql.dialect()
    page = _ROWS.order_by(*order).limit(25).compile(dialect=dialect, compile_kwargs={"literal_binds": True})
    if engine.dialect.name == "sqlite":
        plan = session.execute(text(f"EXPLAIN QUERY PLAN {page}")).all()
    else:
        for setting in ("enable_seqscan", "enable_sort"):  # an empty table is always read whole
            session.execute(text(f"SET LOCAL {setting} = off"))
        plan = session.execute(text(f"EXPLAIN {page}")).all()
    assert INDEXES[sort] in str(plan), plan
    assert "USE TEMP B-TREE FOR ORDER BY" not in str(plan)
