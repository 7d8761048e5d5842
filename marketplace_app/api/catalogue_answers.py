"""Answers about the public catalogue: the same for everybody, and cached as bytes until the catalogue changes."""

import hashlib
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any, NamedTuple, TypeVar, get_origin
from urllib.parse import parse_qsl, quote

import orjson
from pydantic import ValidationError
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import Scope

from marketplace_app import db
from marketplace_app.adapters.versioned_cache import AsyncVersionedCache
from marketplace_app.auth import acting
from marketplace_app.auth.ip_addresses import client_address
from marketplace_app.schemas.base import PageQuery
from marketplace_app.schemas.products.products import ProductPage, ProductQuery
from marketplace_app.schemas.search.suggestions import SuggestionQuery
from marketplace_app.services.products import catalogue, products, suggestions
from marketplace_app.services.search import search_log

Q = TypeVar("Q", bound=PageQuery)

CACHE_BYTES = 16 * 1024 * 1024
MAX_CACHED_URL = 500
"""The store's own pages send a longer URL only for a long search in a script other than Latin, which is
percent-encoded. As keys of the cache, longer URLs would take more memory than the answers."""
MAX_QUERY_STRING = 4_000
"""Longer query strings go through FastAPI: reading one of 64 kB here would block the event loop for some 20 ms."""
ENTRY_BYTES = 1_000
"""What an answer takes besides its body, with its key and its headers."""
_NO_HEADERS: Mapping[str, str] = {}


@dataclass(frozen=True)
class Content:
    body: bytes
    headers: dict[str, str]
    searched: str = ""
    """The words of a search without filters; empty for any other answer."""
    total: int = 0


Cache = AsyncVersionedCache[Content]


def make_cache() -> Cache:
    return acting.catalogue_cache(max_size=CACHE_BYTES, size_of=lambda content: len(content.body) + ENTRY_BYTES)


def key_of(scope: Scope) -> Hashable:
    """For the cache: requests with the same key have the same answer."""
    return scope["path"], scope["query_string"]


def make_list(query: ProductQuery) -> Content:
    return _list_content(query, acting.read(None, products.list_products, query))


def make_list_on_loop(query: ProductQuery, version: int) -> Content | None:
    """The same on the event loop, if all products are in memory: a thread would take longer than finding them."""
    page = products.list_in_memory(db.get_engine(), version, query)
    return _list_content(query, page) if page else None


def _list_content(query: ProductQuery, page: ProductPage) -> Content:
    headers = {"X-Total-Count": str(page.total)}
    if page.corrected:
        headers["X-Search-Corrected"] = quote(page.corrected, safe=" ")
    searched = query.search if query.is_unfiltered_search() else ""
    return _tagged([product.wire() for product in page.items], headers, searched, page.total)


def make_facets(query: ProductQuery) -> Content:
    return _tagged(acting.read(None, catalogue.count_facets, query).wire())


def make_suggestions(query: SuggestionQuery) -> Content:
    return _tagged(acting.read(None, suggestions.suggest, query.q).wire())


def make_detail(product_id: int) -> Content:
    """Raises NotFound."""
    return _tagged(acting.read(None, products.get, product_id).wire())


class Maker(NamedTuple):
    """How an answer is made."""

    make: Callable[[], Content]
    """In a worker thread."""
    make_on_loop: Callable[[int], Content | None] = lambda _version: None
    """On the event loop, for this version of the catalogue; None if it needs a thread."""


BY_QUERY: dict[str, tuple[type[PageQuery], Callable[[Any], Maker]]] = {
    "/api/products": (
        ProductQuery,
        lambda query: Maker(partial(make_list, query), partial(make_list_on_loop, query)),
    ),
    "/api/products/facets": (ProductQuery, lambda query: Maker(partial(make_facets, query))),
    "/api/products/suggestions": (SuggestionQuery, lambda query: Maker(partial(make_suggestions, query))),
}


def maker_of(scope: Scope) -> Maker | None:
    """For a path of BY_QUERY with a valid query; None for any other request."""
    if scope["path"] not in BY_QUERY or len(scope["query_string"]) > MAX_QUERY_STRING:
        return None
    query_class, maker = BY_QUERY[scope["path"]]
    try:
        return maker(parse_query(query_class, scope["query_string"]))
    except ValidationError:
        return None


def parse_query(query_class: type[Q], query_string: bytes) -> Q:
    """As FastAPI reads it: if a parameter is repeated, a list gets all of its values, any other field the last one.

    FastAPI itself collects the fields one by one, which takes longer than finding the products.
    """
    values: dict[str, Any] = {}
    lists = _lists_of(query_class)
    for name, value in parse_qsl(query_string.decode("latin-1"), keep_blank_values=True):
        if name in lists:
            values.setdefault(name, []).append(value)
        else:
            values[name] = value
    return query_class.model_validate(values)


@lru_cache
def _lists_of(query_class: type[PageQuery]) -> frozenset[str]:
    fields = query_class.model_fields.values()
    return frozenset(str(field.alias) for field in fields if get_origin(field.annotation) is list)


async def answer(cache: Cache, scope: Scope, maker: Maker) -> Response:
    if len(scope["path"]) + len(scope["query_string"]) > MAX_CACHED_URL:
        return respond(scope, await run_in_threadpool(maker.make))
    return respond(scope, await cache.get(key_of(scope), *maker))


def respond(scope: Scope, content: Content) -> Response:
    """304 if the client has this answer already. Counts the search: one answered from a cache was a search as well."""
    if content.searched:
        search_log.record_unfiltered(content.searched, content.total, client_address(scope))
    if content.headers["ETag"] in Headers(scope=scope).get("if-none-match", ""):
        return Response(status_code=304, headers=content.headers)
    return Response(content.body, headers=content.headers, media_type="application/json")


def _tagged(content: object, headers: Mapping[str, str] = _NO_HEADERS, searched: str = "", total: int = 0) -> Content:
    body = orjson.dumps(content)
    tagged = body + "".join(headers.values()).encode()
    tag = f'"{hashlib.blake2b(tagged, digest_size=12).hexdigest()}"'
    return Content(body, {**headers, "ETag": tag, "Cache-Control": "public, no-cache"}, searched, total)
