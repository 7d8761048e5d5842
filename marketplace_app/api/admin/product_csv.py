"""Export and import of all products as one CSV file, whose columns docs/products-csv.md describes."""

import logging
from collections.abc import Callable, Iterator
from contextvars import copy_context
from queue import SimpleQueue
from threading import Thread
from typing import Annotated, Any

import orjson
from fastapi import APIRouter, Header, Query
from starlette.responses import Response, StreamingResponse

from marketplace_app.api.admin.upload_body import ContentDep, accepts
from marketplace_app.api.deps import CallerDep, refuse_without
from marketplace_app.api.responses import CSV_TYPE, Json, csv_answer, problem
from marketplace_app.errors import StoreError
from marketplace_app.models import Permission
from marketplace_app.schemas.admin.product_csv import ProductImportRefusedAnswer, ProductImportReport
from marketplace_app.services.admin import product_csv

router = APIRouter(prefix="/products")
NDJSON = "application/x-ndjson"
DOWNLOAD_HEADERS = {"Content-Disposition": 'attachment; filename="products.csv"'}
logger = logging.getLogger(__name__)


@router.get(
    "/export",
    response_class=Response,
    responses=problem(401, 403) | csv_answer("All products, archived ones too"),
    dependencies=[refuse_without(Permission.SEE_PRODUCTS)],
)
def export_products(caller: CallerDep) -> Response:
    """A CSV file, streamed. Cells that a spreadsheet would run as formulas are escaped; the import removes the
    escape."""
    chunks = product_csv.export(lambda after: caller.read(product_csv.export_page, after))
    return StreamingResponse(chunks, media_type=CSV_TYPE, headers=DOWNLOAD_HEADERS)


@router.post(
    "/import",
    response_model=ProductImportReport,
    responses=problem(401, 403, 409, 413, 422, on_422=ProductImportRefusedAnswer),
    dependencies=[refuse_without(Permission.EDIT_PRODUCTS)],
    openapi_extra=accepts("text/csv"),
)
def import_products(
    content: ContentDep,
    caller: CallerDep,
    dry_run: Annotated[bool, Query(alias="dryRun")] = False,
    accept: Annotated[str, Header()] = "",
) -> Response:
    """Imports all lines or none. With `dryRun=true` nothing is written, and the answer says what would change.

    Without `dryRun`, a file with mistakes is 422, and the report names `line` and `column` of each; with it, the answer
    is 200, and the report lists them likewise. A product that was created elsewhere meanwhile is 409.
    With `Accept: application/x-ndjson` the answer is a stream of JSON lines: progress, `{"done": 500, "of": 10000}`,
    then the report.
    """

    def run(on_progress: product_csv.OnProgress) -> dict[str, Any]:
        transaction = caller.read if dry_run else caller.write
        return transaction(product_csv.import_file, content, dry_run=dry_run, on_progress=on_progress).wire()

    if accept == NDJSON:
        return StreamingResponse(_streamed(run), media_type=NDJSON)
    return Json(run(lambda _done, _of: None))


def _streamed(run: Callable[[product_csv.OnProgress], dict[str, Any]]) -> Iterator[bytes]:
    """Progress as it comes, then the report. A failure carries its status, because the response has begun with 200."""
    messages: SimpleQueue[dict[str, Any] | None] = SimpleQueue()

    def work() -> None:
        try:
            messages.put(run(lambda done, of: messages.put({"done": done, "of": of})))
        except StoreError as error:
            messages.put(error.body() | {"status": error.status})
        except Exception as error:
            logger.error("unexpected failure in an import", exc_info=error)
            messages.put(StoreError().body() | {"status": StoreError.status})
        messages.put(None)

    # In a copy of the context, which has the id of the request for the logs.
    Thread(target=copy_context().run, args=(work,), name="import").start()
    while (message := messages.get()) is not None:
        yield orjson.dumps(message) + b"\n"
