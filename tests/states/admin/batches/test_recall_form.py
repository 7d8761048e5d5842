"""A batch is found, rehearsed, and recalled after a question (RULE recalls-page)."""

from typing import Any

import pytest
from sqlmodel import Session

from marketplace_app import db, messages, recall_messages
from marketplace_app.models import Batch, Product, User
from marketplace_app.schemas.batches.recalls import BatchOption, DrillView, RecallForm
from marketplace_app.services.batches import keeping, recalls
from marketplace_app.states.admin.batches.recall_form import DRILL_ID, AdminRecallFormState, _choice, _consequences
from tests.builders import make_batch, make_product
from tests.conftest import ON_SQLITE, Cast
from tests.services.batches.test_of_orders import place
from tests.states.admin.batches.test_recalls import recall_of
from tests.states.admin.conftest import Tab, focus_on


@pytest.fixture
def fern(session: Session) -> Product:
    product = make_product(session, "Fern Hollow", price_cents=100_00, stock=0)
    make_batch(session, product, "FH-2611", units=20)
    session.commit()
    return product


def find(tab: Tab, *, is_drill: bool) -> Any:
    """The form, once it offers the batch of the fixture."""
    state = tab.state(AdminRecallFormState)
    tab.send(state, "open_form", is_drill)
    tab.send(state, "find", {"text": "fern"})
    assert len(state.choices) == 1
    return state


def is_recalled(batch: str) -> bool:
    return db.read(lambda s: s.get_one(Batch, int(batch)).recalled_at is not None)


@pytest.mark.parametrize(("units", "text"), [(0, "0 units"), (1, "1 unit"), (1_312, "1,312 units")])
def test_a_batch_to_choose_says_how_many_units_it_has(units: int, text: str) -> None:
    option = BatchOption(batch_id=12, product="Fern Hollow", code="FH-2611", units=units)
    assert _choice(option).label == f"Fern Hollow, batch FH-2611: {text}"


@pytest.mark.parametrize(
    ("count", "text"),
    [
        (
            1,
            "1 order of 1 buyer. 1 order is not delivered yet and must not be handed over. 1 email will be sent.",
        ),
        (
            2,
            "2 orders of 2 buyers. 2 orders are not delivered yet and must not be handed over. 2 emails will be sent.",
        ),
    ],
)
def test_the_question_says_whom_the_recall_concerns(count: int, text: str) -> None:
    recall = recall_of(count).model_copy(update={"buyers": count})
    drilled = DrillView(recall=recall, milliseconds=140, letters=count, coverage=100)
    assert _consequences(drilled).startswith(f"This concerns {text}")


@ON_SQLITE
def test_a_drill_needs_no_reason_and_ends_with_what_it_found(tab: Tab, cast: Cast, fern: Product) -> None:
    place(cast.alice, (fern, 2))
    state = find(tab, is_drill=True)
    [choice] = state.choices
    assert tab.send(state, "choose", {"batch": choice.id}) == [focus_on(DRILL_ID)]
    assert (state.view, state.drill_title) == ("", "Drill: Fern Hollow, batch FH-2611")
    found = {"Not to be handed over": "1", "Emails": "1", "Units in orders": "2", "Units set aside": "18"}
    assert found.items() <= dict(state.drill).items()
    assert not is_recalled(choice.id)


@ON_SQLITE
def test_a_batch_is_recalled_only_after_the_question(tab: Tab, fern: Product) -> None:
    state = find(tab, is_drill=False)
    [choice] = state.choices
    tab.send(state, "choose", {"batch": choice.id, "reason": "Mould"})
    assert (state.view, state.batch, is_recalled(choice.id)) == ("ask", "Fern Hollow, batch FH-2611", False)
    [opened] = tab.send(state, "recall")
    assert (opened["path"], state.view, is_recalled(choice.id)) == (f"/admin/recalls/{choice.id}", "", True)


@ON_SQLITE
@pytest.mark.parametrize(("given", "field"), [({"reason": "Mould"}, "batchId"), ({"batch": "1"}, "reason")])
def test_a_recall_needs_a_batch_and_a_reason(given: dict[str, str], field: str, tab: Tab, fern: Product) -> None:
    state = find(tab, is_drill=False)
    tab.send(state, "choose", given)
    assert [name for name, sentence in state.errors.items() if sentence] == [field]
    assert (state.view, state.is_saving) == ("choose", False)


@ON_SQLITE
def test_a_text_that_finds_nothing_is_an_error_until_the_form_is_opened_again(tab: Tab, fern: Product) -> None:
    state = find(tab, is_drill=False)
    tab.send(state, "find", {"text": "quiet"})
    assert state.errors["text"] == recall_messages.NOTHING_FOUND
    tab.send(state, "open_form", False)
    assert (state.errors["text"], state.choices, state.view) == ("", [], "find")


@ON_SQLITE
def test_the_question_closes_if_a_colleague_has_recalled_the_batch(tab: Tab, cast: Cast, fern: Product) -> None:
    state = find(tab, is_drill=False)
    form = RecallForm(batchId=int(state.choices[0].id), reason="Mould")
    tab.send(state, "choose", {"batch": state.choices[0].id, "reason": "Mould"})
    db.write(lambda s: recalls.recall(s, s.get(User, cast.ada.id), form))
    assert tab.send(state, "recall") == []
    assert (state.view, state.is_saving) == ("", False)
    assert tab.toast == (messages.ERROR, keeping.BatchRecalled.message)
