"""Writing, reading, answering and closing support tickets."""

from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import Engine, select, text, update
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col

from marketplace_app import db, errors
from marketplace_app.adapters import live
from marketplace_app.models import (
    AuditEntry,
    Order,
    OrderStatus,
    OutboxMessage,
    SenderType,
    Ticket,
    TicketCategory,
    TicketPriority,
    TicketStatus,
    User,
)
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.tickets import (
    CreatedTicketView,
    ReplyForm,
    TicketDetailView,
    TicketEditForm,
    TicketForm,
    TicketQuery,
    TicketView,
)
from marketplace_app.services import mails, privacy
from marketplace_app.services.buying import orders
from marketplace_app.services.support import tickets
from tests.builders import make_product, order_form
from tests.conftest import Cast
from tests.counting import count_statements

LATE = {"subject": "Driver is late", "message": "My order should have been here by noon. Where is the driver?"}


def write(who: User | None, **changes: Any) -> CreatedTicketView:
    form = parse(TicketForm, LATE | changes)
    return db.write(lambda s: tickets.create(s, s.get(User, who.id) if who else None, form))


def buy(session: Session, who: User) -> dict[str, Any]:
    fern = make_product(session, price_cents=120_00)
    session.commit()
    return db.write(lambda s: orders.place(s, s.get(User, who.id), order_form((fern, 1)), key=None))


def reply(who: User, ticket: TicketView, message: str = "Thank you.") -> TicketDetailView:
    form = parse(ReplyForm, {"message": message})
    return db.write(lambda s: tickets.reply(s, s.get(User, who.id), ticket.id, form))


def edit(who: User, ticket: TicketView, **changes: str) -> TicketDetailView:
    form = parse(TicketEditForm, changes)
    return db.write(lambda s: tickets.edit(s, s.get(User, who.id), ticket.id, form))


def get(who: User | None, ticket: TicketView) -> TicketDetailView:
    return db.read(lambda s: tickets.get(s, s.get(User, who.id) if who else None, ticket.id))


def test_a_ticket_is_sorted_on_arrival(cast: Cast) -> None:
    ticket = write(cast.alice)
    assert (ticket.category, ticket.status) == (TicketCategory.DELIVERY, TicketStatus.OPEN)
    assert ticket.analysis.words
    assert ticket.tags[0] == "delivery"
    assert len(ticket.id) == 36
    assert get(cast.alice, ticket).messages == ()


def test_a_given_category_is_stored_and_the_analysis_has_its_own(cast: Cast) -> None:
    ticket = write(cast.alice, category="billing")
    assert (ticket.category, ticket.analysis.category) == (TicketCategory.BILLING, TicketCategory.DELIVERY)


def test_a_ticket_of_a_member_has_their_identity(cast: Cast) -> None:
    ticket = write(cast.alice, userId=cast.bob.id, customerEmail="bob@example.org", customerName="Bob")
    assert (ticket.user_id, ticket.customer_email, ticket.customer_name) == (
        cast.alice.id,
        "alice@example.org",
        "Alice",
    )


def test_a_guest_gives_an_address(cast: Cast) -> None:
    ticket = write(None, customerEmail="Guest@Example.org", customerName=" Gus  Guest ", userId=cast.alice.id)
    assert (ticket.user_id, ticket.customer_email, ticket.customer_name) == (None, "guest@example.org", "Gus Guest")
    for email, sentence in ((None, "Email is required"), (" ", "Email is required"), ("a b@c.d", "valid email")):
        with pytest.raises(errors.InvalidInput, match=sentence):
            write(None, customerEmail=email)


@pytest.mark.parametrize("missing", [{"subject": ""}, {"message": " \n"}, {"subject": "\0"}, {"message": None}])
def test_subject_and_message_are_required(missing: dict[str, Any]) -> None:
    with pytest.raises(errors.InvalidInput, match="Subject and message are required"):
        parse(TicketForm, LATE | missing)


