"""'May we pack another batch?' on an order's page (RULE batch-question)."""

import asyncio
from typing import Any

import pytest
from reflex.state import State
from sqlalchemy import Engine

from marketplace_app import batch_messages, db
from marketplace_app.messages import Notice
from marketplace_app.models import OrderStatus, Product, QuestionOutcome, User
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.batches.batches import UnitsForm
from marketplace_app.schemas.buying.order_batches import BatchQuestionView
from marketplace_app.services.batches import keeping
from marketplace_app.services.buying import orders
from marketplace_app.states.buying.order_questions import OrderQuestionsState
from marketplace_app.states.buying.order_steps import TITLE_ID
from marketplace_app.states.events.signal import SignalState
from tests.conftest import ON_SQLITE, Cast
from tests.services.batches.test_of_orders import batch_id
from tests.services.order_batches.test_questions import as_owner, asked_of, asking, fern
from tests.states.buying.views import PLACED, order_view
from tests.states.conftest import SignInAs
from tests.states.tabs import focus, send

__all__ = ["fern"]

YES, NO, LAPSED = QuestionOutcome


def question(outcome: QuestionOutcome | None = None, **changes: Any) -> BatchQuestionView:
    values = {
        "id": 31,
        "product_id": 1,
        "product": "Fern Hollow",
        "units": 2,
        "from_batch_id": 12,
        "from_code": "FH-2611",
        "from_thc_percent": 22.4,
        "to_batch_id": 15,
        "to_code": "FH-2612",
        "to_thc_percent": None,
        "asked_at": PLACED,
        "ended_at": PLACED if outcome else None,
        "outcome": outcome,
    }
    return BatchQuestionView.model_validate(values | changes)


def shown(status: OrderStatus, *asked: BatchQuestionView) -> Any:
    async def show() -> Any:
        state = await State().get_state(OrderQuestionsState)
        state._show(order_view([OrderStatus.PENDING, status]), asked)
        return state

    return asyncio.run(show())


@pytest.mark.parametrize(
    ("units", "sentence"),
    [
        (1, "Your unit of Fern Hollow is from batch FH-2611 (THC 22.4%)."),
        (2, "Your 2 units of Fern Hollow are from batch FH-2611 (THC 22.4%)."),
    ],
)
def test_a_question_names_both_batches_and_a_thc_that_is_known(units: int, sentence: str) -> None:
    [row] = shown(OrderStatus.CONFIRMED, question(units=units)).open
    assert row.sentence == f"{sentence} We would like to pack from batch FH-2612 instead."


@pytest.mark.parametrize(
    ("outcome", "sentence"),
    [
        (YES, "Fern Hollow: you said that batch FH-2612 is fine."),
        (NO, "Fern Hollow: you keep batch FH-2611 (THC 22.4%)."),
        (LAPSED, "Fern Hollow: our question about batch FH-2612 has ended. You need not answer it."),
    ],
)
def test_what_became_of_a_question_is_said_until_the_order_has_ended(outcome: QuestionOutcome, sentence: str) -> None:
    page = shown(OrderStatus.OUT_FOR_DELIVERY, question(outcome))
    assert (page.open, [row.sentence for row in page.answered]) == ([], [sentence])
    assert shown(OrderStatus.DELIVERED, question(outcome)).answered == []


@ON_SQLITE
@pytest.mark.parametrize(
    ("answer", "units_left", "kind", "outcome"),
    [("yes", 5, "success", YES), ("no", 5, "success", NO), ("yes", 1, "error", LAPSED)],
)
def test_an_answer_ends_the_question_and_says_what_became_of_it(
    answer: str,
    units_left: int,
    kind: str,
    outcome: QuestionOutcome,
    engine: Engine,
    cast: Cast,
    fern: Product,
    sign_in_as: SignInAs,
) -> None:
    order_id, number = asking(engine, cast, fern)
    if units_left < 5:
        gone = parse(UnitsForm, {"change": units_left - 5, "note": "Broken"})
        as_owner(cast, keeping.correct, batch_id(engine, "C1"), gone)
    sign_in_as(cast.alice)

    async def reply() -> tuple[Any, list[Any], str, Notice]:
        root = State()
        state, signal = await root.get_state(OrderQuestionsState), await root.get_state(SignalState)
        order = db.read(lambda s: orders.get(s, s.get(User, cast.alice.id), order_id))
        state._show(order, asked_of(order_id))
        focused = await send(state, "answer", number, answer)
        return state, focused, signal.kind, Notice(signal.title, signal.text)

    page, focused, shown_as, said = asyncio.run(reply())
    assert (page.open, page.answering, focused) == ([], 0, [focus(TITLE_ID)])
    assert (shown_as, said) == (kind, batch_messages.ANSWERED[outcome])
