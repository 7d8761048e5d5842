"""Editing, banning and deleting a user (RULE user-edit, RULE ban-user, RULE delete-user)."""

from typing import Any

import pytest
from sqlmodel import Session

from marketplace_app import db, messages
from marketplace_app.models import User
from marketplace_app.services import credits
from marketplace_app.states.admin.users.user_form import USERS_PATH, AdminUserFormState
from tests.builders import give_credit, make_user
from tests.conftest import ON_SQLITE, Cast
from tests.services.admin.test_user_actions import edit as edit_as_colleague
from tests.states.admin.conftest import Tab
from tests.states.tabs import show_url


def open_dialog(tab: Tab, person: User, dialog: str = "edit") -> Any:
    state = tab.state(AdminUserFormState)
    tab.send(state, dialog, person.id)
    return state


def stored(person: User) -> User:
    return db.read(lambda s: s.get_one(User, person.id))


def credit_of(person: User) -> int:
    return db.read(lambda s: credits.balance(s, person.id))


@ON_SQLITE
def test_credit_that_is_earned_while_a_name_is_edited_is_kept(tab: Tab, session: Session, cast: Cast) -> None:
    state = open_dialog(tab, cast.alice)
    give_credit(session, cast.alice, 100_00)
    session.commit()
    tab.send(state, "save", {**state.values, "firstName": "Alicia"})
    assert (stored(cast.alice).first_name, credit_of(cast.alice)) == ("Alicia", 100_00)
    assert (state.open_dialog, tab.toast[0]) == ("", messages.USER_UPDATED.title)


@ON_SQLITE
def test_an_emptied_credit_is_none(tab: Tab, session: Session, cast: Cast) -> None:
    give_credit(session, cast.alice, 100_00)
    session.commit()
    state = open_dialog(tab, cast.alice)
    assert state.values["referralCredit"] == "100.00"
    tab.send(state, "save", {**state.values, "referralCredit": ""})
    assert credit_of(cast.alice) == 0


@ON_SQLITE
def test_what_a_colleague_has_set_is_named_and_replaced_by_a_second_press(tab: Tab, cast: Cast) -> None:
    state = open_dialog(tab, cast.alice)
    typed = {**state.values, "referralCredit": "50.00", "lastName": "Moss"}
    edit_as_colleague(cast.ada, cast.alice, referralCredit="1200.00", firstName="Alicia")
    tab.send(state, "save", typed)
    assert {name: said for name, said in state.errors.items() if said} == {
        "referralCredit": messages.changed_meanwhile("$1,200.00")
    }
    assert (state.open_dialog, credit_of(cast.alice)) == ("edit", 1_200_00)
    tab.send(state, "save", typed)
    kept = stored(cast.alice)
    assert (kept.first_name, kept.last_name, credit_of(cast.alice)) == ("Alicia", "Moss", 50_00)


@ON_SQLITE
def test_what_is_refused_is_said_beside_its_field_and_the_dialog_stays(tab: Tab, cast: Cast) -> None:
    state = open_dialog(tab, cast.alice)
    tab.send(state, "save", {**state.values, "email": cast.bob.email, "firstName": "Alicia"})
    assert [name for name, said in state.errors.items() if said] == ["email"]
    assert (state.open_dialog, state.is_saving, stored(cast.alice).first_name) == ("edit", False, "Alice")


@ON_SQLITE
def test_a_title_has_the_email_once(tab: Tab, session: Session, cast: Cast) -> None:
    nameless = make_user(session, "nameless")
    nameless.first_name = ""
    session.commit()
    assert open_dialog(tab, cast.alice).title == "Alice · alice@example.org"
    assert open_dialog(tab, nameless).title == "nameless@example.org"


@ON_SQLITE
@pytest.mark.parametrize(
    ("at", "opened"),
    [("/admin/users/{}", [USERS_PATH]), ("/admin?tab=users", [])],
    ids=["on their page", "in the list"],
)
def test_deleting_a_user_leaves_their_page(at: str, opened: list[str], tab: Tab, cast: Cast) -> None:
    show_url(tab.root, at.format(cast.alice.id))
    state = open_dialog(tab, cast.alice, "ask_to_delete")
    assert [answer["path"] for answer in tab.send(state, "delete")] == opened
    assert (stored(cast.alice).deleted_at is not None, state.open_dialog) == (True, "")


@ON_SQLITE
def test_nobody_is_deleted_by_the_dialog_of_another_question(tab: Tab, cast: Cast) -> None:
    tab.send(open_dialog(tab, cast.alice), "delete")
    assert stored(cast.alice).deleted_at is None


@ON_SQLITE
def test_a_ban_keeps_its_dialog_open_while_its_reason_is_too_long(tab: Tab, cast: Cast) -> None:
    state = open_dialog(tab, cast.alice, "ask_to_ban")
    tab.send(state, "ban", {"reason": "x" * 501})
    assert (state.open_dialog, bool(state.errors["reason"]), stored(cast.alice).is_banned) == ("ban", True, False)
    tab.send(state, "ban", {"reason": ""})
    assert (state.open_dialog, stored(cast.alice).ban_reason) == ("", messages.NO_BAN_REASON)
