"""Questions for another batch end once they cannot be answered, and stay ended (RULE batch-question)."""

import pytest
from sqlalchemy import Engine
from sqlmodel import Session

from marketplace_app import db
from marketplace_app.adapters import live
from marketplace_app.models import Batch, OrderStatus, Product
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.batches.batches import BatchForm, UnitsForm
from marketplace_app.schemas.batches.recalls import RecallForm
from marketplace_app.services.batches import keeping, question_ends, recalls
from marketplace_app.services.buying.own_orders import OrderAlreadyOut
from marketplace_app.services.order_batches import questions
from tests.conftest import Cast
from tests.services.batches.test_of_orders import HOLD_FORM, batch_id, broken, day, set_status, units_by_batch
from tests.services.batches.test_swaps import order_of
from tests.services.order_batches.test_questions import LAPSED, answer, as_owner, asked_of, asking, fern, pick
from tests.services.order_batches.test_wishes import change

__all__ = ["fern"]  # fixtures, which tests take by name


def test_a_swap_that_needs_no_answer_ends_the_question(engine: Engine, cast: Cast, fern: Product) -> None:
    order, number = asking(engine, cast, fern)
    change(cast.alice, order, "close")
    assert not pick(engine, cast, fern, order, "B1")
    assert [each.outcome for each in asked_of(order)] == [LAPSED]
    with pytest.raises(questions.QuestionEnded):
        answer(cast.alice, order, number, "yes")
    assert units_by_batch(engine, order) == {"B1": 2}
    assert broken(engine) == []


@pytest.mark.parametrize("status", [OrderStatus.OUT_FOR_DELIVERY, OrderStatus.DELIVERED, OrderStatus.CANCELLED])
def test_a_question_ends_when_the_order_leaves_or_is_cancelled_and_stays_ended(
    engine: Engine, cast: Cast, fern: Product, status: OrderStatus
) -> None:
    order, number = asking(engine, cast, fern)
    set_status(cast, order, OrderStatus.CONFIRMED)
    assert [each.outcome for each in asked_of(order)] == [None]
    set_status(cast, order, status)
    assert [each.outcome for each in asked_of(order)] == [LAPSED]
    with pytest.raises(OrderAlreadyOut):
        answer(cast.alice, order, number, "yes")
    set_status(cast, order, OrderStatus.CONFIRMED)
    with pytest.raises(questions.QuestionEnded):
        answer(cast.alice, order, number, "yes")
    assert broken(engine) == []


def test_a_question_ends_when_its_batch_is_held_or_recalled_and_stays_ended(
    engine: Engine, cast: Cast, fern: Product, monkeypatch: pytest.MonkeyPatch
) -> None:
    order, number = asking(engine, cast, fern)
    other = order_of(cast.bob, fern, 1, "ask")
    assert pick(engine, cast, fern, other, "B1")
    sent: list[str] = []
    monkeypatch.setattr(question_ends.announcements, "publish", lambda _, topic: sent.append(topic))
    offered = batch_id(engine, "C1")
    recall = parse(RecallForm, {"batchId": offered, "reason": "Mould"})
    as_owner(cast, recalls.drill, recall)
    assert [each.outcome for each in asked_of(order)] == [None], "a drill changes nothing"
    sent.clear()
    as_owner(cast, keeping.hold, offered, HOLD_FORM)
    assert live.user(cast.alice.id) in sent
    assert live.user(cast.bob.id) not in sent
    assert ([each.outcome for each in asked_of(order)], asked_of(other)[0].outcome) == ([LAPSED], None)
    as_owner(cast, keeping.release, offered, HOLD_FORM)
    with pytest.raises(questions.QuestionEnded):
        answer(cast.alice, order, number, "yes")
    assert pick(engine, cast, fern, order)
    as_owner(cast, recalls.recall, recall)
    assert [each.outcome for each in asked_of(order)] == [LAPSED, LAPSED]
    assert broken(engine) == []


def test_a_question_ends_when_its_batch_is_not_approved_any_more_or_has_expired(
    engine: Engine, cast: Cast, fern: Product
) -> None:
    for values in ({"isApproved": False}, {"expiresOn": day(-1).isoformat()}):
        order, _ = asking(engine, cast, fern)
        as_owner(cast, keeping.change, batch_id(engine, "C1"), parse(BatchForm, {"code": "C1", **values}))
        assert [each.outcome for each in asked_of(order)] == [LAPSED]
        as_owner(cast, keeping.change, batch_id(engine, "C1"), parse(BatchForm, {"code": "C1", "thcPercent": 25.0}))
    assert broken(engine) == []


def test_a_question_ends_when_its_batch_expires_also_if_it_is_sold_out(
    engine: Engine, session: Session, cast: Cast, fern: Product
) -> None:
    order, _ = asking(engine, cast, fern)
    offered = batch_id(engine, "C1")
    as_owner(cast, keeping.correct, offered, parse(UnitsForm, {"change": -5, "note": "Sold at the desk"}))
    session.get_one(Batch, offered).expires_on = day(-1)
    session.commit()
    assert db.write(keeping.set_expired_aside) == 0, "there is nothing to set aside"
    assert [each.outcome for each in asked_of(order)] == [LAPSED]
