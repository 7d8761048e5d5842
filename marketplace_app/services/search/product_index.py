"""The active products, kept in memory until the catalogue changes: which have each filter value, and how they sort.

Lists and the counts of their filters are answered from it; the database is asked only for the words of a search and
for products that have not been listed since the catalogue changed (docs/decisions/0018-filters-in-memory.md).
"""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain
from typing import Any

import orjson
from rapidfuzz import fuzz, process
from sqlalchemy import Boolean, Engine, String, Text, cast, literal_column, select, type_coerce
from sqlmodel import Session

from marketplace_app.adapters.search import fold
from marketplace_app.adapters.versioned_cache import VersionedCache
from marketplace_app.models import Product
from marketplace_app.models.base import table_of
from marketplace_app.schemas.products.products import (
    CBD_RANGES,
    PRICE_RANGES,
    THC_RANGES,
    ProductQuery,
    ProductView,
    SortBy,
    SortDirection,
)
from marketplace_app.services.records import counters
from marketplace_app.services.search.product_sets import Number, ProductSet, RangeIndex, SortedPositions, set_of

PRODUCTS = table_of(Product).c
IS_ACTIVE = PRODUCTS.is_active.is_(True)
# Literal text, not a bound value: the index `ix_products_shelf` is on this exact expression.
_IN_STOCK = literal_column("(stock > 0)", Boolean)
_FACTS: dict[str, Any] = {
    **{name: PRODUCTS[name] for name in ("id", "name", "sort_name", "category", "brand")},
    **{name: PRODUCTS[name] for name in ("price_cents", "thc_percent", "cbd_percent", "rating_tenths")},
    # As the driver returns them: converting the values of each product would take longer than all the rest.
    **{name: type_coerce(PRODUCTS[name], String) for name in ("type", "strain", "potency", "created_at")},
    **{name: cast(PRODUCTS[name], Text) for name in ("effects", "flavors")},
    "in_stock": _IN_STOCK,
}
_ROWS = (
    select(*_FACTS.values())
    .where(IS_ACTIVE)
    .order_by(PRODUCTS.is_featured.desc(), _IN_STOCK.desc(), PRODUCTS.sort_name, PRODUCTS.id)
)
_TICKED_GROUPS = ("category", "type", "potency", "effect", "flavor", "brand", "strain")
_LIST_FACTS = {"effect": "effects", "flavor": "flavors"}
_RANGES: dict[str, tuple[str, list[tuple[str, Number | None, Number | None]]]] = {
    "price_range": ("price_cents", [(each.label, each.min_cents, each.max_cents) for each in PRICE_RANGES]),
    "thc_range": ("thc_percent", [(each.label, each.min_percent, each.max_percent) for each in THC_RANGES]),
    "cbd_range": ("cbd_percent", [(each.label, each.min_percent, each.max_percent) for each in CBD_RANGES]),
}
_SORTED_BY = {
    SortBy.NAME: "sort_name",
    SortBy.PRICE: "price_cents",
    SortBy.RATING: "rating_tenths",
    SortBy.NEWEST: "created_at",
}
_MIN_SIMILARITY = 70
"""Of 100. Names with a lower score have little to do with what was typed."""
_LAST_CHARACTER = chr(0x10FFFF)


