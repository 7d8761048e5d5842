"""The public catalogue (decision 13): list, facets, product."""

import hashlib
from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from marketplace_app.api.deps import CallerDep, problem
from marketplace_app.api.failures import Json
from marketplace_app.api.numbers import RowId
from marketplace_app.schemas.products import FacetsAnswer, ProductAnswer, ProductDetailAnswer, ProductQuery
from marketplace_app.services import products

router = APIRouter(prefix="/products", tags=["Products"])

QueryDep = Annotated[ProductQuery, Query()]


@router.get("", response_model=list[ProductAnswer], responses=problem(422))
def list_products(request: Request, query: QueryDep, caller: CallerDep) -> Response:
    """All that match, at most 1,000, or a page of them; the full count is in `X-Total-Count`."""
    page = caller.read(products.list_products, query)
    response = Json([product.wire() for product in page.items])
    response.headers["X-Total-Count"] = str(page.total)
    return _revalidated(request, response)


@router.get("/facets", response_model=FacetsAnswer, responses=problem(422))
def list_facets(request: Request, query: QueryDep, caller: CallerDep) -> Response:
    """How many products each value of each filter group would show."""
    return _revalidated(request, Json(caller.read(products.count_facets, query).wire()))


@router.get("/{product_id}", response_model=ProductDetailAnswer, responses=problem(404))
def get_product(request: Request, product_id: RowId, caller: CallerDep) -> Response:
    return _revalidated(request, Json(caller.read(products.get, product_id).wire()))


def _revalidated(request: Request, response: Response) -> Response:
    """ETag, and 304 when the client has this very answer."""
    count = response.headers.get("X-Total-Count", "")
    tag = f'"{hashlib.blake2b(bytes(response.body) + count.encode(), digest_size=12).hexdigest()}"'
    headers = {"ETag": tag, "Cache-Control": "public, no-cache"}
    if tag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers | ({"X-Total-Count": count} if count else {}))
    response.headers.update(headers)
    return response
