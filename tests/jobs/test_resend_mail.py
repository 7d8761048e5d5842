"""Mail that was given up is sent again by the operator's command, once."""

from datetime import timedelta

import pytest
from sqlmodel import Session, col, select

from marketplace_app import clock
from marketplace_app.config import get_settings
from marketplace_app.limits import MAIL_RETRY_MINUTES
from marketplace_app.models import AuditEntry, OutboxMessage
from marketplace_app.services.records import outbox
from tests.jobs.conftest import OK, USAGE, WRONG, Terminal

LAST = len(MAIL_RETRY_MINUTES) + 1


def queue(session: Session, *, attempts: int = LAST, is_sent: bool = False, minutes_ago: int = 60) -> int:
    at = clock.now() - timedelta(minutes=minutes_ago)
    row = OutboxMessage(kind="order_placed", recipient="alice@example.org", payload={"order_id": "1"})
    row.attempts, row.created_at, row.next_attempt_at, row.sent_at = attempts, at, at, at if is_sent else None
    session.add(row)
    session.commit()
    return row.id


def attempts(session: Session) -> list[int]:
    session.rollback()
    statement = select(OutboxMessage).order_by(col(OutboxMessage.id)).execution_options(populate_existing=True)
    return [row.attempts for row in session.exec(statement)]


def test_what_was_given_up_is_listed_and_queued_once(terminal: Terminal, session: Session) -> None:
    first, second = queue(session), queue(session)
    queued = [session.get_one(OutboxMessage, number).created_at for number in (first, second)]
    days = [at.astimezone(get_settings().timezone).date() for at in queued]
    session.rollback()
    listed = [f"{first}  {days[0]}  order_placed  alice@example.org"]
    listed += [f"{second}  {days[1]}  order_placed  alice@example.org"]
    assert terminal("resend-mail").stdout.splitlines() == listed
    one, all_, again = (
        terminal("resend-mail", str(first)),
        terminal("resend-mail", "--all"),
        terminal("resend-mail", "--all"),
    )
    assert [each.returncode for each in (one, all_, again)] == [OK] * 3
    assert [each.stdout.partition(".")[0] for each in (one, all_, again)] == ["1 queued", "1 queued", "0 queued"]
    assert attempts(session) == [0, 0]
    assert outbox.count_unsent(session).given_up == 0
    entries = session.exec(select(AuditEntry)).all()
    assert [(entry.actor_id, entry.action, entry.details) for entry in entries] == [
        (None, "mail.resent", {"count": 1})
    ] * 2


def test_mail_that_waits_was_sent_or_is_being_sent_is_left_alone(terminal: Terminal, session: Session) -> None:
    """The last try is under way for as long as a process has claimed the message."""
    numbers = [queue(session, attempts=2), queue(session, is_sent=True), queue(session, minutes_ago=-4)]
    for arguments in (["--all"], list(map(str, numbers))):
        ended = terminal("resend-mail", *arguments)
        assert (ended.returncode, ended.stdout.partition(".")[0]) == (OK, "0 queued")
    assert attempts(session) == [2, LAST, LAST]
    assert session.exec(select(AuditEntry)).all() == []


def test_an_unknown_number_queues_nothing(terminal: Terminal, session: Session) -> None:
    number = queue(session)
    refused = terminal("resend-mail", str(number), str(number + 7), str(2**31 - 1))
    assert (refused.returncode, refused.stdout) == (WRONG, "")
    assert refused.stderr == f"There is no message {number + 7}, {2**31 - 1}. Nothing was queued.\n"
    assert attempts(session) == [LAST]


@pytest.mark.parametrize("arguments", [["0"], ["-1"], ["one"], ["9" * 40], [str(2**31)], ["1", "--all"]])
def test_wrong_usage_ends_with_2(terminal: Terminal, session: Session, arguments: list[str]) -> None:
    queue(session)
    assert terminal("resend-mail", *arguments).returncode == USAGE
    assert attempts(session) == [LAST]
