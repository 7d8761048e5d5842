"""What the catalogue's screen shows of one list: a page of it, and counts that all its pages share."""

from sqlalchemy import Engine
from sqlmodel import Session

from marketplace_app import db
from marketplace_app.schemas.products import ProductQuery, SortBy
from marketplace_app.services import browsing
from tests.builders import make_product
from tests.counting import count_statements


def browse(**asked: object) -> browsing.Browsing:
    return db.read(lambda session: browsing.browse(session, None, ProductQuery.model_validate(asked)))


def test_another_page_and_another_order_count_nothing_again(engine: Engine, session: Session) -> None:
    for number in range(5):
        make_product(session, name=f"Fern {number}", price_cents=20_00 + number)
    session.commit()
    first = browse(limit=2, search="fern")
    with count_statements(engine) as asked:
        second = browse(limit=2, offset=2, search="fern")
        dearest = browse(limit=1, search="fern", sortBy=SortBy.PRICE, sortOrder="desc")
    assert [len(page.page.items) for page in (first, second, dearest)] == [2, 2, 1]
    assert [page.page.total for page in (first, second, dearest)] == [5, 5, 5]
    assert dearest.page.items[0].name == "Fern 4"
    assert len(asked) == 6  # for each, whether the catalogue is another, for its synonyms too, and its products


def test_what_changed_is_counted_again(session: Session) -> None:
    product = make_product(session, price_cents=20_00)
    session.commit()
    assert dict(browse().shelf.facets.price_range)["Under $50"] == 1
    product.price_cents = 60_00
    session.add(product)
    session.commit()
    assert dict(browse().shelf.facets.price_range)["Under $50"] == 0


def test_a_page_past_the_end_still_says_how_many_there_are(session: Session) -> None:
    make_product(session)
    session.commit()
    beyond = browse(limit=24, offset=48)
    assert (beyond.page.items, beyond.page.total) == ((), 1)
