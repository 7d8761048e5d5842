"""Which products have which value of each filter, held in memory until the catalogue changes.

A set of products is an integer with one bit for each product, so counting what a choice would show takes a few
operations on integers of some hundred bytes, however many groups and values there are (docs/decisions/0018).
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from rapidfuzz import fuzz, process
from sqlalchemy import String, select, type_coerce
from sqlmodel import Session, col

from marketplace_app.adapters.search import fold
from marketplace_app.adapters.versioned_cache import VersionedCache
from marketplace_app.models import Product, User
from marketplace_app.schemas.products import CBD_RANGES, PRICE_RANGES, THC_RANGES, ProductQuery
from marketplace_app.services.product_filters import IS_ACTIVE
from marketplace_app.services.products import version

Number = float | int | None
ProductSet: TypeAlias = int
"""One bit for each product, at its place in the index."""

_FACTS = (
    *("id", "name", "sort_name", "category", "type", "strain", "potency", "brand", "effects", "flavors"),
    *("price_cents", "thc_percent", "cbd_percent", "stock"),
)
# Read as plain text: converting each value of each product to an enum member would take longer than all the rest.
_AS_TEXT = {"type", "strain", "potency"}
_COLUMNS: list[Any] = [
    type_coerce(getattr(Product, name), String) if name in _AS_TEXT else getattr(Product, name) for name in _FACTS
]
_ROWS = select(*_COLUMNS).where(IS_ACTIVE).order_by(col(Product.id))
_TICKED = ("category", "type", "potency", "effect", "flavor", "brand", "strain")
_ONE_VALUE = ("category", "type", "potency", "brand", "strain")
_LISTS = {"effect": "effects", "flavor": "flavors"}
_MIN_SIMILARITY = 70
"""Of 100. Names with a lower score have little to do with what was typed."""


@dataclass(frozen=True)
class ProductIndex:
    places: dict[int, int]
    """The position of each product's bit, by id."""
    everything: ProductSet
    values: dict[str, dict[str, ProductSet]]
    """By group and value, the products that have it."""
    numbers: dict[str, Sequence[Number]]
    names: Sequence[str]
    folded_names: Sequence[str]

    def of_ids(self, ids: Iterable[int]) -> ProductSet:
        return _bits((self.places[number] for number in ids if number in self.places), len(self.places))

    def with_any(self, group: str, values: Iterable[str]) -> ProductSet:
        found = 0
        for value in values:
            found |= self.values[group].get(value, 0)
        return found

    def between(self, fact: str, low: Number, high: Number) -> ProductSet:
        return _bits(_between(self.numbers[fact], low, high), len(self.places))

    def chosen(self, query: ProductQuery) -> dict[str, ProductSet]:
        """For each group in which something is chosen, the products that match."""
        chosen = {group: self.with_any(group, values) for group in _TICKED if (values := getattr(query, group))}
        bounds = {
            "price_range": ("price_cents", query.min_price, query.max_price),
            "thc_range": ("thc_percent", query.min_thc, query.max_thc),
            "cbd_range": ("cbd_percent", query.min_cbd, query.max_cbd),
        }
        for group, (fact, low, high) in bounds.items():
            if low is not None or high is not None:
                chosen[group] = self.between(fact, low, high)
        if query.in_stock is not None:
            chosen["in_stock"] = self.with_any("in_stock", [str(query.in_stock).lower()])
        return chosen

    def nearest(self, text: str, limit: int) -> list[tuple[str, int]]:
        """Names similar to `text`, the most similar first, each with the id of a product of that name."""
        ids = list(self.places)
        found: dict[str, int] = {}
        best = process.extract(
            fold(text), self.folded_names, scorer=fuzz.WRatio, limit=limit * 4, score_cutoff=_MIN_SIMILARITY
        )
        for _name, _score, place in best:
            found.setdefault(self.names[place], ids[place])
        return list(found.items())[:limit]


_CACHE: VersionedCache[ProductIndex] = VersionedCache(max_size=1)


def current(session: Session, actor: User | None) -> ProductIndex:
    return _CACHE.get("index", version(session, actor), lambda: _build(session.execute(_ROWS).all()))


def _build(rows: Sequence[Any]) -> ProductIndex:
    """Column by column, which is fast: this runs over the whole catalogue after every change of it."""
    size = len(rows)
    columns: dict[str, Sequence[Any]] = dict(
        zip(_FACTS, zip(*rows, strict=True) if rows else [()] * len(_FACTS), strict=True)
    )
    places = {group: _by_value(columns[group]) for group in _ONE_VALUE}
    places |= {group: _by_entry(columns[fact]) for group, fact in _LISTS.items()}
    places["in_stock"] = _by_value(["true" if stock > 0 else "false" for stock in columns["stock"]])
    places["price_range"] = {
        prices.label: _between(columns["price_cents"], prices.min_cents, prices.max_cents) for prices in PRICE_RANGES
    }
    for group, fact, ranges in (("thc_range", "thc_percent", THC_RANGES), ("cbd_range", "cbd_percent", CBD_RANGES)):
        places[group] = {each.label: _between(columns[fact], each.low, each.high) for each in ranges}
    values = {group: {value: _bits(of, size) for value, of in found.items()} for group, found in places.items()}
    for strain, products in values["strain"].items():
        values["type"][strain] = values["type"].get(strain, 0) | products
    return ProductIndex(
        places={number: place for place, number in enumerate(columns["id"])},
        everything=(1 << size) - 1,
        values=values,
        numbers={fact: columns[fact] for fact in ("price_cents", "thc_percent", "cbd_percent")},
        names=columns["name"],
        folded_names=columns["sort_name"],
    )


def _by_value(column: Iterable[str | None]) -> dict[str, list[int]]:
    places: defaultdict[str, list[int]] = defaultdict(list)
    for place, value in enumerate(column):
        if value:
            places[value].append(place)
    return places


def _by_entry(column: Iterable[Sequence[str]]) -> dict[str, list[int]]:
    places: defaultdict[str, list[int]] = defaultdict(list)
    for place, entries in enumerate(column):
        for entry in entries:
            places[entry].append(place)
    return places


def _between(numbers: Sequence[Number], low: Number, high: Number) -> list[int]:
    """Bounds are inclusive; products without the number are in no range."""
    least, most = (float("-inf") if low is None else low), (float("inf") if high is None else high)
    return [place for place, number in enumerate(numbers) if number is not None and least <= number <= most]


def _bits(places: Iterable[int], size: int) -> ProductSet:
    marks = bytearray(size // 8 + 1)
    for place in places:
        marks[place >> 3] |= 1 << (place & 7)
    return int.from_bytes(marks, "little")
