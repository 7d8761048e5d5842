"""The public catalogue (RULE public-catalogue): list, facets, suggestions, product, pairings.

`web/catalogue_answers.py` answers most of these requests before they come here.
"""

from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from marketplace_app.api import catalogue_answers
from marketplace_app.api.catalogue_answers import Maker
from marketplace_app.api.responses import Json, problem
from marketplace_app.api.row_ids import RowIdPath
from marketplace_app.auth import acting
from marketplace_app.schemas.products.facets import FacetsAnswer
from marketplace_app.schemas.products.products import ProductAnswer, ProductDetailAnswer, ProductQuery
from marketplace_app.schemas.search.suggestions import SuggestionQuery, SuggestionsAnswer
from marketplace_app.services.products import pairings, products

router = APIRouter(prefix="/products", tags=["Products"])

LIST_HEADERS: dict[int | str, dict[str, Any]] = {
    200: {
        "headers": {
            "X-Total-Count": {"description": "How many match in all.", "schema": {"type": "integer"}},
            "X-Search-Corrected": {
                "description": "The words that were searched in place of a misspelled `search`; left out when none"
                " were. In lower case and without accents; letters outside the Latin alphabet are percent-encoded"
                " UTF-8.",
                "schema": {"type": "string", "examples": ["wedding cake"]},
            },
        }
    }
}
ProductQueryDep = Annotated[ProductQuery, Query()]


@router.get("", response_model=list[ProductAnswer], responses=LIST_HEADERS | problem(422))
async def list_products(request: Request, query: ProductQueryDep) -> Response:
    """All matches, at most 1,000, or one page of them. The total count is in `X-Total-Count`.

    A search word that is not the beginning of any word in the catalogue is treated as a typo: the words that were
    searched instead are in `X-Search-Corrected`. `exact=true` turns this off.
    """
    return await _answer(request, Maker(partial(catalogue_answers.make_list, query)))


@router.get("/facets", response_model=FacetsAnswer, responses=problem(422))
async def list_facets(request: Request, query: ProductQueryDep) -> Response:
    """The number of products for each value of each filter group."""
    return await _answer(request, Maker(partial(catalogue_answers.make_facets, query)))


@router.get("/suggestions", response_model=SuggestionsAnswer, responses=problem(422))
async def suggest(request: Request, query: Annotated[SuggestionQuery, Query()]) -> Response:
    """Suggestions for a search box: at most 6 products, 3 categories and 3 brands.

    `corrected` holds the words that were searched instead of misspelled ones, or null.
    """
    return await _answer(request, Maker(partial(catalogue_answers.make_suggestions, query)))


@router.get("/{product_id}", response_model=ProductDetailAnswer, responses=problem(404))
async def get_product(request: Request, product_id: RowIdPath) -> Response:
    return await _answer(request, Maker(partial(catalogue_answers.make_detail, product_id)))


@router.get("/{product_id}/pairings", response_model=list[ProductAnswer], responses=problem(404))
def list_pairings(product_id: RowIdPath) -> Response:
    """At most four products in stock that different people ordered together with this one, best first.

    Empty until at least three people have.
    """
    acting.read(None, products.get, product_id)  # raises NotFound
    return Json([product.wire() for product in acting.read(None, pairings.list_pairings, product_id)])


async def _answer(request: Request, maker: Maker) -> Response:
    return await catalogue_answers.answer(request.app.state.catalogue_cache, request.scope, maker)
