"""The public catalogue (RULE public-catalogue): list, facets, product."""

import hashlib
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any
from urllib.parse import quote

import orjson
from fastapi import APIRouter, Query, Request
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import Scope

from marketplace_app.adapters.versioned_cache import AsyncVersionedCache
from marketplace_app.api.deps import problem
from marketplace_app.api.failures import Json
from marketplace_app.api.numbers import RowId
from marketplace_app.api.query_route import QueryRoute
from marketplace_app.auth import acting
from marketplace_app.auth.addresses import client_address
from marketplace_app.schemas.facets import FacetsAnswer
from marketplace_app.schemas.products import ProductAnswer, ProductDetailAnswer, ProductQuery
from marketplace_app.schemas.suggestions import SuggestionQuery, SuggestionsAnswer
from marketplace_app.services import browsing, pairings, products, search_log, suggestions

router = APIRouter(prefix="/products", tags=["Products"])
queries = APIRouter(prefix="/products", tags=["Products"], route_class=QueryRoute)

CACHE_BYTES = 16 * 1024 * 1024
LONGEST_CACHED_QUERY = 500
"""Bytes. Longer ones are made up: with one for each answer, the questions would take more memory than the answers."""
ENTRY_BYTES = 1_000
"""What an answer takes besides its body, with its question and its headers."""
_NO_HEADERS: Mapping[str, str] = {}
LIST_HEADERS: dict[int | str, dict[str, Any]] = {
    200: {
        "headers": {
            "X-Total-Count": {"description": "How many match in all.", "schema": {"type": "integer"}},
            "X-Search-Corrected": {
                "description": "The words that were searched in place of a misspelt `search`; left out when none were."
                " In lower case and without accents; other than Latin letters are percent-encoded UTF-8.",
                "schema": {"type": "string", "examples": ["wedding cake"]},
            },
        }
    }
}
QueryDep = Annotated[ProductQuery, Query()]


@dataclass(frozen=True)
class Content:
    body: bytes
    headers: dict[str, str]
    searched: str = ""
    """The words, of a search without filters."""
    total: int = 0


def make_response_cache() -> AsyncVersionedCache[Content]:
    """These answers are the same for everybody, so the caller is not looked up."""
    return acting.catalogue_cache(max_size=CACHE_BYTES, size_of=lambda content: len(content.body) + ENTRY_BYTES)


def question_of(scope: Scope) -> Hashable:
    """Requests with the same question have the same answer."""
    return scope["path"], scope["query_string"]


@queries.get("", response_model=list[ProductAnswer], responses=LIST_HEADERS | problem(422))
async def list_products(request: Request, query: QueryDep) -> Response:
    """All matches, at most 1,000, or one page of them. The total count is in `X-Total-Count`.

    A search word that begins no word of the catalogue is treated as a typo: the words that were searched instead are in
    `X-Search-Corrected`. `exact=true` turns this off.
    """

    def make() -> Content:
        page = acting.read(None, products.list_products, query)
        headers = {"X-Total-Count": str(page.total)}
        if page.corrected:
            headers["X-Search-Corrected"] = quote(page.corrected, safe=" ")
        searched = query.search if query.is_search_alone() else ""
        return _tagged([product.wire() for product in page.items], headers, searched, page.total)

    return await _cached(request, make)


@queries.get("/facets", response_model=FacetsAnswer, responses=problem(422))
async def list_facets(request: Request, query: QueryDep) -> Response:
    """The number of products for each value of each filter group."""
    return await _cached(request, lambda: _tagged(acting.read(None, browsing.count_facets, query).wire()))


@queries.get("/suggestions", response_model=SuggestionsAnswer, responses=problem(422))
async def suggest(request: Request, query: Annotated[SuggestionQuery, Query()]) -> Response:
    """Suggestions for a search box: at most 6 products, 3 categories and 3 brands.

    `corrected` holds the words that were searched instead of misspelled ones, or null.
    """
    return await _cached(request, lambda: _tagged(acting.read(None, suggestions.suggest, query.q).wire()))


@router.get("/{product_id}", response_model=ProductDetailAnswer, responses=problem(404))
async def get_product(request: Request, product_id: RowId) -> Response:
    return await _cached(request, lambda: _tagged(acting.read(None, products.get, product_id).wire()))


@router.get("/{product_id}/pairings", response_model=list[ProductAnswer], responses=problem(404))
def list_pairings(product_id: RowId) -> Response:
    """At most four products in stock that different people ordered together with this one, best first.

    Empty until at least three people have.
    """
    acting.read(None, products.get, product_id)
    return Json([product.wire() for product in acting.read(None, pairings.list_pairings, product_id)])


async def _cached(request: Request, make: Callable[[], Content]) -> Response:
    if len(request.scope["query_string"]) > LONGEST_CACHED_QUERY:
        return respond(request.scope, await run_in_threadpool(make))
    cache: AsyncVersionedCache[Content] = request.app.state.response_cache
    return respond(request.scope, await cache.get(question_of(request.scope), make))


def _tagged(content: object, headers: Mapping[str, str] = _NO_HEADERS, searched: str = "", total: int = 0) -> Content:
    body = orjson.dumps(content)
    tagged = body + "".join(headers.values()).encode()
    tag = f'"{hashlib.blake2b(tagged, digest_size=12).hexdigest()}"'
    return Content(body, {**headers, "ETag": tag, "Cache-Control": "public, no-cache"}, searched, total)


def respond(scope: Scope, content: Content) -> Response:
    """304 when the client has this very answer."""
    if content.searched:
        search_log.note_words(content.searched, content.total, client_address(scope))
    if content.headers["ETag"] in Headers(scope=scope).get("if-none-match", ""):
        return Response(status_code=304, headers=content.headers)
    return Response(content.body, headers=content.headers, media_type="application/json")
