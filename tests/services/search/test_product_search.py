"""Lists from memory are as the rules describe; which products match the words is asked of the admin pages' search."""

import random
from collections.abc import Callable, Iterable
from typing import Any

import pytest
from sqlalchemy import Engine, literal, select, text
from sqlmodel import Session

from marketplace_app import db
from marketplace_app.adapters import search
from marketplace_app.models import Product, ProductType, Strain
from marketplace_app.schemas.products.products import ProductPage, ProductQuery, SortBy, SortDirection, view_of
from marketplace_app.services.products import catalogue, products
from marketplace_app.services.search import lexicons, product_sets
from tests.builders import make_product

PRODUCTS, QUERIES = 70, 250
NAMES = (
    *("A OG Kush", "OG Kush", "O.G. Kush!", "Girl Scout Cookies", "GSC", "Crème Brûlée"),
    *("Blue Dream", "Bluedream", "紫 Haze", "Haze"),
)
WORDS = (
    *("kush", "ogk", "ogkush", "og kush", "girl scout cookies", "gsc", "creme", "blue", "blu", "bleu dream", "dreams"),
    *("紫", "haze", "hazes", "hase", "indica", "lemon", "sweet mint", "resin", "eighth", "1/8", "northbank", "qqqq"),
    *("?!", "s"),
)
CHOICES: dict[str, tuple[Any, ...]] = {
    "category": ("THC Flower", "Edibles", "Nothing"),
    "type": ("Indica", "Hybrid", "Eighth (3.5g)", "Nothing"),
    "potency": ("Medium THC (20-25%)", "High THC (25%+)", "Nothing"),
    "brand": ("", "Northbank", "northbank"),
    "strain": ("Indica", "Sativa", "Nothing"),
    "effect": ("Calm", "calm", "Awake"),
    "flavor": ("Lemon", "Sweet", "Sweet Mint"),
}
ONE_OF: dict[str, tuple[Any, ...]] = {
    "minPrice": ("10.00", "20.00"),
    "maxPrice": ("9.99", "20.00", "50.00"),
    "minThc": (0, 15, 20),
    "maxThc": (20, 25.5, 30),
    "minCbd": (1,),
    "maxCbd": (1, 5),
    "inStock": (True, False),
    "sortBy": tuple(SortBy),
    "sortOrder": tuple(SortDirection),
    "offset": (1, 8, 9, 30, 500),
    "exact": (True,),
}


def write_catalogue(session: Session, rng: random.Random) -> None:
    for _ in range(PRODUCTS):
        make_product(
            session,
            rng.choice(NAMES),
            category=rng.choice(("THC Flower", "Edibles")),
            type=rng.choice((ProductType.INDICA, ProductType.EIGHTH, ProductType.HYBRID)),
            strain=rng.choice((None, *Strain)),
            brand=rng.choice(("", "Northbank", "northbank")),
            description=rng.choice(("", "Lemon and resin.", "Like a blue dream.")),
            effects=rng.sample(("Calm", "calm", "Awake"), rng.randrange(3)),
            flavors=rng.sample(("Lemon", "Sweet Mint"), rng.randrange(3)),
            price_cents=rng.choice((9_99, 10_00, 20_00, 20_01)),
            thc_percent=rng.choice((None, 0.0, 20.0, 25.5)),
            cbd_percent=rng.choice((None, 1.0, 5.0)),
            stock=rng.choice((0, 3)),
            rating_tenths=rng.choice((0, 45)),
            is_featured=rng.random() < 0.2,
            is_active=rng.random() < 0.9,
        )
    session.commit()


def some_query(rng: random.Random) -> ProductQuery:
    asked: dict[str, Any] = {"limit": rng.choice((1, 5, 24, None))}
    asked |= {name: rng.sample(values, 2) for name, values in CHOICES.items() if rng.random() < 0.12}
    asked |= {name: rng.choice(values) for name, values in ONE_OF.items() if rng.random() < 0.2}
    if rng.random() < 0.6:
        asked["search"] = " ".join(rng.sample(WORDS, rng.choice((1, 1, 2))))
    return ProductQuery.model_validate(asked)


