"""Questions about another batch end by themselves once they can no longer be answered (RULE batch-question).

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
    """End the open questions about an order that is out or has ended.

    For callers that hold the order's lock and announce the change.
    """
    _end(session, _QUESTIONS.c.order_id == order_id)


def end_for_line(session: Session, order_id: str, product_id: int) -> None:
    """End the open questions about one product of an order, after the batches of that line have changed.

    For callers that hold the order's lock and announce the change.
    """
    _end(session, _QUESTIONS.c.order_id == order_id, _QUESTIONS.c.product_id == product_id)


def end_for_offered_batch(session: Session, batch_id: int) -> None:
    """End the open questions that offer this batch, which may no longer be sold.

    For callers that have locked its product.
    """
    order_ids = _end(session, _QUESTIONS.c.to_batch_id == batch_id)
    if order_ids:
        customers = select(_ORDERS.c.user_id).where(_ORDERS.c.id.in_(order_ids))
        for user_id in session.execute(customers).scalars():
            announcements.publish(session, live.user(user_id))


def _end(session: Session, *conditions: Any) -> list[str]:
    """End the open questions that meet these conditions; returns the ids of their orders."""
    statement = update(_QUESTIONS).where(_QUESTIONS.c.ended_at.is_(None), *conditions)
    statement = statement.values(ended_at=clock.now(), outcome=QuestionOutcome.LAPSED)
    return [*session.execute(statement.returning(_QUESTIONS.c.order_id)).scalars()]
