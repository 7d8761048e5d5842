"""Which products a list shows, and in which order: filters and searches, answered from the index in memory."""

from collections.abc import Iterator
from functools import reduce
from itertools import islice
from operator import and_, or_
from typing import NamedTuple

from sqlmodel import Session

from marketplace_app.adapters import search
from marketplace_app.adapters.versioned_cache import VersionedCache
from marketplace_app.limits import MAX_UNPAGED_PRODUCTS
from marketplace_app.schemas.products.products import ProductQuery
from marketplace_app.services.search import lexicons
from marketplace_app.services.search.product_index import ProductIndex
from marketplace_app.services.search.product_sets import ProductSet


class SearchResult(NamedTuple):
    """What the search text of a query finds, whatever the filters say."""

    tiers: tuple[ProductSet, ...]
    """The best first (`search.matching`), without empty ones."""
    corrected: str | None
    """The words that were searched in place of the query's own, which no product has."""

    @property
    def products(self) -> ProductSet:
        return reduce(or_, self.tiers, 0)


_FOUND: VersionedCache[SearchResult] = VersionedCache(max_size=256)
"""What the last searches found: another page, sort order or filter of the same search does not search again."""


def find(session: Session, index: ProductIndex, query: ProductQuery) -> SearchResult:
    found = find_in_memory(index, query)
    return found or _FOUND.get(_key_of(index, query), index.version, lambda: _find(session, index, query))


def find_in_memory(index: ProductIndex, query: ProductQuery) -> SearchResult | None:
    """None if the database has to be searched for these words."""
    if not query.search.strip():
        return SearchResult((index.everything,), None)
    return _FOUND.find(_key_of(index, query), index.version)


def page(index: ProductIndex, query: ProductQuery, found: SearchResult) -> tuple[list[int], int]:
    """The ids of one page (at most 1,000 if the query has no limit), and how many products match in all."""
    matching = reduce(and_, index.chosen(query).values(), found.products)
    positions = islice(_in_order(index, query, found, matching), query.limit or MAX_UNPAGED_PRODUCTS)
    return list(map(index.columns["id"].__getitem__, positions)), matching.bit_count()


def _key_of(index: ProductIndex, query: ProductQuery) -> tuple[str, str, bool]:
    return index.database, query.search, query.exact


def _in_order(index: ProductIndex, query: ProductQuery, found: SearchResult, matching: ProductSet) -> Iterator[int]:
    """From the query's offset on. Within a tier the featured order applies."""
    order, offset = index.order(query.sort_by, query.sort_order), query.offset
    sets = found.tiers if query.sort_by is None else (matching,)
    for products in sets:
        yield from order.positions_of(products & matching, offset)
        offset = max(0, offset - (products & matching).bit_count())


def _find(session: Session, index: ProductIndex, query: ProductQuery) -> SearchResult:
    dialect, lexicon = session.get_bind().dialect.name, lexicons.current(session)
    corrected = None if query.exact else search.corrected(query.search, lexicon)
    parsed = search.parse_search(dialect, corrected or query.search, lexicon)
    if parsed is None:
        return SearchResult((), None)
    remaining = index.of_ids(search.find_ids(session, parsed.in_any))
    tiers: list[ProductSet] = []
    for tier in _tiers(session, index, parsed):
        if not remaining:
            break
        tiers.append(remaining & tier)
        remaining &= ~tier
    return SearchResult(tuple(filter(None, [*tiers, remaining])), corrected)


def _tiers(session: Session, index: ProductIndex, parsed: search.ParsedSearch) -> Iterator[ProductSet]:
    """All tiers of `search.matching` but the last one, which has the rest; a product may be in several."""
    yield index.named([parsed.folded])
    yield index.named(parsed.equal_names)
    yield index.beginning_with(parsed.folded + " ")
    yield index.beginning_with(parsed.folded)
    yield index.named(parsed.longer_names)
    yield index.of_ids(search.find_ids(session, parsed.in_name))
    yield index.of_ids(search.find_ids(session, parsed.in_kind))