def passes(product: Product, query: ProductQuery) -> bool:
    bounds = (
        (product.price_cents, query.min_price, query.max_price),
        (product.thc_percent, query.min_thc, query.max_thc),
        (product.cbd_percent, query.min_cbd, query.max_cbd),
    )
    choices: tuple[tuple[list[str], Iterable[Any]], ...] = (
        (query.category, [product.category]),
        (query.type, [product.type, product.strain]),
        (query.potency, [product.potency]),
        (query.brand, [product.brand]),
        (query.strain, [product.strain]),
        (query.effect, product.effects),
        (query.flavor, product.flavors),
    )
    return (
        product.is_active
        and all(not wanted or set(wanted) & set(values) for wanted, values in choices)
        and all(least is None or (number is not None and number >= least) for number, least, _ in bounds)
        and all(most is None or (number is not None and number <= most) for number, _, most in bounds)
        and query.in_stock in (None, product.stock > 0)
    )


def in_order(found: list[tuple[Product, int]], query: ProductQuery) -> list[Product]:
    """Each of these sorts leaves the order of equals as it was."""
    ordered = sorted(found, key=lambda pair: (pair[0].sort_name, pair[0].id))
    if query.sort_by in (None, SortBy.FEATURED):
        ordered.sort(key=lambda pair: (not pair[0].is_featured, pair[0].stock == 0))
        if query.sort_by is None:
            ordered.sort(key=lambda pair: pair[1])
        return [product for product, _ in ordered]
    keys: dict[SortBy, tuple[Callable[[Product], Any], SortDirection]] = {
        SortBy.NAME: (lambda product: product.sort_name, SortDirection.ASCENDING),
        SortBy.PRICE: (lambda product: product.price_cents, SortDirection.ASCENDING),
        SortBy.RATING: (lambda product: product.rating_tenths, SortDirection.DESCENDING),
        SortBy.NEWEST: (lambda product: product.created_at, SortDirection.DESCENDING),
    }
    assert query.sort_by is not None
    key, usual = keys[query.sort_by]
    is_descending = (query.sort_order or usual) is SortDirection.DESCENDING
    return sorted((product for product, _ in ordered), key=key, reverse=is_descending)


def expected(session: Session, query: ProductQuery) -> ProductPage:
    statement, corrected = select(Product, literal(0)), None
    if query.search:
        dialect, lexicon = session.get_bind().dialect.name, lexicons.current(session)
        corrected = None if query.exact else search.corrected(query.search, lexicon)
        match = search.matching(dialect, corrected or query.search, lexicon)
        if match is None:
            return ProductPage((), 0)
        statement = select(Product, match[1]).where(match[0])
    matching = [(product, tier) for product, tier in session.execute(statement) if passes(product, query)]
    page = in_order(matching, query)[query.offset :][: query.limit]
    return ProductPage(tuple(map(view_of, page)), len(matching), corrected if matching else None)


def test_every_list_is_that_of_the_rules(engine: Engine, session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(product_sets, "BLOCK", 8)
    monkeypatch.setattr(products, "MAX_KEPT_VIEWS", PRODUCTS // 2)
    rng = random.Random(engine.dialect.name)
    write_catalogue(session, rng)
    version, from_memory = products.version(session, None), 0
    for _ in range(QUERIES):
        query = some_query(rng)
        page = db.read(lambda session, query=query: products.list_products(session, None, query))  # type: ignore[misc]
        assert page == expected(session, query), query
        assert catalogue.count_facets(session, None, query).total == page.total
        at_once = products.list_in_memory(engine, version, query)
        assert at_once in (None, page), query
        from_memory += at_once is not None
    assert QUERIES / 4 < from_memory < QUERIES


@pytest.mark.parametrize(
    ("change", "seen"),
    [
        ("price_cents = 7000", ("Fern Hollow", 70_00, True)),
        ("stock = 0", ("Fern Hollow", 60_00, False)),
        ("name = 'Fern Ridge'", ("Fern Ridge", 60_00, True)),
        ("is_active = false", None),
    ],
)
def test_a_listed_product_that_is_changed_in_the_database_itself_is_listed_as_it_is(
    session: Session, change: str, seen: tuple[str, int, bool] | None
) -> None:
    make_product(session, "Fern Hollow")
    session.commit()

    def listed() -> list[tuple[str, int, bool]]:
        page = db.read(lambda session: products.list_products(session, None, ProductQuery(search="fern")))
        assert page.total == len(page.items)
        return [(item.name, item.price_cents, item.in_stock) for item in page.items]

    assert listed() == [("Fern Hollow", 60_00, True)]
    session.execute(text(f"UPDATE products SET {change}"))
    session.commit()
    assert listed() == ([seen] if seen else [])
