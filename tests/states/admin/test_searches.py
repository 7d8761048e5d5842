"""Synonyms are edited in their rows, and what was removed can be restored (RULE search-admin)."""

from datetime import date, timedelta
from typing import Any

import pytest
from sqlalchemy import delete
from sqlmodel import Session

from marketplace_app import clock, db, messages
from marketplace_app.config import get_settings
from marketplace_app.models import SearchMiss, Synonym, User
from marketplace_app.schemas.search.searches import SynonymForm, SynonymView
from marketplace_app.services.search import synonyms
from marketplace_app.states.admin.searches import NO_ROW, AdminSearchState
from marketplace_app.states.events.viewer import ViewerState
from tests.conftest import ON_SQLITE, Cast
from tests.states.admin.conftest import Tab


def today() -> date:
    return clock.today(get_settings().timezone)


@pytest.fixture(autouse=True)
def no_synonyms(session: Session) -> None:
    """Without those that a new store has."""
    session.execute(delete(Synonym))
    session.commit()


@pytest.fixture
def joint(cast: Cast) -> SynonymView:
    return db.write(
        lambda s: synonyms.add(s, s.get(User, cast.ada.id), SynonymForm(term="joint", replacement="Pre-Roll"))
    )


def change(owner: User, synonym: SynonymView, replacement: str) -> None:
    """As a colleague."""
    form = SynonymForm(term=synonym.term, replacement=replacement)
    db.write(lambda s: synonyms.change(s, s.get(User, owner.id), synonym.id, form))


def load(tab: Tab, *, has_reconnected: bool = False) -> Any:
    tab.state(ViewerState)._has_reconnected = has_reconnected
    state = tab.state(AdminSearchState)
    tab.send(state, "load")
    return state


def save(tab: Tab, state: Any, term: str, replacement: str) -> None:
    tab.send(state, "save", {"edit_term": term, "edit_replacement": replacement})


def pairs(state: Any) -> list[tuple[str, str]]:
    return [(row.term, row.replacement) for row in state.synonyms]


@ON_SQLITE
def test_only_a_reconnect_keeps_what_is_edited_and_what_can_be_restored(tab: Tab, joint: SynonymView) -> None:
    state = load(tab)
    tab.send(state, "prefill", "moon rocks")
    tab.send(state, "edit", joint.id)
    key = state.form_key
    load(tab, has_reconnected=True)
    assert (state.term, state.form_key, state.edited.id) == ("moon rocks", key, joint.id)
    load(tab)
    assert (state.term, state.form_key > key, state.edited) == ("", True, NO_ROW)
    tab.send(state, "remove", joint.id)
    load(tab, has_reconnected=True)
    assert state.removed.id == joint.id
    assert load(tab).removed == NO_ROW


@ON_SQLITE
@pytest.mark.parametrize(
    ("replacement", "notice"),
    [("flower", messages.SYNONYM_CHANGED), ("Pre-Roll", messages.NOTHING_CHANGED)],
    ids=["another word", "the same"],
)
def test_a_row_is_saved_and_its_button_gets_the_focus_back(
    replacement: str, notice: messages.Notice, tab: Tab, joint: SynonymView
) -> None:
    state = load(tab)
    tab.send(state, "edit", joint.id)
    save(tab, state, "joint", replacement)
    assert (pairs(state), tab.toast[0]) == ([("joint", replacement)], notice.title)
    assert (state.edited, state.last_edited) == (NO_ROW, joint.id)


@ON_SQLITE
def test_a_row_that_a_colleague_has_changed_is_shown_as_it_is_now_and_not_overwritten(
    tab: Tab, cast: Cast, joint: SynonymView
) -> None:
    state = load(tab)
    tab.send(state, "edit", joint.id)
    change(cast.ada, joint, "edible")
    save(tab, state, "joint", "vape")
    assert (pairs(state), tab.toast) == ([("joint", "edible")], (messages.ERROR, synonyms.SynonymChanged.message))
    assert state.edit_errors == {"term": "", "replacement": messages.changed_meanwhile("edible")}
    tab.send(state, "cancel_edit")
    assert (state.edited, state.last_edited) == (NO_ROW, joint.id)


@ON_SQLITE
def test_what_a_colleague_has_set_is_replaced_by_a_second_press(tab: Tab, cast: Cast, joint: SynonymView) -> None:
    state = load(tab)
    tab.send(state, "edit", joint.id)
    change(cast.ada, joint, "edible")
    for _ in range(2):
        save(tab, state, "joint", "vape")
    assert (pairs(state), state.edited) == ([("joint", "vape")], NO_ROW)


@ON_SQLITE
def test_what_is_refused_is_said_in_the_row_or_in_the_form_for_a_new_one(tab: Tab, joint: SynonymView) -> None:
    state = load(tab)
    tab.send(state, "add", {"term": "", "replacement": "flower"})
    assert (bool(state.errors["term"]), state.is_adding) == (True, False)
    tab.send(state, "edit", joint.id)
    save(tab, state, "joint", "JOINT")
    assert (bool(state.edit_errors["replacement"]), state.errors["replacement"]) == (True, "")
    assert (state.edited.id, state.is_saving) == (joint.id, False)


@ON_SQLITE
def test_a_removed_synonym_is_restored_once(tab: Tab, joint: SynonymView) -> None:
    state = load(tab)
    tab.send(state, "remove", joint.id)
    assert (pairs(state), state.removed.term) == ([], "joint")
    tab.send(state, "undo")
    assert pairs(state) == [("joint", "Pre-Roll")]
    assert (state.removed, state.last_edited, tab.toast[0]) == (
        NO_ROW,
        state.synonyms[0].id,
        messages.SYNONYM_ADDED.title,
    )
    tab.send(state, "undo")
    assert (len(state.synonyms), tab.toast[0]) == (1, messages.SYNONYM_ADDED.title)


@ON_SQLITE
@pytest.mark.parametrize("event", ["add", "edit"])
def test_what_was_removed_can_be_restored_until_the_next_change(event: str, tab: Tab, joint: SynonymView) -> None:
    state = load(tab)
    tab.send(state, "add", {"term": "pot", "replacement": "flower"})
    tab.send(state, "remove", joint.id)
    if event == "add":
        tab.send(state, "add", {"term": "weed", "replacement": "flower"})
    else:
        tab.send(state, "edit", state.synonyms[0].id)
    assert state.removed == NO_ROW


@ON_SQLITE
def test_a_search_that_found_nothing_fills_the_form_and_leaves_the_list_once_it_is_a_synonym(
    tab: Tab, session: Session
) -> None:
    session.add_all(SearchMiss(day=today() - timedelta(days=ago), words="moon rocks", count=700) for ago in (0, 1))
    session.commit()
    state = load(tab)
    [miss] = state.misses
    assert (miss.words, miss.times, miss.last) == ("moon rocks", "1,400", clock.show_day(today()))
    key = state.form_key
    tab.send(state, "prefill", miss.words)
    assert (state.term, state.form_key > key) == ("moon rocks", True)
    tab.send(state, "add", {"term": "moon rocks", "replacement": "Concentrates"})
    assert (state.misses, state.term, state.count_label) == ([], "", "1 synonym")
