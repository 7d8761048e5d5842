"""'May we pack another batch?' on the page of an order, and what was answered (RULE batch-question)."""

from typing import Any

import reflex as rx

from marketplace_app.batch_messages import NO, QUESTION, YES
from marketplace_app.components.controls.buttons import button, pending_button
from marketplace_app.components.controls.icons import icon
from marketplace_app.components.controls.notices import note
from marketplace_app.models import QuestionOutcome
from marketplace_app.states.buying.order_questions import AnsweredRow, OrderQuestionsState, QuestionRow


def batch_question(
    question: rx.Var[QuestionRow], is_saving: rx.Var[bool], on_yes: Any, on_no: Any, name: Any = QUESTION
) -> rx.Component:
    """The question with its two answers."""
    words = rx.el.div(
        rx.el.h2(QUESTION, class_name="text-h3"),
        rx.el.p(question.sentence, class_name="mt-1.5 text-ui text-ink-2 wrap-anywhere"),
        class_name="min-w-0 flex-1",
    )
    answers = rx.el.div(
        pending_button(YES, "Saving...", is_saving, on_click=on_yes),
        button(NO, variant="outline", disabled=is_saving, on_click=on_no),
        class_name="mt-4 grid gap-2.5 sm:flex sm:flex-wrap",
    )
    return rx.el.section(
        rx.el.div(icon("order", class_name="mt-0.5 text-brand-text"), words, class_name="flex gap-3"),
        answers,
        aria_label=name,
        class_name="rounded-3 border border-brand-text bg-surface p-4 sm:p-5",
    )


def batch_questions() -> rx.Component:
    """What is asked at the moment, and what was answered before."""
    state = OrderQuestionsState
    asked = rx.el.div(rx.foreach(state.open, _question), class_name="mb-5.5 grid gap-4")
    answered = rx.el.ul(
        rx.foreach(state.answered, _answered), aria_label="Answers about batches", class_name="grid gap-1"
    )
    answers = rx.el.div(note(answered, symbol="check", variant="info"), class_name="mb-5.5")
    return rx.fragment(rx.cond(state.open.length() > 0, asked), rx.cond(state.answered.length() > 0, answers))


def _question(question: rx.Var[QuestionRow]) -> rx.Component:
    state = OrderQuestionsState
    yes = state.answer(question.id, QuestionOutcome.YES.value)
    no = state.answer(question.id, QuestionOutcome.NO.value)
    return rx.el.div(batch_question(question, state.answering == question.id, yes, no), key=question.id)


def _answered(row: rx.Var[AnsweredRow]) -> rx.Component:
    return rx.el.li(row.sentence, key=row.id, class_name="wrap-anywhere")
