"""A batch is held, released or corrected in one dialog, each with a reason (RULE batch-keeping)."""

from typing import Any

import pytest
from sqlmodel import Session

from marketplace_app import db, messages
from marketplace_app.models import Batch, User
from marketplace_app.schemas.batches.batches import HoldForm
from marketplace_app.services.batches import keeping
from marketplace_app.states.admin.batches.batch_steps import AdminBatchStepState
from marketplace_app.states.admin.batches.batches import AdminBatchesState
from marketplace_app.states.admin.products.product_stock import AdminStockState
from tests.builders import make_batch, make_product
from tests.conftest import ON_SQLITE, Cast
from tests.states.admin.conftest import Tab


@pytest.fixture
def batch(session: Session) -> Batch:
    product = make_product(session, stock=0)
    made = make_batch(session, product, "FH-2611", units=1_048)
    session.commit()
    return made


def hold(owner: User, batch: Batch) -> None:
    db.write(lambda s: keeping.hold(s, s.get(User, owner.id), batch.id, HoldForm(reason="Mould")))


def ask(tab: Tab, step: str, batch: Batch) -> Any:
    """On the page of the batch's product."""
    tab.state(AdminBatchesState).product_id = tab.state(AdminStockState).product_id = batch.product_id
    state = tab.state(AdminBatchStepState)
    tab.send(state, "ask", step, batch.id)
    assert state.step == step
    return state


@ON_SQLITE
@pytest.mark.parametrize(
    ("step", "form", "kept", "toast"),
    [
        ("hold", {"batch_reason": "A jar leaked"}, (0, 1_048, "A jar leaked"), "Batch held"),
        ("release", {"batch_reason": "All jars are tight"}, (1_048, 0, ""), "Batch released"),
        ("units", {"batch_change": "−48", "batch_reason": "Broken"}, (1_000, 0, ""), "Units of the batch adjusted"),
    ],
)
def test_each_question_does_what_it_asks(
    step: str, form: dict[str, str], kept: tuple[int, int, str], toast: str, tab: Tab, cast: Cast, batch: Batch
) -> None:
    if step == "release":
        hold(cast.ada, batch)
    state = ask(tab, step, batch)
    tab.send(state, "confirm", form)
    stored = db.read(lambda s: s.get_one(Batch, batch.id))
    assert (stored.units, stored.set_aside, stored.hold_reason) == kept
    assert (state.step, tab.toast[0]) == ("", toast)


@ON_SQLITE
@pytest.mark.parametrize(
    ("step", "form", "field"),
    [
        ("hold", {"batch_reason": ""}, "reason"),
        ("units", {"batch_change": "-1", "batch_reason": ""}, "note"),
        ("units", {"batch_change": "some", "batch_reason": "Broken"}, "change"),
    ],
)
def test_what_is_refused_is_said_beside_its_field_and_the_dialog_stays(
    step: str, form: dict[str, str], field: str, tab: Tab, batch: Batch
) -> None:
    state = ask(tab, step, batch)
    tab.send(state, "confirm", form)
    assert [name for name, sentence in state.errors.items() if sentence] == [field]
    assert (state.step, state.is_saving, tab.toast[0]) == (step, False, "")


@ON_SQLITE
def test_the_question_says_how_many_units_are_for_sale_and_set_aside(tab: Tab, cast: Cast, batch: Batch) -> None:
    assert ask(tab, "units", batch).units_text == "It has 1,048 for sale and 0 set aside."
    hold(cast.ada, batch)
    assert ask(tab, "units", batch).units_text == "It has 0 for sale and 1,048 set aside."


@ON_SQLITE
def test_a_batch_that_a_colleague_has_released_is_shown_as_it_is_now(tab: Tab, cast: Cast, batch: Batch) -> None:
    hold(cast.ada, batch)
    state = ask(tab, "release", batch)
    db.write(lambda s: keeping.release(s, s.get(User, cast.ada.id), batch.id, HoldForm(reason="Tight")))
    tab.send(state, "confirm", {"batch_reason": "Tight"})
    assert (state.step, tab.toast) == ("", (messages.ERROR, keeping.NotHeld.message))
    assert [row.is_held for row in tab.state(AdminBatchesState).rows] == [False]
