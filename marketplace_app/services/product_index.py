"""Which products have which value of each filter, held in memory while the catalogue stays as it is.

A set of products is a whole number with one bit for each, so that counting what any choice would show takes a few
operations on numbers of some hundred bytes, however many groups and values there are (docs/decisions/0018).
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from rapidfuzz import fuzz, process
from sqlalchemy import select
from sqlmodel import Session, col

from marketplace_app.adapters.kept import Latest
from marketplace_app.adapters.search import fold
from marketplace_app.models import Product, User
from marketplace_app.schemas.products import CBD_RANGES, PRICE_RANGES, THC_RANGES, ProductQuery
from marketplace_app.services.products import IS_ACTIVE, version

Number = float | int | None

_FACTS = (
    *("id", "name", "sort_name", "category", "type", "strain", "potency", "brand", "effects", "flavors"),
    *("price_cents", "thc_percent", "cbd_percent", "stock"),
)
_ROWS = select(*[getattr(Product, name) for name in _FACTS]).where(IS_ACTIVE).order_by(col(Product.id))
_TICKED = ("category", "type", "potency", "effect", "flavor", "brand", "strain")
_GROUPS = (*_TICKED, "in_stock", "price_range", "thc_range", "cbd_range")
_NEAR_ENOUGH = 70
"""Of 100: below that a name has little to do with what was typed."""


@dataclass(frozen=True)
class ProductIndex:
    places: dict[int, int]
    """The bit of each product, by its number."""
    everything: int
    values: dict[str, dict[str, int]]
    """By group and value, the products that have it."""
    numbers: dict[str, list[Number]]
    names: list[str]
    folded_names: list[str]

    def of_ids(self, ids: Iterable[int]) -> int:
        return _bits((self.places[number] for number in ids if number in self.places), len(self.places))

    def with_any(self, group: str, values: Iterable[str]) -> int:
        found = 0
        for value in values:
            found |= self.values[group].get(value, 0)
        return found

    def between(self, fact: str, low: Number, high: Number) -> int:
        return _bits(_between(self.numbers[fact], low, high), len(self.places))

    def chosen(self, query: ProductQuery) -> dict[str, int]:
        """For each group in which something is chosen, the products that pass it."""
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
        """Names much like `text`, the likest first, each with the number of a product of that name."""
        ids = list(self.places)
        found: dict[str, int] = {}
        best = process.extract(
            fold(text), self.folded_names, scorer=fuzz.WRatio, limit=limit * 4, score_cutoff=_NEAR_ENOUGH
        )
        for _name, _score, place in best:
            found.setdefault(self.names[place], ids[place])
        return list(found.items())[:limit]


_KEPT: Latest[ProductIndex] = Latest(room=1)


def current(session: Session, actor: User | None) -> ProductIndex:
    return _KEPT.get("index", version(session, actor), lambda: _build(session.execute(_ROWS).all()))


def _build(rows: Sequence[Any]) -> ProductIndex:
    places: defaultdict[str, defaultdict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    for place, row in enumerate(rows):
        for group, values in _values_of(row).items():
            for value in values:
                places[group][value].append(place)
    numbers: dict[str, list[Number]] = {
        fact: [getattr(row, fact) for row in rows] for fact in ("price_cents", "thc_percent", "cbd_percent")
    }
    for prices in PRICE_RANGES:
        places["price_range"][prices.label] = _between(numbers["price_cents"], prices.min_cents, prices.max_cents)
    for group, fact, ranges in (("thc_range", "thc_percent", THC_RANGES), ("cbd_range", "cbd_percent", CBD_RANGES)):
        for percents in ranges:
            places[group][percents.label] = _between(numbers[fact], percents.low, percents.high)
    size = len(rows)
    return ProductIndex(
        places={row.id: place for place, row in enumerate(rows)},
        everything=(1 << size) - 1,
        values={group: {value: _bits(of, size) for value, of in places[group].items()} for group in _GROUPS},
        numbers=numbers,
        names=[row.name for row in rows],
        folded_names=[row.sort_name for row in rows],
    )


def _values_of(row: Any) -> dict[str, Iterable[str]]:
    return {
        "category": [row.category],
        "type": {row.type, row.strain} - {None},
        "potency": [row.potency] if row.potency else [],
        "effect": set(row.effects),
        "flavor": set(row.flavors),
        "brand": [row.brand] if row.brand else [],
        "strain": [row.strain] if row.strain else [],
        "in_stock": ["true" if row.stock > 0 else "false"],
    }


def _between(numbers: Sequence[Number], low: Number, high: Number) -> list[int]:
    """Bounds belong to it; what has no number is in no range."""
    least, most = (float("-inf") if low is None else low), (float("inf") if high is None else high)
    return [place for place, number in enumerate(numbers) if number is not None and least <= number <= most]


def _bits(places: Iterable[int], size: int) -> int:
    marks = bytearray(size // 8 + 1)
    for place in places:
        marks[place >> 3] |= 1 << (place & 7)
    return int.from_bytes(marks, "little")
