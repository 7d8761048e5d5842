"""The list of invitations, and the form that sends one (RULE invitations-send, RULE invitations-list)."""

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from marketplace_app import messages
from marketplace_app.models import InvitationStatus
from marketplace_app.schemas.account.invitations import DisplayStatus, InvitationRow
from marketplace_app.states.admin.invitations.invitations import AdminInvitationsState, _row
from tests.conftest import ON_SQLITE, Cast
from tests.services.account.test_invitations import invite
from tests.states.admin.conftest import Tab
from tests.states.tabs import show_url

NOON = datetime(2026, 11, 20, 20, tzinfo=UTC)
"""Noon at the store."""
EXPIRY = "Nov 27, 2026, 12:00 PM"


def invitation(state: DisplayStatus = DisplayStatus.PENDING, **changes: Any) -> InvitationRow:
    facts: dict[str, Any] = {
        "id": 1,
        "email": "mary@example.org",
        "first_name": "Mary",
        "last_name": "",
        "notes": "",
        "status": InvitationStatus.PENDING,
        "display_state": state,
        "created_at": NOON,
        "expires_at": NOON + timedelta(days=7),
        "accepted_at": None,
        "accepted_email": "",
    }
    return InvitationRow(**facts | changes)


def send(tab: Tab, **form: str) -> Any:
    state = tab.state(AdminInvitationsState)
    tab.send(state, "send", form)
    return state


@pytest.mark.parametrize(
    ("shown", "until", "is_pending"),
    [
        (invitation(), f" · expires {EXPIRY}", True),
        (invitation(DisplayStatus.EXPIRED), f" · expired {EXPIRY}", True),
        (invitation(DisplayStatus.REVOKED), "", False),
        (invitation(DisplayStatus.ACCEPTED, accepted_at=NOON), " · accepted Nov 20, 2026", False),
        (
            invitation(DisplayStatus.ACCEPTED, accepted_at=NOON, accepted_email="m@example.org"),
            " · accepted Nov 20, 2026 by m@example.org",
            False,
        ),
    ],
    ids=["pending", "expired", "revoked", "accepted", "accepted by another address"],
)
def test_an_invitation_says_what_became_of_it_and_is_resent_or_revoked_until_it_is_over(
    shown: InvitationRow, until: str, is_pending: bool
) -> None:
    row = _row(shown)
    assert (row.subtitle, row.is_pending) == (f"Sent Nov 20, 2026{until}", is_pending)


def test_an_invitation_without_an_address_was_to_an_account_that_is_deleted() -> None:
    assert _row(invitation(email="")).email == "a deleted account"
    assert _row(invitation()).name == "Mary"


@ON_SQLITE
@pytest.mark.parametrize(
    ("mail_server", "notice"), [("", messages.INVITATION_CREATED), ("mail.example.org", messages.INVITATION_SENT)]
)
def test_a_mail_is_claimed_only_where_there_is_a_mail_server(
    mail_server: str, notice: messages.Notice, tab: Tab, configure: Callable[..., None]
) -> None:
    configure(SMTP_HOST=mail_server)
    state = send(tab, email="mary@example.org")
    assert tab.toast == (notice.title, notice.text)
    assert (state.link_for, "/invite/" in state.link) == ("mary@example.org", True)


@ON_SQLITE
def test_the_link_of_a_resent_invitation_takes_the_place_of_the_one_before(tab: Tab) -> None:
    show_url(tab.root, "/admin/invitations")
    first = send(tab, email="mary@example.org").link
    state = tab.state(AdminInvitationsState)
    asyncio.run(state._load())
    tab.send(state, "resend", state.invitations[0].id)
    assert first != state.link != ""


@ON_SQLITE
@pytest.mark.parametrize(
    ("revoked", "link_for"), [("mary@example.org", "robin@example.org"), ("robin@example.org", "")]
)
def test_only_the_link_of_a_revoked_invitation_is_no_longer_shown(revoked: str, link_for: str, tab: Tab) -> None:
    show_url(tab.root, "/admin/invitations")
    for email in ("mary@example.org", "robin@example.org"):
        state = send(tab, email=email)
    asyncio.run(state._load())
    tab.send(state, "revoke", next(row.id for row in state.invitations if row.email == revoked))
    assert (state.link_for, bool(state.link)) == (link_for, bool(link_for))


@ON_SQLITE
def test_a_refused_address_is_said_beside_its_field_and_no_link_is_shown(tab: Tab) -> None:
    state = send(tab, email="", firstName="Mary")
    assert [name for name, sentence in state.errors.items() if sentence] == ["email"]
    assert (state.is_sending, state.link, tab.toast) == (False, "", (messages.ERROR, messages.EMAIL_REQUIRED))


@ON_SQLITE
@pytest.mark.parametrize(
    ("url", "opened"),
    [
        ("/admin/invitations", "/admin/invitations?q=mary"),
        ("/admin?tab=invitations", "/admin?tab=invitations&q=mary"),
        ("/admin?tab=orders", None),
    ],
)
def test_a_search_stays_on_the_page_or_the_tab_where_it_was_typed(url: str, opened: str | None, tab: Tab) -> None:
    show_url(tab.root, url)
    answers = tab.send(tab.state(AdminInvitationsState), "search", "mary")
    assert [answer["path"] for answer in answers] == ([opened] if opened else [])


@ON_SQLITE
def test_the_list_is_what_the_url_asks_for(tab: Tab, cast: Cast) -> None:
    for name in ("mary", "robin"):
        invite(cast.ada, f"{name}@example.org")
    show_url(tab.root, "/admin/invitations?q=mary")
    state = tab.state(AdminInvitationsState)
    asyncio.run(state._load())
    assert ([row.email for row in state.invitations], state.count_label) == (["mary@example.org"], "1 invitation")
    assert (state.search_text, state.range_label) == ("mary", "1–1 of 1")
