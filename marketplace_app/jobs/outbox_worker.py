"""Sends the mail in the outbox. A message is claimed for a while, sent outside any transaction, then marked as sent.

Several processes may do this at once: a claim is a conditional write. If a process dies between sending and marking,
the message is sent again later, with the same Message-ID.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from email.headerregistry import Address
from email.message import EmailMessage
from functools import partial
from threading import Event
from typing import Any
from urllib.parse import urlsplit

from sqlalchemy import select
from sqlmodel import Session, col

from marketplace_app import clock, db
from marketplace_app.adapters import live, mail
from marketplace_app.config import get_settings
from marketplace_app.jobs.background import running
from marketplace_app.limits import MAIL_RETRY_MINUTES
from marketplace_app.models import OutboxMessage
from marketplace_app.services import mails
from marketplace_app.services.buying import stock_alerts

BATCH = 20
CLAIM_LIFETIME = timedelta(minutes=5)
"""How long one process may take to send a message before another one tries. A claim is renewed after half of it."""
RETRY_DELAYS = tuple(timedelta(minutes=minutes) for minutes in MAIL_RETRY_MINUTES)
"""How long to wait before each further try. A message whose last try fails is given up: it stays unsent."""
PAUSE_SECONDS = 1
"""The pause after each batch. Sending a mail takes as long as placing an order, and bursts of orders go first."""
IDLE_SECONDS = 30
logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class ClaimedMessage:
    id: int
    kind: str
    recipient: str
    payload: dict[str, Any]
    attempts: int
    claimed_at: datetime


def queue_stock_mails() -> None:
    """Queue mails about products that are back in stock, for whatever reason."""
    for product_id in db.read(stock_alerts.list_due):
        db.write(partial(stock_alerts.queue_mail, product_id=product_id))


def _queue_stock_mails_or_log() -> None:
    """What cannot be queued must not hold back the mail that is queued already."""
    try:
        queue_stock_mails()
    except Exception:
        logger.exception("mails about products in stock could not be queued")


def send_due(stopping: Event | None = None) -> int:
    """Send what is due; returns how many messages were claimed.

    When `stopping` is set, the rest is left to other processes, or to this one when it runs again.
    """
    claimed = db.write(_claim)
    for index, each in enumerate(claimed):
        if stopping is not None and stopping.is_set():
            db.write(partial(_give_back, messages=claimed[index:]))
            break
        is_fresh = clock.now() - each.claimed_at < CLAIM_LIFETIME / 2
        if is_fresh or db.write(partial(_renew, claimed=each)):
            _send(each)
    return len(claimed)


def _claim(session: Session) -> list[ClaimedMessage]:
    at = clock.now()
    statement = (
        select(OutboxMessage)
        .where(
            col(OutboxMessage.sent_at).is_(None),
            col(OutboxMessage.next_attempt_at) <= at,
            col(OutboxMessage.attempts) <= len(RETRY_DELAYS),
        )
        .order_by(col(OutboxMessage.next_attempt_at), col(OutboxMessage.id))
        .limit(BATCH)
        .with_for_update(skip_locked=True)
    )
    claimed = []
    for row in session.execute(statement).scalars():
        row.attempts += 1
        row.next_attempt_at = at + CLAIM_LIFETIME
        claimed.append(ClaimedMessage(row.id, row.kind, row.recipient, dict(row.payload), row.attempts, at))
    return claimed


def _give_back(session: Session, messages: Sequence[ClaimedMessage]) -> None:
    """The claims of messages that were not tried."""
    for each in messages:
        if (row := _still_claimed(session, each)) is not None:
            row.attempts, row.next_attempt_at = row.attempts - 1, clock.now()
            session.add(row)


def _renew(session: Session, claimed: ClaimedMessage) -> bool:
    """Claim a message again that has waited for the rest of its batch; False if another process has claimed it."""
    row = _still_claimed(session, claimed)
    if row is None:
        return False
    row.next_attempt_at = clock.now() + CLAIM_LIFETIME
    session.add(row)
    return True


def _still_claimed(session: Session, claimed: ClaimedMessage) -> OutboxMessage | None:
    """The message, unless another process has claimed it since or it was deleted."""
    row = session.get(OutboxMessage, claimed.id, with_for_update=True)
    return row if row is not None and row.sent_at is None and row.attempts == claimed.attempts else None


def _send(claimed: ClaimedMessage) -> None:
    """Whatever is wrong with the message is logged, not raised: the rest of its claimed batch must still be sent."""
    try:
        composed = db.read(lambda session: mails.compose(session, claimed.kind, claimed.payload))
        if composed is not None:
            mail.send(_message(claimed, composed))
    except mail.MailNotSent as error:
        logger.warning("message %d was not sent (attempt %d): %s", claimed.id, claimed.attempts, error)
        db.write(lambda session: _postpone(session, claimed))
    except Exception:
        logger.exception("message %d could not be composed or handed over (attempt %d)", claimed.id, claimed.attempts)
        db.write(lambda session: _postpone(session, claimed))
    else:
        db.write(lambda session: _mark_sent(session, claimed.id))


def _message(claimed: ClaimedMessage, composed: mails.Mail) -> EmailMessage:
    settings = get_settings()
    message = EmailMessage()
    message["Subject"] = composed.subject
    message["From"] = Address(settings.store_name, addr_spec=settings.mail_from)
    message["To"] = claimed.recipient
    message["Message-ID"] = f"<{claimed.kind}-{claimed.id}@{urlsplit(settings.public_url).hostname}>"
    message["Auto-Submitted"] = "auto-generated"
    message.set_content(composed.plain())
    message.add_alternative(composed.html(), subtype="html")
    return message


def _postpone(session: Session, claimed: ClaimedMessage) -> None:
    row = _still_claimed(session, claimed)
    if row is None:
        return
    if claimed.attempts > len(RETRY_DELAYS):
        logger.error("message %d will not be sent: that was the last attempt", claimed.id)
        return
    row.next_attempt_at = clock.now() + RETRY_DELAYS[claimed.attempts - 1]
    session.add(row)


def _mark_sent(session: Session, message_id: int) -> None:
    """Also erases the message's payload: an invitation's code, for example, must not be kept."""
    row = session.get(OutboxMessage, message_id)
    if row is not None:
        row.sent_at, row.payload = clock.now(), {}
        session.add(row)


@asynccontextmanager
async def outbox_worker() -> AsyncIterator[None]:
    """Runs with the server: woken by new messages, and regularly for those that were postponed."""
    loop, wake, stopping = asyncio.get_running_loop(), asyncio.Event(), Event()

    def on_change(topics: frozenset[str]) -> None:
        if topics & {live.OUTBOX, live.ALL_TOPICS}:
            with suppress(RuntimeError):  # the server has stopped
                loop.call_soon_threadsafe(wake.set)

    unsubscribe = live.subscribe(on_change)
    try:
        async with running(_send_until_cancelled(wake, stopping), "outbox worker"):
            try:
                yield
            finally:
                stopping.set()  # cancelling does not end a thread
    finally:
        unsubscribe()


async def _send_until_cancelled(wake: asyncio.Event, stopping: Event) -> None:
    while True:
        tried = 0
        await asyncio.to_thread(_queue_stock_mails_or_log)
        try:
            tried = await asyncio.to_thread(send_due, stopping)
        except Exception:
            logger.exception("the outbox could not be processed")
        await asyncio.sleep(PAUSE_SECONDS)
        if tried < BATCH:
            with suppress(TimeoutError):
                async with asyncio.timeout(IDLE_SECONDS):
                    await wake.wait()
            wake.clear()
