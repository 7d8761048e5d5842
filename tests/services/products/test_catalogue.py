"""A page of the catalogue, and the counts that all pages of a list share."""

from sqlalchemy import Engine
from sqlmodel import Session

from marketplace_app import db
from marketplace_app.schemas.products.products import ProductQuery, SortBy
from marketplace_app.services.products import catalogue
from tests.builders import make_product
from tests.counting import count_statements


def show(**params: object) -> catalogue.ProductList:
    return db.read(lambda session: catalogue.show(session, None, ProductQuery.model_validate(params)))


def test_another_page_or_order_reuses_the_counts(engine: Engine, session: Session) -> None:
    for number in range(5):
        make_product(session, name=f"Fern {number}", price_cents=20_00 + number)
    session.commit()
    first = show(limit=2, search="fern")
    with count_statements(engine) as statements:
        second = show(limit=2, offset=2, search="fern")
        dearest = show(limit=1, search="fern", sortBy=SortBy.PRICE, sortOrder="desc")
    assert [len(page.page.items) for page in (first, second, dearest)] == [2, 2, 1]
    assert [page.page.total for page in (first, second, dearest)] == [5, 5, 5]
    assert dearest.page.items[0].name == "Fern 4"
    assert len(statements) == 2  # the catalogue version of each: all five products were read ahead with the first page


def test_what_changed_is_counted_again(session: Session) -> None:
    product = make_product(session, price_cents=20_00)
    session.commit()
    assert dict(show().summary.facets.price_range)["Under $50"] == 1
    product.price_cents = 60_00
    session.add(product)
    session.commit()
    assert dict(show().summary.facets.price_range)["Under $50"] == 0


def test_a_page_past_the_end_still_says_how_many_there_are(session: Session) -> None:
    make_product(session)
    session.commit()
    beyond = show(limit=24, offset=48)
    assert (beyond.page.items, beyond.page.total) == ((), 1)


def test_answers_of_different_filters_are_cached_separately(session: Session) -> None:
    make_product(session, "Calm Fern", effects=["Calm"], thc_percent=18.0)
    make_product(session, "Bright Fern", flavors=["Lemon"], brand="Northbank", stock=0)
    session.commit()
    queries: tuple[dict[str, object], ...] = (
        {"effect": ["Calm"]},
        {"flavor": ["Lemon"]},
        {"brand": ["Northbank"]},
        {"minThc": 10},
        {"inStock": "false"},
        {"inStock": "true"},
    )
    for _ in range(2):
        found = [show(limit=24, **each).page for each in queries]
        names = [page.items[0].name for page in found]
        assert names == ["Calm Fern", "Bright Fern", "Bright Fern", "Calm Fern", "Bright Fern", "Calm Fern"]
        assert [page.total for page in found] == [1] * 6
    assert show(limit=24).page.total == 2


def test_an_edited_product_is_found_by_its_new_values(session: Session) -> None:
    product = make_product(session, effects=["Calm"], stock=1)
    session.commit()
    assert show(effect=["Calm"], inStock="true").summary.facets.total == 1
    product.effects, product.stock = ["Awake"], 0
    session.add(product)
    session.commit()
    assert show(effect=["Calm"]).summary.facets.total == 0
    facets = show().summary.facets
    assert (facets.effect, facets.in_stock) == ((("Awake", 1),), (("true", 0), ("false", 1)))


def test_an_empty_result_offers_near_names_and_the_count_without_filters(session: Session) -> None:
    fern = make_product(session, "Fern Hollow", thc_percent=20.0)
    make_product(session, "Fern Hollow", category="Edibles")
    make_product(session, "Amber Ounce")
    session.commit()
    assert show(search="fern").summary.alternatives is None
    alternatives = show(search="fren holowq").summary.alternatives
    assert alternatives is not None
    assert (alternatives.without_filters, alternatives.nearest) == (0, (("Fern Hollow", fern.id),))
    assert dict(alternatives.categories)["Edibles"] == 1
    filtered_out = show(search="fern", minThc=99).summary.alternatives
    assert filtered_out is not None
    assert (filtered_out.without_filters, filtered_out.nearest) == (2, ())
    for odd in ("", "🌿", "x" * 200, "?!"):
        empty = show(search=odd, minThc=99).summary.alternatives
        assert empty is not None
        assert empty.nearest == ()


def test_a_search_that_finds_nothing_offers_at_most_five_names_each_once(session: Session) -> None:
    for number in range(8):
        make_product(session, f"Blue Drream {number % 7}")
    session.commit()
    alternatives = show(search="bluue drreamy", exact=True).summary.alternatives
    assert alternatives is not None
    assert len({name for name, _ in alternatives.nearest}) == len(alternatives.nearest) == 5
