"""What the catalogue's screen needs for one address: a page of products, and how many each filter would show."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Function, bindparam, case, func, select
from sqlmodel import Session, col

from marketplace_app.adapters.kept import Latest
from marketplace_app.models import Category, Hue, Potency, Product, ProductType, User
from marketplace_app.schemas.products import PRICE_RANGES, Facets, ProductPage, ProductQuery
from marketplace_app.services.products import IS_ACTIVE, conditions_of, list_categories, list_rows, version, within

Row = Sequence[Any]
"""Category, type, strain, potency; how many of these are within the asked price, and within each price range."""


def _count_if(condition: ColumnElement[bool]) -> Function[int]:
    return func.sum(case((condition, 1), else_=0))


_NO_LIMIT = 2**31 - 1  # more than the column can hold
_GROUPS: tuple[Any, ...] = (Product.category, Product.type, Product.strain, Product.potency)
_IN_PRICE = col(Product.price_cents).between(bindparam("lowest"), bindparam("highest"))
_COLUMNS: list[Any] = [*_GROUPS, _count_if(_IN_PRICE), *[_count_if(within(prices)) for prices in PRICE_RANGES]]
_COUNTS = select(*_COLUMNS).where(IS_ACTIVE).group_by(*_GROUPS)


@dataclass(frozen=True)
class Shelf:
    """What all pages of a list have in common, in whatever order."""

    facets: Facets
    hues: dict[str, Hue]
    """Of the badges, by category."""


@dataclass(frozen=True)
class Browsing:
    page: ProductPage
    shelf: Shelf


_SHELVES: Latest[Shelf] = Latest(room=256)
_OF_A_PAGE = {"limit", "offset", "sort_by", "sort_order"}


def browse(session: Session, actor: User | None, query: ProductQuery) -> Browsing:
    """Everything from one moment, so that the numbers on the screen agree."""
    shelf = _look_over(session, actor, query)
    return Browsing(ProductPage(list_rows(session, query), shelf.facets.total), shelf)


def count_facets(session: Session, actor: User | None, query: ProductQuery) -> Facets:
    return _look_over(session, actor, query).facets


def _look_over(session: Session, actor: User | None, query: ProductQuery) -> Shelf:
    def count() -> Shelf:
        categories = list_categories(session, actor)
        hues = {category.name: category.hue for category in categories}
        return Shelf(_count(session, query, categories), hues)

    return _SHELVES.get(query.model_dump_json(exclude=_OF_A_PAGE), version(session, actor), count)


def _count(session: Session, query: ProductQuery, categories: Iterable[Category]) -> Facets:
    """One pass over what the search finds, grouped by all that can be ticked; the sums are made here."""
    conditions, _ = conditions_of(session, query)
    counts = _COUNTS.where(conditions["search"]) if "search" in conditions else _COUNTS
    asked = {"lowest": query.min_price or 0, "highest": _NO_LIMIT if query.max_price is None else query.max_price}
    rows = session.execute(counts, asked).all()
    in_panel = sorted((each for each in categories if each.is_active), key=lambda category: category.panel_position)
    return _sum_up(rows, query, [category.name for category in in_panel])


def _sum_up(rows: Iterable[Row], query: ProductQuery, shelves: Sequence[str]) -> Facets:
    categories, types, potencies, ranges = Counter[str](), Counter[str](), Counter[str](), Counter[str]()
    total = 0
    for category, kind, strain, potency, count, *in_ranges in rows:
        kinds = {kind, strain} if strain else {kind}
        by_category = not query.category or category in query.category
        by_type = not query.type or not kinds.isdisjoint(query.type)
        by_potency = not query.potency or potency in query.potency
        if by_type and by_potency:
            categories[category] += count
        if by_category and by_potency:
            types.update(dict.fromkeys(kinds, count))
        if by_category and by_type:
            potencies[potency] += count
        if by_category and by_type and by_potency:
            total += count
            for prices, inside in zip(PRICE_RANGES, in_ranges, strict=True):
                ranges[prices.label] += inside

    def counted(counts: Counter[str], values: Iterable[str]) -> tuple[tuple[str, int], ...]:
        return tuple((value, counts[value]) for value in values)

    return Facets(
        category=counted(categories, shelves),
        type=counted(types, [kind.value for kind in ProductType]),
        potency=counted(potencies, [potency.value for potency in Potency]),
        price_range=counted(ranges, [prices.label for prices in PRICE_RANGES]),
        total=total,
    )
