"""Sessions of signed-in browsers: who a cookie stands for, and until when (RULE sessions)."""

from datetime import datetime, timedelta

import pytest
from sqlmodel import Session, col, select

from marketplace_app import clock, codes
from marketplace_app.limits import SESSION_IDLE_LIFETIME, SESSION_LIFETIME, SESSION_TOUCH_INTERVAL
from marketplace_app.models import SignInSession, User
from marketplace_app.services import sessions
from marketplace_app.services.sessions import GUEST
from tests.conftest import Cast

SECOND = timedelta(seconds=1)


@pytest.fixture
def start() -> datetime:
    return clock.now().replace(microsecond=0)


def set_clock(monkeypatch: pytest.MonkeyPatch, at: datetime) -> None:
    monkeypatch.setattr(clock, "now", lambda: at)


def begin(session: Session, user: User) -> str:
    token = sessions.start(session, user)
    session.flush()
    return token


def is_known(session: Session, token: str | None) -> bool:
    return sessions.identify(session, token) != GUEST


def test_a_session_ends_eight_hours_after_it_was_last_used_and_after_seven_days(
    session: Session, cast: Cast, start: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_clock(monkeypatch, start)
    idle, used = begin(session, cast.alice), begin(session, cast.alice)
    at = start
    while at + SESSION_IDLE_LIFETIME < start + SESSION_LIFETIME:
        at += SESSION_IDLE_LIFETIME - SECOND
        set_clock(monkeypatch, at)
        sessions.touch(session, used)
    assert (is_known(session, idle), is_known(session, used)) == (False, True)
    for moment, known in ((start + SESSION_LIFETIME - SECOND, True), (start + SESSION_LIFETIME, False)):
        set_clock(monkeypatch, moment)
        assert is_known(session, used) is known


def test_an_unknown_cookie_and_that_of_somebody_banned_or_deleted_are_a_guests(session: Session, cast: Cast) -> None:
    tokens = [begin(session, who) for who in (cast.charlie, cast.bob, cast.alice)]
    cast.bob.deleted_at = clock.now()
    session.flush()
    assert [is_known(session, token) for token in (*tokens, "unknown", "", None)] == [False, False, True, *[False] * 3]


def test_a_session_is_due_for_a_touch_once_a_minute(
    session: Session, cast: Cast, start: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_clock(monkeypatch, start)
    token = begin(session, cast.alice)
    due = start + SESSION_TOUCH_INTERVAL
    for at, is_due in ((start, False), (due, False), (due + SECOND, True)):
        set_clock(monkeypatch, at)
        found = sessions.identify(session, token)
        assert (found.is_due_for_touch, found.valid_until) == (is_due, due)
    sessions.touch(session, token)
    assert sessions.identify(session, token).is_due_for_touch is False


def test_signing_out_ends_one_session_and_an_end_of_all_ends_those_of_one_user(session: Session, cast: Cast) -> None:
    phone, desktop, other = begin(session, cast.alice), begin(session, cast.alice), begin(session, cast.bob)
    sessions.end(session, phone)
    assert [is_known(session, token) for token in (phone, desktop, other)] == [False, True, True]
    sessions.end_all(session, cast.alice)
    assert [is_known(session, token) for token in (desktop, other)] == [False, True]
    sessions.end(session, None)


def test_a_sign_in_deletes_the_expired_sessions_of_its_user(
    session: Session, cast: Cast, start: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_clock(monkeypatch, start)
    for who in (cast.alice, cast.bob):
        begin(session, who)
    set_clock(monkeypatch, start + SESSION_LIFETIME)
    token = begin(session, cast.alice)
    left = session.exec(select(SignInSession).order_by(col(SignInSession.user_id))).all()
    assert [(row.user_id, row.token_hash == codes.fingerprint(token)) for row in left] == [
        (cast.alice.id, True),
        (cast.bob.id, False),
    ]


def test_live_sessions_are_listed_the_last_used_first(
    session: Session, cast: Cast, start: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_clock(monkeypatch, start)
    first, _idle = begin(session, cast.alice), begin(session, cast.alice)
    set_clock(monkeypatch, start + SECOND)
    sessions.touch(session, first)
    set_clock(monkeypatch, start + SESSION_IDLE_LIFETIME)
    second = begin(session, cast.alice)
    listed = sessions.list_live(session, cast.alice.id)
    assert [row.token_hash for row in listed] == [codes.fingerprint(token) for token in (second, first)]