@pytest.mark.parametrize(("name", "most"), [("subject", 200), ("message", 5_000)])
def test_lengths_are_bounded(cast: Cast, name: str, most: int) -> None:
    assert len(getattr(write(cast.alice, **{name: "ä" * most}), name)) == most
    with pytest.raises(errors.InvalidInput, match=f"at most {most:,} characters"):
        parse(TicketForm, LATE | {name: "x" * (most + 1)})


@pytest.mark.parametrize(
    "words", ["<script>alert(1)</script>", '=HYPERLINK("http://x")', "'; DROP TABLE tickets; --", "{{7*7}} ${x} %s \\"]
)
def test_what_people_write_stays_text(cast: Cast, words: str) -> None:
    ticket = write(cast.alice, subject=words, message=words)
    reply(cast.alice, ticket, words)
    seen = get(cast.alice, ticket)
    assert (seen.subject, seen.message, seen.messages[0].message) == (words, words, words)


def test_only_staff_find_tickets_of_others(cast: Cast) -> None:
    hers, guests = write(cast.alice), write(None, customerEmail="bob@example.org")
    for ticket in (hers, guests):
        with pytest.raises(errors.NotFound, match="Ticket not found"):
            get(cast.bob, ticket)
        with pytest.raises(errors.NotFound):
            reply(cast.bob, ticket)
        with pytest.raises(errors.NotAllowed):
            edit(cast.bob, ticket, status="closed")
        assert get(cast.ada, ticket).id == ticket.id


def test_a_guest_must_sign_in_to_read(session: Session, cast: Cast) -> None:
    ticket = write(None, customerEmail="guest@example.org")
    with pytest.raises(errors.NotSignedIn):
        get(None, ticket)
    with pytest.raises(errors.NotSignedIn):
        tickets.list_own(session, None)
    with pytest.raises(errors.NotSignedIn):
        tickets.list_all(session, None, TicketQuery())


def test_an_answer_of_staff_takes_the_ticket_on_and_is_mailed_without_its_words_in_the_subject(
    session: Session, cast: Cast
) -> None:
    ticket = write(cast.alice)
    answered = reply(cast.ada, ticket, "He is four streets away.")
    assert answered.status is TicketStatus.IN_PROGRESS
    assert [each.sender_type for each in answered.messages] == [SenderType.ADMIN]
    message = session.execute(select(OutboxMessage)).scalar_one()
    mail = mails.compose(session, message.kind, message.payload)
    assert mail is not None
    assert message.recipient == "alice@example.org"
    assert mail.subject == f"An answer to your support ticket {ticket.id[:8]}"
    assert "He is four streets away." in mail.plain()
    assert mail.link.endswith(f"/support?ticket={ticket.id}")


def test_an_answer_goes_to_the_address_that_the_customer_has_now(session: Session, cast: Cast) -> None:
    ticket = write(cast.alice)
    db.write(lambda s: setattr(s.get_one(User, cast.alice.id), "email", "alice.new@example.org"))
    reply(cast.ada, ticket, "He is four streets away.")
    assert session.execute(select(OutboxMessage)).scalar_one().recipient == "alice.new@example.org"


def test_a_guest_is_answered_by_mail(session: Session, cast: Cast) -> None:
    ticket = write(None, customerEmail="guest@example.org")
    reply(cast.ada, ticket, "<b>Soon</b>")
    message = session.execute(select(OutboxMessage)).scalar_one()
    mail = mails.compose(session, message.kind, message.payload)
    assert mail is not None
    assert (message.recipient, mail.link) == ("guest@example.org", "http://localhost:8000/support")
    assert "&lt;b&gt;Soon&lt;/b&gt;" in mail.html()


def test_a_mailed_answer_keeps_its_lines(session: Session, cast: Cast) -> None:
    reply(cast.ada, write(None, customerEmail="guest@example.org"), "First this.\nThen that.")
    message = session.execute(select(OutboxMessage)).scalar_one()
    mail = mails.compose(session, message.kind, message.payload)
    assert mail is not None
    assert "First this.\nThen that." in mail.plain()
    assert ';white-space:pre-line">First this.\nThen that.</p>' in mail.html()


