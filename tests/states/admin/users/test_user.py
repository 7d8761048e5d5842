"""The page of a user for staff (RULE user-page)."""

import asyncio
from datetime import UTC, datetime
from typing import Any

import pytest

from marketplace_app import db, messages
from marketplace_app.models import FailureReason, Role, User
from marketplace_app.schemas.admin.user import FailedDeliveries, RelatedUser, UserDetailAnswer
from marketplace_app.services.admin.user_actions import Yourself
from marketplace_app.states.admin.users import user as user_page
from marketplace_app.states.admin.users.user import AdminUserState, _facts, _role_lock_reason
from marketplace_app.states.events.viewer import ViewerState
from tests.conftest import ON_SQLITE, Cast
from tests.services.admin.test_user_actions import delete
from tests.states.admin.conftest import Tab

NOON = datetime(2026, 11, 20, 20, tzinfo=UTC)
"""Noon at the store."""


def user(**changes: Any) -> UserDetailAnswer:
    facts: dict[str, Any] = {
        "id": 7,
        "email": "nora@example.org",
        "first_name": "Nora",
        "last_name": "",
        "created_at": NOON,
        "referred_by": None,
        "referral_bonus_used": False,
        "first_purchase_discount_used": False,
        "referral_credit_cents": 0,
        "role": Role.CUSTOMER,
        "is_banned": False,
        "ban_reason": "",
        "total_orders": 0,
        "total_spent_cents": 0,
        "verified_email": "nora@example.org",
        "is_age_verified": True,
    } | dict.fromkeys(("orders", "tickets", "referrals", "statement", "sessions"), ())
    return UserDetailAnswer(**facts | changes)


def load(tab: Tab, monkeypatch: pytest.MonkeyPatch, number: str, viewer: str = "") -> Any:
    """The page at this number, for a viewer with this id."""
    monkeypatch.setattr(user_page, "route_argument", lambda *_: number)
    tab.state(ViewerState)._user_id = viewer
    state = tab.state(AdminUserState)
    tab.send(state, "load")
    return state


def role_of(person: User) -> Role:
    return db.read(lambda s: s.get_one(User, person.id).role)


def test_a_fact_that_is_not_so_is_said_too() -> None:
    shown = dict(_facts(user(is_age_verified=False, first_purchase_discount_used=True)))
    assert (shown["Age"], shown["First purchase discount"], shown["Referral bonus"]) == (
        "Not verified",
        "Used",
        "Not used",
    )
    assert (shown["Referred by"], shown["Member since"]) == ("Nobody", "Nov 20, 2026")
    referred = user(referrer=RelatedUser(id=3, name="Mary", created_at=NOON))
    assert dict(_facts(referred))["Referred by"] == "Mary"


def test_failed_deliveries_are_shown_only_if_there_are_any_and_by_their_reasons() -> None:
    assert "Failed deliveries" not in dict(_facts(user()))
    failed = (
        FailedDeliveries(reason=FailureReason.NOT_HOME, count=1_200),
        FailedDeliveries(reason=FailureReason.NO_ID, count=1),
    )
    assert dict(_facts(user(failed_deliveries=failed)))["Failed deliveries"] == "1,200 not home, 1 no ID"


@pytest.mark.parametrize(
    ("is_me", "is_by_settings", "begins"),
    [(False, False, ""), (True, False, "You cannot change your own role."), (False, True, "An owner because ADMIN_")],
)
def test_the_page_says_why_a_role_cannot_be_changed(is_me: bool, is_by_settings: bool, begins: str) -> None:
    reason = _role_lock_reason(user(is_owner_by_settings=is_by_settings), is_me)
    assert (reason.startswith(begins), bool(reason)) == (True, bool(begins))


@ON_SQLITE
def test_somebody_without_a_name_is_called_by_their_email(
    tab: Tab, cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = load(tab, monkeypatch, str(cast.alice.id))
    assert (state.name, state.subtitle.split(" · ")[0]) == ("Alice", "alice@example.org")
    state._show(user(first_name=""))
    assert state.name == "nora@example.org"


@ON_SQLITE
def test_staff_see_that_a_page_is_about_themselves(tab: Tab, cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    me = str(cast.ada.id)
    assert load(tab, monkeypatch, me, viewer=me).is_me
    assert not load(tab, monkeypatch, str(cast.alice.id), viewer=me).is_me


@ON_SQLITE
@pytest.mark.parametrize("number", ["999999", "0", "nora", "-1", "9" * 30])
def test_what_is_no_user_is_missing(number: str, tab: Tab, cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    state = load(tab, monkeypatch, number)
    assert (state.view, tab.toast[0]) == ("missing", "")


@ON_SQLITE
def test_a_user_whom_a_colleague_deletes_is_no_longer_shown(
    tab: Tab, cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = load(tab, monkeypatch, str(cast.alice.id))
    assert state.view == "found"
    delete(cast.ada, cast.alice)
    asyncio.run(state._refresh())
    assert state.view == "missing"


@ON_SQLITE
def test_a_granted_role_is_shown_and_after_a_refusal_the_role_is_sent_again(
    tab: Tab, cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The select on the screen shows the refused one."""
    state = load(tab, monkeypatch, str(cast.alice.id))
    tab.send(state, "grant", "support")
    assert (state.role, role_of(cast.alice), tab.toast[0]) == ("support", Role.SUPPORT, messages.ROLE_CHANGED.title)
    state = load(tab, monkeypatch, str(cast.ada.id))
    state.dirty_vars.clear()
    tab.send(state, "grant", "viewer")
    assert ("role" in state.dirty_vars, state.role, tab.toast) == (True, "owner", (messages.ERROR, Yourself.message))
