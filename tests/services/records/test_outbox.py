"""Mail is queued with what it is about, and what was given up is known (RULE outbox)."""

from datetime import timedelta

import pytest
from sqlmodel import Session, select

from marketplace_app import clock, db
from marketplace_app.adapters import live
from marketplace_app.limits import MAIL_RETRY_MINUTES
from marketplace_app.models import AuditEntry, OutboxMessage
from marketplace_app.services.records import outbox

TRIES = len(MAIL_RETRY_MINUTES) + 1


def queue(session: Session, **values: object) -> OutboxMessage:
    message = OutboxMessage(kind="order_placed", recipient="alice@example.org", **values)
    session.add(message)
    session.flush()
    return message


def test_mail_is_queued_with_its_transaction_or_not_at_all(session: Session) -> None:
    def queue_and_fail(s: Session) -> None:
        outbox.add(s, "order_placed", "alice@example.org", order_id="1")
        raise LookupError

    with pytest.raises(LookupError):
        db.write(queue_and_fail)
    assert outbox.count_unsent(session).waiting == 0
    outbox.add(session, "order_placed", "alice@example.org", order_id="1")
    assert session.info[live.TOPICS] == {live.OUTBOX}
    row = session.exec(select(OutboxMessage)).one()
    assert (row.kind, row.recipient, row.payload) == ("order_placed", "alice@example.org", {"order_id": "1"})


def test_mail_is_given_up_when_its_last_try_has_ended(session: Session) -> None:
    past, later = clock.now() - timedelta(minutes=1), clock.now() + timedelta(minutes=9)
    queue(session, sent_at=past, attempts=1)
    waiting = queue(session, attempts=TRIES - 1, next_attempt_at=past, created_at=past)
    queue(session, attempts=TRIES, next_attempt_at=later)
    lost = queue(session, attempts=TRIES, next_attempt_at=past)
    assert outbox.count_unsent(session) == outbox.Unsent(waiting=2, oldest=waiting.created_at, given_up=1)
    assert [each.id for each in outbox.list_given_up(session)] == [lost.id]


def test_only_what_was_given_up_is_queued_again_and_audited(session: Session) -> None:
    past = clock.now() - timedelta(minutes=1)
    waiting = queue(session, attempts=3, next_attempt_at=past)
    lost = [queue(session, attempts=TRIES, next_attempt_at=past) for _ in range(3)]
    assert outbox.resend(session, [waiting.id, lost[0].id]) == 1
    assert (waiting.attempts, [each.attempts for each in lost]) == (3, [0, TRIES, TRIES])
    assert [outbox.resend(session, None) for _ in range(2)] == [2, 0]
    trail = session.exec(select(AuditEntry)).all()
    assert [(each.action, each.details) for each in trail] == [("mail.resent", {"count": count}) for count in (1, 2)]


def test_an_unknown_number_queues_nothing_again(session: Session) -> None:
    lost = queue(session, attempts=TRIES, next_attempt_at=clock.now() - timedelta(minutes=1))
    with pytest.raises(LookupError, match="998, 999"):
        outbox.resend(session, [999, lost.id, 998])
    assert lost.attempts == TRIES
