"""The catalogue as anybody reads it (RULE public-catalogue), and what is written with each product."""

import pytest
from sqlalchemy import Engine
from sqlmodel import Session, select

from marketplace_app import errors
from marketplace_app.models import Potency, StockMovement, StockReason
from marketplace_app.schemas.products.products import ProductQuery
from marketplace_app.services.products import products
from tests.builders import make_product
from tests.conftest import Cast


def test_a_product_that_was_archived_is_in_no_list_and_not_found(session: Session) -> None:
    sold, archived = make_product(session, "Fern"), make_product(session, "Moss", is_active=False)
    session.commit()
    assert [each.id for each in products.list_products(session, None, ProductQuery()).items] == [sold.id]
    assert [product_id for product_id, _ in products.list_sitemap_entries(session)] == [sold.id]
    assert products.get(session, None, sold.id).product.name == "Fern"
    for unknown in (archived.id, 999_999):
        with pytest.raises(errors.NotFound):
            products.get(session, None, unknown)


def test_a_page_is_answered_from_memory_only_on_the_version_that_is_there(engine: Engine, session: Session) -> None:
    for name in ("Fern", "Moss", "Larch"):
        make_product(session, name)
    session.commit()
    query = ProductQuery(limit=2)
    version = products.version(session, None)
    assert products.list_in_memory(engine, version + 1, query) is None
    page = products.list_products(session, None, query)
    assert (len(page.items), page.total) == (2, 3)
    assert products.list_in_memory(engine, version, query) == page
    assert products.list_in_memory(engine, version, ProductQuery()) is None, "a list of all takes too long"


def test_the_next_page_is_in_memory_once_a_page_was_read(
    engine: Engine, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(6):
        make_product(session, f"Fern {number}")
    session.commit()
    monkeypatch.setattr(products, "READ_AHEAD", 4)
    version, pages = products.version(session, None), [ProductQuery(limit=2, offset=offset) for offset in (0, 2, 4)]
    products.list_products(session, None, pages[0])
    listed = [products.list_in_memory(engine, version, page) for page in pages]
    assert [page and [each.name for each in page.items] for page in listed] == [
        ["Fern 0", "Fern 1"],
        ["Fern 2", "Fern 3"],
        None,
    ]


def test_a_saved_product_has_a_folded_sort_name_and_the_potency_of_its_thc(session: Session) -> None:
    accented = make_product(session, "Été Kush", thc_percent=22.0)
    chosen = make_product(session, "Moss", thc_percent=22.0, potency=Potency.HIGH)
    assert (accented.sort_name, accented.potency, chosen.potency) == ("ete kush", Potency.MEDIUM, Potency.HIGH)


def test_the_opening_stock_is_the_first_movement_of_the_ledger(session: Session, cast: Cast) -> None:
    first, none = make_product(session, "Fern", stock=0), make_product(session, "Moss", stock=0)
    products.set_opening_stock(session, first, 7, by=cast.ada)
    products.set_opening_stock(session, none, 0)
    session.flush()
    movements = session.exec(select(StockMovement)).all()
    assert [(each.product_id, each.change, each.reason, each.actor_id) for each in movements] == [
        (first.id, 7, StockReason.OPENING, cast.ada.id)
    ]
