"""Quotes and orders."""

from typing import Annotated

from fastapi import APIRouter, Depends, Header
from pydantic import Field
from sqlmodel import Session
from starlette.responses import Response

from marketplace_app.api.deps import CallerDep, PageQueryDep, limit_orders
from marketplace_app.api.responses import Json, problem
from marketplace_app.api.row_ids import RowIdPath
from marketplace_app.errors import QuoteChanged
from marketplace_app.limits import MAX_UNPAGED_ORDERS
from marketplace_app.models import User
from marketplace_app.schemas.batches.recalls import RecallNotice
from marketplace_app.schemas.buying.order_batches import AnswerForm, BatchQuestionView, WishForm
from marketplace_app.schemas.buying.order_forms import OrderForm, QuoteForm
from marketplace_app.schemas.buying.orders import OrderConflictAnswer, OrderView
from marketplace_app.schemas.buying.quotes import Quote
from marketplace_app.schemas.delivery.slots import ReadyForm, SlotForm
from marketplace_app.services.buying import orders, own_orders, quotes
from marketplace_app.services.dispatch import another_time, ready
from marketplace_app.services.order_batches import questions, recall_notices, wishes

router = APIRouter(prefix="/orders", tags=["Orders"])

MAX_IDEMPOTENCY_KEY = 200
KeyHeader = Annotated[str | None, Header(alias="Idempotency-Key"), Field(min_length=1, max_length=MAX_IDEMPOTENCY_KEY)]


def is_valid_idempotency_key(text: str | None) -> bool:
    """Whether a request may have this idempotency key; None, a request without one, is valid."""
    return text is None or 1 <= len(text) <= MAX_IDEMPOTENCY_KEY


@router.get("", response_model=list[OrderView], responses=problem(401, 422))
def list_orders(caller: CallerDep, query: PageQueryDep) -> Response:
    """The caller's orders, newest first: at most 1,000, or one page of them. The total count is in `X-Total-Count`."""

    def page(session: Session, actor: User | None) -> tuple[int, tuple[OrderView, ...]]:
        limit = query.limit or MAX_UNPAGED_ORDERS
        listed = orders.list_own(session, actor, limit=limit, offset=query.offset)
        return orders.count_own(session, actor), listed

    total, listed = caller.read(page)
    return Json([order.wire() for order in listed], headers={"X-Total-Count": str(total)})


@router.get("/{order_id}", response_model=OrderView, responses=problem(401, 404))
def get_order(order_id: str, caller: CallerDep) -> Response:
    """One of the caller's own orders. Other people's orders are 404."""
    return Json(caller.read(orders.get, order_id).wire())


@router.post(
    "",
    response_model=OrderView,
    status_code=201,
    responses=problem(401, 403, QuoteChanged, 422, on_409=OrderConflictAnswer),
    dependencies=[Depends(limit_orders)],
)
async def place(form: OrderForm, caller: CallerDep, idempotency_key: KeyHeader = None) -> Response:
    """Places the order as a whole or not at all. The server sets the prices; amounts in the draft are only compared
    with its quote."""
    return Json(await caller.write_async(orders.place, form, key=idempotency_key), 201)


@router.post(
    "/quote",
    response_model=Quote,
    responses=problem(401, 403, 422),
    dependencies=[Depends(limit_orders)],
)
async def quote(form: QuoteForm, caller: CallerDep) -> Response:
    """What these items would cost the caller now, and everything that prevents ordering them."""
    return Json((await caller.read_async(quotes.make, form)).wire())


@router.post("/{order_id}/cancel", response_model=OrderView, responses=problem(401, 404, 409))
def cancel(order_id: str, caller: CallerDep) -> Response:
    """Cancel one of the caller's own orders: stock, credit and one-time discounts are given back.

    It must be pending, or confirmed with the caller asked whether they are ready; otherwise 409 `order_not_pending`.
    Cancelling it again returns it unchanged.
    """
    return Json(caller.write(own_orders.cancel, order_id).wire())


@router.post("/{order_id}/ready", response_model=OrderView, responses=problem(401, 404, 409, 422))
def ready_for_delivery(order_id: str, form: ReadyForm, caller: CallerDep) -> Response:
    """Say that the caller is ready for the delivery of one of their own orders. Saying it again changes nothing.

    409 `not_asked` before the question was asked, `order_out` once the order is on its way or has ended.
    """
    return Json(caller.write(ready.confirm, order_id).wire())


@router.post("/{order_id}/recall-read", response_model=list[RecallNotice], responses=problem(401, 404))
def recall_read(order_id: str, caller: CallerDep) -> Response:
    """Say that the caller has read which products of one of their own orders were recalled.

    Returns these; an empty array if none was. Saying it again changes nothing.
    """
    return Json([notice.wire() for notice in caller.write(recall_notices.confirm, order_id)])


@router.put(
    "/{order_id}/slot",
    response_model=OrderView,
    responses=problem(401, 404, 409, 422, on_409=OrderConflictAnswer),
)
def choose_slot(order_id: str, form: SlotForm, caller: CallerDep) -> Response:
    """Choose another delivery time for one of the caller's own orders, until it is out.

    The time by which it is promised moves with it. `GET /api/delivery/windows` lists the times of its ZIP code.
    409 if the chosen time cannot be had, and the order then keeps its time: `window_full` with up to three free times
    that come next, `outside_hours` or `ordered_too_late` if the state's rules forbid it. 409 `no_slot` for an order
    that was placed without one, `order_out` once the order is out or has ended.
    """
    return Json(caller.write(another_time.choose, order_id, form).wire())


@router.put("/{order_id}/substitution", response_model=OrderView, responses=problem(401, 404, 409, 422))
def change_wish(order_id: str, form: WishForm, caller: CallerDep) -> Response:
    """Say what should be done if one of the caller's own orders is packed from another batch, until it is out.

    409 `not_in_batches` for an order without units of batches, or without `delivery`.
    """
    return Json(caller.write(wishes.change, order_id, form).wire())


@router.get("/{order_id}/batch-questions", response_model=list[BatchQuestionView], responses=problem(401, 404))
def list_batch_questions(order_id: str, caller: CallerDep) -> Response:
    """What the caller was asked about packing one of their own orders from other batches, the oldest question first."""
    return Json([question.wire() for question in caller.read(questions.list_own, order_id)])


@router.post(
    "/{order_id}/batch-questions/{question_id}",
    response_model=BatchQuestionView,
    responses=problem(401, 404, 409, 422),
)
def answer_batch_question(order_id: str, question_id: RowIdPath, form: AnswerForm, caller: CallerDep) -> Response:
    """Say whether another batch is fine. Saying the same again changes nothing.

    If that batch cannot serve the order any more, `outcome` is `lapsed` and the order stays as it was. 409
    `question_ended` for another answer than the first, and for any answer once the question has lapsed; `order_out`
    once the order is out or has ended.
    """
    return Json(caller.write(questions.answer, order_id, question_id, form).wire())
