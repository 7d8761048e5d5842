"""Questions for another batch end by themselves once they can no longer be answered (RULE batch-question).

In the transaction that ends them, so that none comes back with an order that returns or a batch that is released.
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
    """It is out, or cancelled. For callers that hold its lock and announce the change."""
    _end(session, _QUESTIONS.c.order_id == order_id)


def end_for_line(session: Session, order_id: str, product_id: int) -> None:
    """Its batches have changed. For callers that hold the order's lock and announce the change."""
    _end(session, _QUESTIONS.c.order_id == order_id, _QUESTIONS.c.product_id == product_id)


def end_for_offered_batch(session: Session, batch_id: int) -> None:
    """The batch that was offered may not be sold any more. For callers that have locked its product."""
    asked = _end(session, _QUESTIONS.c.to_batch_id == batch_id)
    if asked:
        customers = select(_ORDERS.c.user_id).where(_ORDERS.c.id.in_(asked))
        for user_id in session.execute(customers).scalars():
            announcements.publish(session, live.person(user_id))


def _end(session: Session, *conditions: Any) -> list[str]:
    """The orders that were asked about."""
    ended = update(_QUESTIONS).where(_QUESTIONS.c.ended_at.is_(None), *conditions)
    ended = ended.values(ended_at=clock.now(), outcome=QuestionOutcome.LAPSED)
    return [*session.execute(ended.returning(_QUESTIONS.c.order_id)).scalars()]