@dataclass(frozen=True)
class ProductIndex:
    database: str
    version: int
    size: int
    columns: dict[str, Sequence[Any]]
    """The facts of each product, all in the featured order."""
    positions: dict[int, int]
    """By id, the position of each product in that order."""
    everything: ProductSet
    values: dict[str, dict[str, ProductSet]]
    """By group and value, the products that have it."""
    ranges: dict[str, RangeIndex]
    """By group, an index that finds the products between any two bounds."""
    orders: dict[tuple[SortBy, bool], SortedPositions] = field(default_factory=dict)
    """By sort key and whether the highest comes first; each is made when it is first asked for."""
    views: dict[int, ProductView] = field(default_factory=dict)
    """By id, the views of products that have been listed."""

    def of_ids(self, ids: Iterable[int]) -> ProductSet:
        positions = map(self.positions.get, ids)
        return set_of((position for position in positions if position is not None), self.size)

    def with_any(self, group: str, values: Iterable[str]) -> ProductSet:
        found = 0
        for value in values:
            found |= self.values[group].get(value, 0)
        return found

    def chosen(self, query: ProductQuery) -> dict[str, ProductSet]:
        """For each group in which something is chosen, the products that match (RULE filters)."""
        chosen = {group: self.with_any(group, values) for group in _TICKED_GROUPS if (values := getattr(query, group))}
        bounds = {
            "price_range": (query.min_price, query.max_price),
            "thc_range": (query.min_thc, query.max_thc),
            "cbd_range": (query.min_cbd, query.max_cbd),
        }
        for group, (lowest, highest) in bounds.items():
            if lowest is not None or highest is not None:
                chosen[group] = self.ranges[group].between(lowest, highest)
        if query.in_stock is not None:
            chosen["in_stock"] = self.with_any("in_stock", [_flag(query.in_stock)])
        return chosen

    def order(self, sort_by: SortBy | None, direction: SortDirection | None) -> SortedPositions:
        """All positions in this order. Products that compare equal are ordered by name, then by id."""
        sort_by, descending = _order_key(sort_by, direction)
        if (sort_by, descending) not in self.orders:
            self.orders[sort_by, descending] = SortedPositions(self._sorted(sort_by, descending=descending), self.size)
        return self.orders[sort_by, descending]

    def has_order(self, sort_by: SortBy | None, direction: SortDirection | None) -> bool:
        """Whether this order has been made already."""
        return _order_key(sort_by, direction) in self.orders

    def _sorted(self, sort_by: SortBy, *, descending: bool) -> Sequence[int]:
        if sort_by is SortBy.FEATURED:
            return range(self.size)
        by_id = sorted(range(self.size), key=self.columns["id"].__getitem__)
        ties = by_id if sort_by is SortBy.NAME else self.order(SortBy.NAME, SortDirection.ASCENDING).positions
        return sorted(ties, key=self.columns[_SORTED_BY[sort_by]].__getitem__, reverse=descending)

    def named(self, names: Iterable[str]) -> ProductSet:
        """Products whose whole folded name is one of these."""
        return set_of(chain.from_iterable(self._between_names(name, name + "\0") for name in names), self.size)

    def beginning_with(self, letters: str) -> ProductSet:
        return set_of(self._between_names(letters, letters + _LAST_CHARACTER), self.size)

    def nearest(self, text: str, limit: int) -> list[tuple[str, int]]:
        """Names similar to `text`, the most similar first, each with the id of a product of that name."""
        by_id = sorted(zip(*(self.columns[each] for each in ("id", "name", "sort_name")), strict=True))
        found: dict[str, int] = {}
        folded = [sort_name for _, _, sort_name in by_id]
        best = process.extract(fold(text), folded, scorer=fuzz.WRatio, limit=limit * 4, score_cutoff=_MIN_SIMILARITY)
        for _name, _score, at in best:
            found.setdefault(by_id[at][1], by_id[at][0])
        return list(found.items())[:limit]

    def _between_names(self, first: str, end: str) -> Sequence[int]:
        name_at = self.columns["sort_name"].__getitem__
        by_name = self.order(SortBy.NAME, SortDirection.ASCENDING).positions
        return by_name[bisect_left(by_name, first, key=name_at) : bisect_left(by_name, end, key=name_at)]


def _order_key(sort_by: SortBy | None, direction: SortDirection | None) -> tuple[SortBy, bool]:
    """The sort key, and whether the highest comes first; a default for what the query leaves out."""
    sort_by = sort_by or SortBy.FEATURED
    usual = SortDirection.ASCENDING if sort_by in (SortBy.NAME, SortBy.PRICE) else SortDirection.DESCENDING
    return sort_by, (direction or usual) is SortDirection.DESCENDING


_CACHE: VersionedCache[ProductIndex] = VersionedCache(max_size=1)


def current(session: Session) -> ProductIndex:
    database, version = _url_of(session.get_bind().engine), counters.read(session, counters.CATALOGUE)
    return _CACHE.get(database, version, lambda: _build(database, version, session.execute(_ROWS).all()))


def in_memory(engine: Engine, version: int) -> ProductIndex | None:
    """The index of this version of the catalogue, if it has been built."""
    return _CACHE.find(_url_of(engine), version)


@lru_cache(maxsize=4)
def _url_of(engine: Engine) -> str:
    return str(engine.url)  # takes as long as finding the products, so it is cached


def _build(database: str, version: int, rows: Sequence[Any]) -> ProductIndex:
    """Column by column, which is fast: this runs over the whole catalogue after every change to it."""
    size = len(rows)
    columns: dict[str, Any] = dict(zip(_FACTS, zip(*rows, strict=True) if rows else [()] * len(_FACTS), strict=True))
    by_group = {group: _by_value(columns[group]) for group in _TICKED_GROUPS if group not in _LIST_FACTS}
    by_group |= {group: _by_entry(columns.pop(fact)) for group, fact in _LIST_FACTS.items()}
    by_group["in_stock"] = _by_value([_flag(each) for each in columns["in_stock"]])
    values = {
        group: {value: set_of(having, size) for value, having in found.items()} for group, found in by_group.items()
    }
    for strain, products in values["strain"].items():  # the filter by type has Indica, Sativa and Hybrid too
        values["type"][strain] = values["type"].get(strain, 0) | products
    ranges = {group: RangeIndex(columns[fact]) for group, (fact, _) in _RANGES.items()}
    for group, (_, bounds) in _RANGES.items():
        values[group] = {label: ranges[group].between(lowest, highest) for label, lowest, highest in bounds}
    return ProductIndex(
        database=database,
        version=version,
        size=size,
        columns=columns,
        positions={product_id: position for position, product_id in enumerate(columns["id"])},
        everything=set_of(range(size), size),
        values=values,
        ranges=ranges,
    )


def _by_value(column: Iterable[str | None]) -> dict[str, list[int]]:
    positions: defaultdict[str, list[int]] = defaultdict(list)
    for position, value in enumerate(column):
        if value is not None:
            positions[value].append(position)
    return positions


def _by_entry(column: Iterable[str]) -> dict[str, list[int]]:
    """For a column of lists as JSON. Equal lists are parsed once, since most products share theirs with others."""
    positions: defaultdict[str, list[int]] = defaultdict(list)
    for listed, having in _by_value(column).items():
        for entry in orjson.loads(listed):
            positions[entry] += having
    return positions


def _flag(value: object) -> str:
    return "true" if value else "false"