def test_a_customers_answer_reopens_a_resolved_ticket_and_changes_no_other(cast: Cast, session: Session) -> None:
    ticket = write(cast.alice)
    reply(cast.ada, ticket)
    assert reply(cast.alice, ticket).status is TicketStatus.IN_PROGRESS
    edit(cast.ada, ticket, status="resolved")
    reopened = reply(cast.alice, ticket, "It happened again.")
    assert reopened.status is TicketStatus.OPEN
    assert [each.sender_type.value for each in reopened.messages] == ["admin", "customer", "customer"]


def test_a_closed_ticket_stays_closed(cast: Cast) -> None:
    ticket = write(cast.alice)
    edit(cast.ada, ticket, status="closed")
    for who in (cast.alice, cast.ada):
        with pytest.raises(tickets.TicketClosed, match="closed"):
            reply(who, ticket)
    with pytest.raises(tickets.TicketClosed):
        edit(cast.ada, ticket, status="open")
    assert edit(cast.ada, ticket, category="billing").category is TicketCategory.BILLING


def test_staff_set_status_priority_and_category_and_it_is_on_record(cast: Cast, session: Session) -> None:
    ticket = write(cast.alice)
    changed = edit(cast.ada, ticket, status="resolved", priority="urgent", category="product")
    assert (changed.status, changed.priority, changed.category) == (
        TicketStatus.RESOLVED,
        TicketPriority.URGENT,
        TicketCategory.PRODUCT,
    )
    edit(cast.ada, ticket, status="resolved")
    entries = session.execute(select(AuditEntry).where(col(AuditEntry.action) == "ticket.changed")).scalars().all()
    assert [entry.details["status"] for entry in entries] == [["open", "resolved"]]


def test_staff_see_all_by_status_priority_and_category(cast: Cast) -> None:
    hers = write(cast.alice, category="billing")
    guests = write(None, customerEmail="guest@example.org", category="product")
    edit(cast.ada, guests, status="resolved", priority="urgent")

    def ids(**query: str) -> list[str]:
        parsed = parse(TicketQuery, query)
        total, found = db.read(lambda s: tickets.list_all(s, s.get(User, cast.ada.id), parsed))
        assert total == len(found)
        return [ticket.id for ticket in found]

    assert ids() == [guests.id, hers.id]
    assert ids(category="billing") == [hers.id]
    assert ids(status="resolved", priority="urgent") == [guests.id]
    assert ids(status="closed") == []


def test_a_list_needs_two_statements(engine: Engine, cast: Cast) -> None:
    def statements() -> int:
        with count_statements(engine) as seen, Session(engine) as session:
            tickets.list_own(session, cast.alice)
        return len(seen)

    reply(cast.alice, write(cast.alice))
    few = statements()
    for _ in range(12):
        reply(cast.alice, write(cast.alice))
    assert statements() == few == 2


def test_own_tickets_come_in_pages_newest_first(cast: Cast, session: Session) -> None:
    written = [write(cast.alice, subject=f"Number {number}").id for number in range(3)]
    write(cast.bob)
    total, page = tickets.list_own(session, cast.alice, limit=2, offset=1)
    assert (total, [each.id for each in page]) == (3, [written[1], written[0]])


