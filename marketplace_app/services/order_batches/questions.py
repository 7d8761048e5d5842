"""'May we pack another batch?': staff ask a customer who wants to be asked, and the customer says yes or no
(RULE batch-question)."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Select, select
from sqlalchemy.orm import aliased
from sqlmodel import Session, col

from marketplace_app import clock
from marketplace_app.adapters import live
from marketplace_app.batch_messages import ALREADY_ASKED, QUESTION_ENDED, QUESTION_NOT_FOUND
from marketplace_app.errors import Conflict, NotFound
from marketplace_app.models import Batch, BatchQuestion, Order, Product, QuestionOutcome, User
from marketplace_app.schemas.buying.order_batches import AnswerForm, BatchQuestionView
from marketplace_app.services import stock
from marketplace_app.services.accounts import require_signed_in
from marketplace_app.services.batches import swaps
from marketplace_app.services.buying import own_orders
from marketplace_app.services.records import announcements, audit_log, outbox

_FROM, _TO = aliased(Batch), aliased(Batch)
_COLUMNS: list[Any] = [
    col(BatchQuestion.id),
    col(BatchQuestion.product_id),
    col(Product.name).label("product"),
    col(BatchQuestion.units),
    col(BatchQuestion.from_batch_id),
    col(_FROM.code).label("from_code"),
    col(_FROM.thc_percent).label("from_thc_percent"),
    col(BatchQuestion.to_batch_id),
    col(_TO.code).label("to_code"),
    col(_TO.thc_percent).label("to_thc_percent"),
    col(BatchQuestion.asked_at),
    col(BatchQuestion.ended_at),
    col(BatchQuestion.outcome),
]
_QUESTIONS = (
    select(*_COLUMNS)
    .select_from(BatchQuestion)
    .join(Product, col(Product.id) == col(BatchQuestion.product_id))
    .join(_FROM, col(_FROM.id) == col(BatchQuestion.from_batch_id))
    .join(_TO, col(_TO.id) == col(BatchQuestion.to_batch_id))
    .order_by(col(BatchQuestion.id))
)


class AlreadyAsked(Conflict):
    """A line has one open question at most."""

    code = "already_asked"
    message = ALREADY_ASKED


class QuestionEnded(Conflict):
    code = "question_ended"
    message = QUESTION_ENDED


def ask(session: Session, staff: User, swap: swaps.Swap) -> None:
    """Ask the customer whether this swap is fine. Raises AlreadyAsked.

    For callers that have checked that it can be carried out.
    """
    of_line = (col(BatchQuestion.order_id) == swap.order.id, col(BatchQuestion.product_id) == swap.product.id)
    open_questions = select(col(BatchQuestion.id)).where(*of_line, col(BatchQuestion.ended_at).is_(None))
    if session.execute(open_questions).first() is not None:
        raise AlreadyAsked()
    question = BatchQuestion(
        order_id=swap.order.id,
        product_id=swap.product.id,
        from_batch_id=swap.source.id,
        to_batch_id=swap.target.id,
        units=swap.share.units,
        asked_by_id=staff.id,
        asked_at=clock.now(),
    )
    session.add(question)
    session.flush()
    outbox.add(session, "batch_question", swap.order.customer_email, question_id=question.id)
    audit_log.append(session, staff, "order.batch_asked", f"order:{swap.order.id}", **swap.details)


def answer(
    session: Session, actor: User | None, order_id: str, question_id: int, form: AnswerForm
) -> BatchQuestionView:
    """'Yes, that batch is fine' swaps the units, 'No, keep mine' changes nothing.

    If the other batch can no longer serve the order, a 'yes' swaps nothing and the question ends as `lapsed`. Once it
    has ended, giving the same answer again changes nothing; the opposite answer, or any answer to a question that has
    lapsed, raises QuestionEnded. Also raises NotFound and OrderAlreadyOut.
    """
    user = require_signed_in(actor)
    order = own_orders.lock_changeable(session, user, order_id)
    question = session.get(BatchQuestion, question_id)
    if question is None or question.order_id != order.id:
        raise NotFound(QUESTION_NOT_FOUND)
    stock.lock_product(session, question.product_id)
    # It may have ended meanwhile: whoever sets aside the offered batch ends the question, under this lock.
    session.refresh(question)
    if question.outcome is None:
        _apply_answer(session, user, order, question, form.answer)
        for topic in (live.user(user.id), live.STAFF):
            announcements.publish(session, topic)
    elif question.outcome is not form.answer:
        raise QuestionEnded()
    return _view(session, question.id)


def _apply_answer(session: Session, user: User, order: Order, question: BatchQuestion, given: QuestionOutcome) -> None:
    swap = swaps.lock(session, order, question.product_id, question.from_batch_id, question.to_batch_id)
    is_yes = given is QuestionOutcome.YES
    outcome = QuestionOutcome.LAPSED if is_yes and not swap.can_be_carried_out else given
    question.outcome, question.ended_at = outcome, clock.now()
    details = {"outcome": outcome.value, **swap.details}
    session.add(question)
    session.flush()
    if outcome is QuestionOutcome.YES:
        swaps.carry_out(session, user, swap)
    audit_log.append(session, user, "order.batch_answered", f"order:{order.id}", **details)


def of_order(session: Session, order_id: str) -> tuple[BatchQuestionView, ...]:
    """The oldest first. For callers that have checked who is acting."""
    return _views(session, _QUESTIONS.where(col(BatchQuestion.order_id) == order_id))


def list_own(session: Session, actor: User | None, order_id: str) -> tuple[BatchQuestionView, ...]:
    """Raises NotFound, also for anybody else's order."""
    own_orders.find(session, require_signed_in(actor), order_id)
    return of_order(session, order_id)


def export(session: Session, user: User) -> list[dict[str, Any]]:
    """What the user was asked about their orders, and what they answered."""
    own: Select[Any] = _QUESTIONS.add_columns(col(Order.number))
    own = own.join(Order, col(Order.id) == col(BatchQuestion.order_id)).where(col(Order.user_id) == user.id)
    return [{"orderNumber": row.number} | BatchQuestionView.of(row).wire() for row in session.execute(own)]


def _view(session: Session, question_id: int) -> BatchQuestionView:
    (view,) = _views(session, _QUESTIONS.where(col(BatchQuestion.id) == question_id))
    return view


def _views(session: Session, statement: Select[Any]) -> tuple[BatchQuestionView, ...]:
    rows: Sequence[Any] = session.execute(statement).all()
    return tuple(map(BatchQuestionView.of, rows))
