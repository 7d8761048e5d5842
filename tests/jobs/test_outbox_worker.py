"""Mail is stored by a transaction, sent after it, and retried while the server is down."""

import asyncio
import re
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from pathlib import Path
from threading import Event

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope
from aiosmtpd.smtp import Session as SmtpSession
from sqlalchemy import Engine, select
from sqlmodel import Session, col

from marketplace_app import clock, db
from marketplace_app.adapters import mail
from marketplace_app.jobs import outbox_worker
from marketplace_app.models import OrderStatus, OutboxMessage, Product, User
from marketplace_app.schemas.account.invitations import InvitationForm
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.buying.order_forms import OrderEditForm
from marketplace_app.services import privacy
from marketplace_app.services.account import invitations
from marketplace_app.services.buying import fulfilment, orders
from marketplace_app.services.records import outbox
from tests.builders import make_product, order_form
from tests.conftest import Cast, free_port


class MailServer:
    """A real one; keeps what it was given, and refuses the first `refusals`."""

    def __init__(self) -> None:
        self.received: list[EmailMessage] = []
        self.refusals = 0

    async def handle_DATA(self, _server: SMTP, _session: SmtpSession, envelope: Envelope) -> str:
        if self.refusals:
            self.refusals -= 1
            return "451 Try again later"
        assert isinstance(envelope.content, bytes)
        message = message_from_bytes(envelope.content, policy=default)
        assert isinstance(message, EmailMessage)
        self.received.append(message)
        return "250 Taken"


@pytest.fixture
def mail_server(configure: Callable[..., None]) -> Iterator[MailServer]:
    server = MailServer()
    controller = Controller(server, hostname="127.0.0.1", port=free_port())
    controller.start()
    configure(SMTP_HOST="127.0.0.1", SMTP_PORT=str(controller.port), SMTP_SECURITY="none")
    yield server
    controller.stop()


@pytest.fixture
def fern(session: Session) -> Product:
    product = make_product(session, "Fern Hollow", price_cents=120_00, stock=50)
    session.commit()
    return product


def place(who: User, product: Product) -> str:
    return str(db.write(lambda s: orders.place(s, s.get(User, who.id), order_form((product, 1)), key=None))["id"])


def waiting(engine: Engine) -> list[OutboxMessage]:
    with Session(engine) as session:
        unsent = select(OutboxMessage).where(col(OutboxMessage.sent_at).is_(None))
        return list(session.execute(unsent).scalars())


def plain(message: EmailMessage) -> str:
    part = message.get_body(("plain",))
    assert part is not None
    return str(part.get_content())


def test_an_order_and_its_status_changes_are_mailed(
    engine: Engine, cast: Cast, fern: Product, mail_server: MailServer
) -> None:
    order_id = place(cast.alice, fern)
    out = OrderStatus.OUT_FOR_DELIVERY
    db.write(lambda s: fulfilment.edit(s, s.get(User, cast.ada.id), order_id, OrderEditForm(status=out)).id)
    assert outbox_worker.send_due() == 2
    placed, changed = mail_server.received
    assert (placed["To"], placed["From"]) == ("alice@example.org", "Stillroom <support@example.com>")
    assert re.fullmatch(r"Order \d+: thank you", placed["Subject"])
    assert changed["Subject"].endswith(": out for delivery")
    assert "exactly $115.00 in cash" in plain(placed)
    assert f"http://localhost:8000/orders/{order_id}" in plain(placed)
    html = placed.get_body(("html",))
    assert html is not None
    assert f'href="http://localhost:8000/orders/{order_id}"' in html.get_content()
    assert not any("Fern Hollow" in message["Subject"] for message in mail_server.received)
    assert waiting(engine) == []
    assert outbox_worker.send_due() == 0


def test_a_store_whose_name_has_a_comma_is_one_sender(
    cast: Cast, fern: Product, mail_server: MailServer, configure: Callable[..., None]
) -> None:
    configure(STORE_NAME="Green (Portland), Inc. ☘")
    place(cast.alice, fern)
    outbox_worker.send_due()
    [sender] = mail_server.received[0]["From"].addresses
    assert (sender.display_name, sender.addr_spec) == ("Green (Portland), Inc. ☘", "support@example.com")


def test_an_invitation_carries_its_link_which_is_then_forgotten(
    engine: Engine, cast: Cast, mail_server: MailServer
) -> None:
    form = parse(InvitationForm, {"email": "friend@example.org", "firstName": "<b>Mary</b>"})
    sent = db.write(lambda s: invitations.send(s, s.get(User, cast.ada.id), form))
    outbox_worker.send_due()
    (message,) = mail_server.received
    assert sent.invite_url in plain(message)
    html = message.get_body(("html",))
    assert html is not None
    assert "&lt;b&gt;Mary&lt;/b&gt;" in html.get_content()
    with Session(engine) as session:
        assert session.execute(select(OutboxMessage)).scalar_one().payload == {}