def test_every_change_is_published_to_customer_and_staff(cast: Cast) -> None:
    def topics(operation: Callable[..., object], who: User | None, *arguments: object) -> set[str]:
        with Session(db.get_engine()) as session:
            operation(session, session.get(User, who.id) if who else None, *arguments)
            published: set[str] = session.info[live.TOPICS] - {live.OUTBOX}
            session.commit()
            return published

    both = {live.STAFF, live.user(cast.alice.id)}
    assert topics(tickets.create, cast.alice, parse(TicketForm, LATE)) == both
    guest = parse(TicketForm, LATE | {"customerEmail": "guest@example.org"})
    assert topics(tickets.create, None, guest) == {live.STAFF}
    ticket = write(cast.alice)
    for who in (cast.alice, cast.ada):
        assert topics(tickets.reply, who, ticket.id, parse(ReplyForm, {"message": "Thank you."})) == both
    assert topics(tickets.edit, cast.ada, ticket.id, parse(TicketEditForm, {"status": "resolved"})) == both


def test_the_length_of_a_conversation_is_limited(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tickets, "MAX_TICKET_MESSAGES", 1)
    ticket = write(cast.alice)
    reply(cast.alice, ticket)
    with pytest.raises(tickets.TicketFull):
        reply(cast.alice, ticket)


def test_a_ticket_has_a_user_or_an_address(session: Session) -> None:
    session.add(
        Ticket(
            customer_email="",
            subject="x",
            message="x",
            category=TicketCategory.GENERAL,
            priority=TicketPriority.LOW,
        )
    )
    with pytest.raises(IntegrityError):
        session.flush()


def test_own_tickets_are_exported_and_erased(engine: Engine, cast: Cast, session: Session) -> None:
    mine = write(cast.alice)
    reply(cast.ada, mine, "An answer to keep.")
    as_guest = write(None, customerEmail="Alice@Example.org")
    other = write(cast.bob)
    exported = db.read(lambda s: privacy.export(s, s.get(User, cast.alice.id)))["tickets"]
    assert {each["id"] for each in exported} == {mine.id, as_guest.id}
    assert [each["message"] for ticket in exported for each in ticket["messages"]] == ["An answer to keep."]
    db.write(lambda s: privacy.erase(s, s.get(User, cast.alice.id)))
    with engine.connect() as connection:
        assert connection.execute(text("SELECT id FROM tickets")).scalars().all() == [other.id]
        assert connection.execute(text("SELECT count(*) FROM ticket_messages")).scalar_one() == 0
        assert connection.execute(text("SELECT count(*) FROM outbox")).scalar_one() == 0


def test_an_empty_category_counts_as_omitted() -> None:
    given = {"subject": "Late", "message": "Where is it?", "category": ""}
    assert parse(TicketForm, given).category is None


def test_a_ticket_of_a_repeat_customer_is_never_of_low_priority(session: Session, cast: Cast) -> None:
    quiet = {"subject": "Opening hours", "message": "Just wondering when you are open, no hurry at all."}
    assert write(cast.alice, **quiet).priority is TicketPriority.LOW
    fern = make_product(session, price_cents=120_00)
    session.commit()
    number = db.write(lambda s: orders.place(s, s.get(User, cast.alice.id), order_form((fern, 1)), key=None))["number"]
    session.execute(update(Order).where(col(Order.number) == number).values(status=OrderStatus.DELIVERED))
    session.commit()
    later = write(cast.alice, **quiet)
    assert (later.priority, later.ai_analysis.priority) == (TicketPriority.MEDIUM, TicketPriority.MEDIUM)
    assert later.ai_analysis.estimated_resolution.startswith("1-2 hours")


def test_a_ticket_is_about_an_order_of_its_own_customer(session: Session, cast: Cast) -> None:
    placed = buy(session, cast.alice)
    assert write(cast.alice, orderId=placed["id"]).order_id == placed["id"]
    assert write(cast.alice).order_id is None


@pytest.mark.parametrize("who", ["bob", "ada", "guest"])
def test_a_ticket_cannot_name_an_order_of_another(session: Session, cast: Cast, who: str) -> None:
    placed = buy(session, cast.alice)
    for order_id in (placed["id"], "unknown", ""):
        with pytest.raises(errors.InvalidInput) as refused:
            write(getattr(cast, who, None), orderId=order_id, customerEmail="guest@example.org")
        assert refused.value.fields == {"orderId": "Order not found."}
