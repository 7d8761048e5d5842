"""Questions for another batch end by themselves once they can no longer be answered (RULE batch-question).

The end is stored in the transaction that rules the answer out, so that no question opens again when its order returns
or its batch is released.
"""

from typing import Any

from sqlalchemy import select, update
from sqlmodel import Session

from marketplace_app import clock
from marketplace_app.adapters import live
from marketplace_app.models import BatchQuestion, Order, QuestionOutcome
from marketplace_app.models.base import table_of
from marketplace_app.services.records import announcements

_QUESTIONS, _ORDERS = table_of(BatchQuestion), table_of(Order)
OFFERED = select(_QUESTIONS.c.to_batch_id).where(_QUESTIONS.c.ended_at.is_(None))
"""The batches that open questions offer."""


def end_for_order(session: Session, order_id: str) -> None:
    """End those of an order that is out or cancelled. For callers that hold its lock and announce the change."""
    _end(session, _QUESTIONS.c.order_id == order_id)


def end_for_line(session: Session, order_id: str, product_id: int) -> None:
    """End those about a product of an order whose batches have changed.

    For callers that hold the order's lock and announce the change.
    """
    _end(session, _QUESTIONS.c.order_id == order_id, _QUESTIONS.c.product_id == product_id)


def end_for_offered_batch(session: Session, batch_id: int) -> None:
    """End those that offer a batch which may not be sold any more. For callers that have locked its product."""
    asked = _end(session, _QUESTIONS.c.to_batch_id == batch_id)
    if asked:
        customers = select(_ORDERS.c.user_id).where(_ORDERS.c.id.in_(asked))
        for user_id in session.execute(customers).scalars():
            announcements.publish(session, live.user(user_id))


def _end(session: Session, *conditions: Any) -> list[str]:
    """Returns the ids of the orders that were asked about."""
    ended = update(_QUESTIONS).where(_QUESTIONS.c.ended_at.is_(None), *conditions)
    ended = ended.values(ended_at=clock.now(), outcome=QuestionOutcome.LAPSED)
    return [*session.execute(ended.returning(_QUESTIONS.c.order_id)).scalars()]
