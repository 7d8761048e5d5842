"""The question 'May we pack another batch?' on an order's page, and its answer (RULE batch-question)."""

from collections.abc import Sequence
from dataclasses import dataclass

import reflex as rx

from marketplace_app import batch_messages, messages
from marketplace_app.models import QuestionOutcome
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.buying.order_batches import AnswerForm, BatchQuestionView, QuestionRef
from marketplace_app.schemas.buying.orders import OrderView
from marketplace_app.services.order_batches import questions
from marketplace_app.states.buying.order_steps import TITLE_ID
from marketplace_app.states.events.base import SIGNED_IN, Updates, action, toast, write
from marketplace_app.states.events.failures import Explain


@dataclass(frozen=True)
class QuestionRow:
    id: int
    sentence: str
    """`Your 2 units of Fern Hollow are from batch FH-2611 (THC 22.4%). We would like to pack ... instead.`"""


@dataclass(frozen=True)
class AnsweredRow:
    id: int
    sentence: str
    """`Fern Hollow: you said that batch FH-2612 (THC 25.1%) is fine.`"""


class OrderQuestionsState(rx.State):
    open: list[QuestionRow] = []
    answered: list[AnsweredRow] = []
    """Questions that were answered or have lapsed; empty once the order itself has ended."""
    answering: int = 0
    """The question whose answer is being saved, or 0."""
    _order_id: str = ""

    @action(who=SIGNED_IN, must_sign_in=True, on_failure=Explain(messages.ERROR, batch_messages.NOT_ANSWERED))
    async def answer(self, question: int, answer: str) -> Updates:
        question_id = parse(QuestionRef, {"id": question}).id
        form = parse(AnswerForm, {"answer": answer})
        self.answering = question_id
        yield None
        try:
            answered = await write(self, questions.answer, self._order_id, question_id, form)
        finally:
            self.answering = 0
        self.open = [each for each in self.open if each.id != question_id]
        outcome = answered.outcome or form.answer
        is_done = outcome is not QuestionOutcome.LAPSED
        await toast(self, "success" if is_done else "error", batch_messages.ANSWERED[outcome])
        yield rx.set_focus(TITLE_ID)

    def _show(self, order: OrderView, asked: Sequence[BatchQuestionView]) -> None:
        self._order_id = order.id
        self.open = [QuestionRow(each.id, _question_text(each)) for each in asked if each.outcome is None]
        ended = [each for each in asked if each.outcome is not None and not order.status.is_ended]
        self.answered = [AnsweredRow(each.id, _answer_text(each)) for each in ended]


def _question_text(asked: BatchQuestionView) -> str:
    units, verb = ("unit", "is") if asked.units == 1 else (f"{asked.units} units", "are")
    return (
        f"Your {units} of {asked.product} {verb} from {_current_batch(asked)}. "
        f"We would like to pack from {_proposed_batch(asked)} instead."
    )


def _answer_text(asked: BatchQuestionView) -> str:
    match asked.outcome:
        case QuestionOutcome.YES:
            said = f"you said that {_proposed_batch(asked)} is fine"
        case QuestionOutcome.NO:
            said = f"you keep {_current_batch(asked)}"
        case _:
            said = f"our question about {_proposed_batch(asked)} has ended. You need not answer it"
    return f"{asked.product}: {said}."


def _current_batch(asked: BatchQuestionView) -> str:
    return batch_messages.name_with_thc(asked.from_code, asked.from_thc_percent)


def _proposed_batch(asked: BatchQuestionView) -> str:
    return batch_messages.name_with_thc(asked.to_code, asked.to_thc_percent)
