"""Products: the list, editing, stock, pictures and lab reports. CSV is in `product_csv`."""

from typing import Annotated

from fastapi import APIRouter, Depends, Header, Query
from starlette.responses import Response

from marketplace_app.adapters import documents, pictures, storage
from marketplace_app.api.admin.upload_body import ContentDep, accepts
from marketplace_app.api.deps import CallerDep
from marketplace_app.api.responses import Json, problem
from marketplace_app.api.row_ids import RowIdPath
from marketplace_app.errors import StoreError, Unavailable
from marketplace_app.schemas.admin.products import (
    AdminProductAnswer,
    AdminProductQuery,
    AdminProductView,
    SeenVersion,
)
from marketplace_app.schemas.products.lab_reports import LabReportForm
from marketplace_app.schemas.products.product_fields import ProductForm
from marketplace_app.schemas.products.stock import MovementQuery, MovementView, StockForm
from marketplace_app.services import stock
from marketplace_app.services.admin import lab_reports
from marketplace_app.services.admin import products as admin_products

router = APIRouter(prefix="/products")


def _require_editable(product_id: RowIdPath, caller: CallerDep) -> None:
    """Before a file is read, refuses callers who may not edit the product."""
    caller.read(admin_products.require_editable, product_id)


REQUIRE_EDITABLE = [Depends(_require_editable)]


@router.get("", response_model=list[AdminProductAnswer], responses=problem(401, 403, 422))
def list_products(query: Annotated[AdminProductQuery, Query()], caller: CallerDep) -> Response:
    """All matching products, archived ones too unless `active` is set, at most 100 per request. The total count is in
    `X-Total-Count`."""
    page = caller.read(admin_products.list_products, query)
    return Json([product.wire() for product in page.products], headers={"X-Total-Count": str(page.total)})


@router.post("", response_model=AdminProductAnswer, status_code=201, responses=problem(401, 403, 422))
def create_product(form: ProductForm, caller: CallerDep) -> Response:
    """Creates a product with its opening stock. A missing `sku` is generated; a duplicate `sku` is 422."""
    return _answer(caller.write(admin_products.create, form), 201)


@router.get("/{product_id}", response_model=AdminProductAnswer, responses=problem(401, 403, 404))
def get_product(product_id: RowIdPath, caller: CallerDep) -> Response:
    """Send the `ETag` back as `If-Match` when saving, so that nobody else's changes are overwritten."""
    return _answer(caller.read(admin_products.get, product_id))


@router.put("/{product_id}", response_model=AdminProductAnswer, responses=problem(401, 403, 404, 409, 422))
def edit_product(
    product_id: RowIdPath, form: ProductForm, caller: CallerDep, if_match: Annotated[str | None, Header()] = None
) -> Response:
    """Replaces the product: fields left out get their default, except `sku` and `ingredients`. A new
    `stock` is recorded as a movement; it is 409 for a product that is kept in batches.

    With `If-Match`, also 409 if someone else has saved the product since that `ETag`.
    """
    return _answer(caller.write(admin_products.edit, product_id, form, seen=_seen_version(if_match)))


@router.delete("/{product_id}", status_code=204, responses=problem(401, 403, 404))
def archive_product(product_id: RowIdPath, caller: CallerDep) -> Response:
    """Removes the product from the store. Orders keep it, and it returns when made active again."""
    caller.write(admin_products.archive, product_id)
    return Response(status_code=204)


@router.post("/{product_id}/stock", response_model=AdminProductAnswer, responses=problem(401, 403, 404, 409, 422))
def adjust_stock(product_id: RowIdPath, form: StockForm, caller: CallerDep) -> Response:
    """Adds to the stock or, with a negative number, takes from it. Below zero is 409."""
    caller.write(stock.adjust, product_id, form)
    return _answer(caller.read(admin_products.get, product_id))


@router.get("/{product_id}/movements", response_model=list[MovementView], responses=problem(401, 403, 404, 422))
def list_movements(product_id: RowIdPath, query: Annotated[MovementQuery, Query()], caller: CallerDep) -> Response:
    """Every change of the stock, newest first. The total count is in `X-Total-Count`."""
    total, movements = caller.read(stock.list_movements, product_id, query)
    return Json([movement.wire() for movement in movements], headers={"X-Total-Count": str(total)})


@router.put(
    "/{product_id}/image",
    response_model=AdminProductAnswer,
    responses=problem(401, 403, 404, 413, 415, 422),
    dependencies=REQUIRE_EDITABLE,
    openapi_extra=accepts("image/jpeg", "image/png", "image/webp", "image/avif"),
)
def set_image(product_id: RowIdPath, content: ContentDep, caller: CallerDep) -> Response:
    """A picture of at most 5 MB and 40 megapixels. It is cropped to 4:5, or padded if too much would be lost, and
    re-encoded in three widths."""
    return _answer(caller.write(admin_products.set_image, product_id, pictures.save(content)))


@router.put("/{product_id}/lab-report", response_model=AdminProductAnswer, responses=problem(401, 403, 404, 422))
def save_lab_report(product_id: RowIdPath, form: LabReportForm, caller: CallerDep) -> Response:
    """The four panels, lot and date. An existing PDF is kept."""
    return _answer(caller.write(lab_reports.save, product_id, form))


@router.delete("/{product_id}/lab-report", status_code=204, responses=problem(401, 403, 404))
def remove_lab_report(product_id: RowIdPath, caller: CallerDep) -> Response:
    storage.delete_by_url(caller.write(lab_reports.remove, product_id))
    return Response(status_code=204)


@router.put(
    "/{product_id}/lab-report/pdf",
    response_model=AdminProductAnswer,
    responses=problem(401, 403, 404, 409, 413, 415, 422),
    dependencies=REQUIRE_EDITABLE,
    openapi_extra=accepts("application/pdf"),
)
def set_lab_report_pdf(product_id: RowIdPath, content: ContentDep, caller: CallerDep) -> Response:
    """The laboratory's own document, at most 5 MB. 409 if there is no report yet."""
    url = documents.save(content)
    try:
        previous = caller.write(lab_reports.set_pdf, product_id, url)
    except StoreError as error:
        if not isinstance(error, Unavailable):  # the commit may have succeeded although its answer was lost
            storage.delete_by_url(url)
        raise
    storage.delete_by_url(previous)
    return _answer(caller.read(admin_products.get, product_id))


@router.delete("/{product_id}/lab-report/pdf", status_code=204, responses=problem(401, 403, 404, 409))
def remove_lab_report_pdf(product_id: RowIdPath, caller: CallerDep) -> Response:
    storage.delete_by_url(caller.write(lab_reports.set_pdf, product_id, ""))
    return Response(status_code=204)


def _seen_version(if_match: str | None) -> SeenVersion | None:
    """None if any version may be overwritten: without the header, or with `*`."""
    if not if_match or if_match == "*":
        return None
    return SeenVersion(if_match.removeprefix("W/").strip('"'))


def _answer(product: AdminProductView, status: int = 200) -> Response:
    return Json(product.wire(), status, headers={"ETag": f'"{product.version}"'})
