"""Everybody's orders."""

from collections.abc import Iterator
from typing import Annotated

from fastapi import APIRouter, Query
from starlette.responses import Response, StreamingResponse

from marketplace_app import clock, spreadsheets
from marketplace_app.api.deps import CallerDep
from marketplace_app.api.responses import CSV_TYPE, PDF_ANSWER, Json, csv_answer, csv_headers, pdf, problem
from marketplace_app.api.row_ids import RowIdPath
from marketplace_app.config import get_settings
from marketplace_app.messages import ORDER_DELETED
from marketplace_app.schemas.admin.orders import (
    AdminOrderAnswer,
    DeletedAnswer,
    ManyStatusForm,
    OrderQuery,
    StatusOutcomeAnswer,
)
from marketplace_app.schemas.buying.order_batches import Picked, SwapForm
from marketplace_app.schemas.buying.order_forms import OrderEditForm
from marketplace_app.schemas.buying.orders import OrderView
from marketplace_app.services.admin import order_export, orders_bulk
from marketplace_app.services.admin import orders as admin_orders
from marketplace_app.services.buying import fulfilment
from marketplace_app.services.dispatch import labels, pdfs
from marketplace_app.services.order_batches import picking

router = APIRouter(prefix="/orders")

OrderQueryDep = Annotated[OrderQuery, Query()]


@router.get("", response_model=list[OrderView], responses=problem(401, 403, 422))
def list_orders(query: OrderQueryDep, caller: CallerDep) -> Response:
    """All matching orders, at most 1,000, or one page of them. The total count is in `X-Total-Count`.

    `q` is an order number, eight characters or more from either end of an id, four digits or more of the phone, or
    words of name, email, address and products.
    """
    total, listed = caller.read(admin_orders.list_with_details, query)
    return Json([order.wire() for order in listed], headers={"X-Total-Count": str(total)})


@router.get(
    "/export",
    response_class=StreamingResponse,
    responses=problem(401, 403, 422) | csv_answer("The orders as CSV"),
)
def export_orders(query: OrderQueryDep, caller: CallerDep) -> Response:
    """All matching orders, newest first, as CSV in UTF-8. `limit`, `offset`, `sort` and `order` are ignored."""
    caller.write(order_export.record_export, query)
    name = f"orders-{clock.now().astimezone(get_settings().timezone):%Y-%m-%d}.csv"
    return StreamingResponse(_csv(query, caller), media_type=CSV_TYPE, headers=csv_headers(name))


def _csv(query: OrderQuery, caller: CallerDep) -> Iterator[str]:
    """Each chunk in a short transaction of its own: a slow reader holds nothing open.

    Chunks come in descending order of order number; `next_below` is 0 after the last.
    """
    yield spreadsheets.lines([order_export.HEADERS])
    below_number: int | None = None
    while below_number != 0:
        chunk = caller.read(order_export.next_chunk, query, below=below_number)
        yield spreadsheets.lines(chunk.rows)
        below_number = chunk.next_below


@router.get("/{order_id}", response_model=AdminOrderAnswer, responses=problem(401, 403, 404))
def get_order(order_id: str, caller: CallerDep) -> Response:
    """One order, with its customer and its history."""
    return Json(caller.read(admin_orders.get, order_id).wire())


@router.post("/status", response_model=list[StatusOutcomeAnswer], responses=problem(401, 403, 404, 409, 422))
def set_status_of_many(
    form: ManyStatusForm, caller: CallerDep, dry_run: Annotated[bool, Query(alias="dryRun")] = False
) -> Response:
    """Sets up to 100 orders to the same status, all or none. With `dryRun=true`, only says what would happen to
    each."""
    change = orders_bulk.preview_status_of_many if dry_run else orders_bulk.set_status_of_many
    return Json([outcome.wire() for outcome in caller.write(change, form)])


@router.put("/{order_id}", response_model=OrderView, responses=problem(401, 403, 404, 409, 422))
def edit_order(order_id: str, form: OrderEditForm, caller: CallerDep) -> Response:
    """Changes an order. Cancelling returns its stock and credit once; reopening takes them again."""
    return Json(caller.write(fulfilment.edit, order_id, form).wire())


@router.post("/{order_id}/lines/{product_id}/batch", response_model=Picked, responses=problem(401, 403, 404, 409, 422))
def change_batch(order_id: str, product_id: RowIdPath, form: SwapForm, caller: CallerDep) -> Response:
    """Replaces all units that a line has of one batch by units of another.

    If `delivery.substitution` says so, the customer is asked first, and nothing is replaced yet.

    409 `batch_unavailable` if the other batch is not for sale or has too few units, `already_asked` while the customer
    has not answered, `order_out` once the order is out or has ended.
    """
    return Json(caller.write(picking.change, order_id, product_id, form).wire())


@router.delete("/{order_id}", response_model=DeletedAnswer, responses=problem(401, 403, 404))
def delete_order(order_id: str, caller: CallerDep) -> Response:
    """Removes an order from all lists and statistics. An open order is cancelled first."""
    caller.write(admin_orders.delete, order_id)
    return Json({"message": ORDER_DELETED.title})


@router.get("/{order_id}/label.pdf", response_class=Response, responses=problem(401, 403, 404, 409) | PDF_ANSWER)
def get_label(order_id: str, caller: CallerDep) -> Response:
    """The label of the order's bag, even before it is on a run. 409 if the order has ended or has units of a recalled
    batch."""
    label = caller.read(labels.of_order, order_id)
    return pdf(pdfs.render_labels([label]), f"order-{label.order_number}-label.pdf")