def test_a_refused_message_is_tried_again_later_and_later(
    engine: Engine, cast: Cast, fern: Product, mail_server: MailServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    place(cast.alice, fern)
    mail_server.refusals = 2
    now, delays = clock.now(), []
    for _ in range(2):
        monkeypatch.setattr(clock, "now", lambda at=now: at)
        assert outbox_worker.send_due() == 1
        assert outbox_worker.send_due() == 0  # not before its time
        [message] = waiting(engine)
        delays.append(message.next_attempt_at - now)
        now = message.next_attempt_at
    monkeypatch.setattr(clock, "now", lambda: now)
    assert outbox_worker.send_due() == 1
    assert (len(mail_server.received), waiting(engine)) == (1, [])
    assert delays == list(outbox_worker.RETRY_DELAYS[:2])
    assert delays[0] < delays[1]


def test_after_the_last_try_a_message_stays_and_is_left_alone(
    engine: Engine,
    cast: Cast,
    fern: Product,
    mail_server: MailServer,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    place(cast.alice, fern)
    mail_server.refusals = 100
    first = clock.now()
    for day in range(20):
        monkeypatch.setattr(clock, "now", lambda day=day: first + timedelta(days=day))
        outbox_worker.send_due()
    assert mail_server.refusals == 100 - len(outbox_worker.RETRY_DELAYS) - 1
    assert [row.attempts for row in waiting(engine)] == [len(outbox_worker.RETRY_DELAYS) + 1]
    assert len([each for each in caplog.messages if "will not be sent" in each]) == 1


def test_a_missing_mail_server_is_not_an_error(
    engine: Engine, cast: Cast, fern: Product, configure: Callable[..., None]
) -> None:
    configure(SMTP_HOST="127.0.0.1", SMTP_PORT=str(free_port()), SMTP_SECURITY="none")
    place(cast.alice, fern)
    assert outbox_worker.send_due() == 1
    assert [row.attempts for row in waiting(engine)] == [1]


def test_several_processes_send_each_message_once(cast: Cast, mail_server: MailServer, fern: Product) -> None:
    for _ in range(12):
        place(cast.alice, fern)
    with ThreadPoolExecutor(4) as pool:
        assert sum(pool.map(lambda _: outbox_worker.send_due(), range(4))) == 12
    assert len({message["Message-ID"] for message in mail_server.received}) == len(mail_server.received) == 12


def test_a_batch_that_takes_longer_than_its_claims_is_sent_once(
    cast: Cast, fern: Product, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A mail server that takes twenty seconds a message is slower than a batch may be; another process helps out."""
    order_id = place(cast.alice, fern)
    for _ in range(outbox_worker.BATCH - 1):
        db.write(lambda s: outbox.add(s, "order_placed", "alice@example.org", order_id=order_id))
    began = now = clock.now()
    sent: list[str] = []
    has_helped = False

    def send_slowly(message: EmailMessage) -> None:
        nonlocal now, has_helped
        now += timedelta(seconds=20)
        sent.append(message["Message-ID"])
        if now - began >= outbox_worker.CLAIM_LIFETIME and not has_helped:
            has_helped = True
            outbox_worker.send_due()

    monkeypatch.setattr(clock, "now", lambda: now)
    monkeypatch.setattr(mail, "send", send_slowly)
    outbox_worker.send_due()
    assert has_helped
    assert len(set(sent)) == len(sent) == outbox_worker.BATCH


def test_a_batch_ends_with_the_server_although_the_mail_server_hangs(
    engine: Engine, cast: Cast, fern: Product, monkeypatch: pytest.MonkeyPatch
) -> None:
    order_id = place(cast.alice, fern)
    db.write(lambda s: outbox.add(s, "order_placed", "alice@example.org", order_id=order_id))
    is_sending, may_end = Event(), Event()

    def hang(_message: EmailMessage) -> None:
        is_sending.set()
        may_end.wait(5)
        raise mail.MailNotSent("TimeoutError")

    monkeypatch.setattr(mail, "send", hang)

    async def serve_until_sending() -> None:
        async with outbox_worker.outbox_worker():
            await asyncio.to_thread(is_sending.wait, 5)
        may_end.set()

    asyncio.run(serve_until_sending())  # returns when its threads have ended
    is_due_by_attempts = {row.attempts: row.next_attempt_at <= clock.now() for row in waiting(engine)}
    assert is_due_by_attempts == {0: True, 1: False}  # the claim of the message that was not tried is given back


def test_without_a_mail_server_mail_is_written_to_a_folder(
    engine: Engine, cast: Cast, fern: Product, tmp_path: Path, configure: Callable[..., None]
) -> None:
    configure(MAIL_FOLDER=str(tmp_path / "mail"))
    place(cast.alice, fern)
    outbox_worker.send_due()
    (file,) = (tmp_path / "mail").iterdir()
    written = message_from_bytes(file.read_bytes(), policy=default)
    assert written["To"] == "alice@example.org"
    assert waiting(engine) == []


def test_no_mail_is_sent_to_a_deleted_account(
    engine: Engine, cast: Cast, fern: Product, mail_server: MailServer
) -> None:
    place(cast.alice, fern)
    db.write(lambda s: privacy.erase(s, s.get(User, cast.alice.id)))
    assert outbox_worker.send_due() == 0


def test_no_mail_is_sent_about_a_missing_order(engine: Engine, mail_server: MailServer) -> None:
    db.write(lambda s: outbox.add(s, "order_placed", "alice@example.org", order_id="gone"))
    assert outbox_worker.send_due() == 1
    assert mail_server.received == []
    assert waiting(engine) == []


def test_a_message_that_cannot_be_rendered_does_not_delay_others(
    engine: Engine, cast: Cast, fern: Product, mail_server: MailServer
) -> None:
    db.write(lambda s: outbox.add(s, "no such kind", "alice@example.org"))
    place(cast.alice, fern)
    assert outbox_worker.send_due() == 2
    assert len(mail_server.received) == 1
    assert [row.kind for row in waiting(engine)] == ["no such kind"]
