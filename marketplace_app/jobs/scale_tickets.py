"""What the staff of a large shop handle besides orders: tickets and invitations, as rows."""

import random
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from uuid import UUID

from marketplace_app import codes
from marketplace_app.jobs.scale_orders import RowValues, row_of
from marketplace_app.jobs.scale_plan import PlannedUser
from marketplace_app.limits import INVITATION_LIFETIME
from marketplace_app.models import (
    Invitation,
    InvitationStatus,
    SenderType,
    Ticket,
    TicketMessage,
    TicketPriority,
    TicketStatus,
)
from marketplace_app.schemas.tickets import AnalysisView
from marketplace_app.services.support import triage

TICKETS_PER_USER, INVITATIONS_PER_USER = 0.25, 0.1
SAMPLE_FOLLOW_UP = "I forgot to say: it is the green door at the back."
SAMPLE_MESSAGES = (
    ("Driver could not find the door", "He called twice and drove off. Can he come back today?"),
    ("Wrong jar in the bag", "I ordered Fern Hollow and there was something else in the bag."),
    ("How long does a quarter keep?", "Is the jar enough, or should it be cold?"),
    ("My total looks wrong", "The first-purchase discount is not on my order."),
    ("Cannot sign in on my phone", "The page says that something went wrong."),
    ("New address", "I have moved. How do I change where my orders go?"),
)
FOLLOW_UP_AFTER = timedelta(hours=1)


def tickets(
    users: Sequence[PlannedUser], ids: dict[str, int], now: datetime, rng: random.Random
) -> Iterator[tuple[RowValues, list[RowValues]]]:
    """Each ticket with its further messages: none if the ticket is open, otherwise one."""
    latest = now - FOLLOW_UP_AFTER
    analysed = [(*sample, triage.analyse(*sample, users[0].joined_at)) for sample in SAMPLE_MESSAGES]
    for _ in range(int(len(users) * TICKETS_PER_USER)):
        user = rng.choice(users)
        subject, message, found = rng.choice(analysed)
        ticket = Ticket(
            id=str(UUID(int=rng.getrandbits(128), version=4)),
            user_id=ids[user.email],
            customer_email=user.email,
            customer_name=f"{user.first_name} {user.last_name}",
            subject=subject,
            message=message,
            category=found.category,
            priority=rng.choice(list(TicketPriority)),
            status=rng.choice(list(TicketStatus)),
            tags=list(found.tags),
            analysis=AnalysisView.of(found).wire(),
            created_at=min(user.joined_at + timedelta(hours=rng.randrange(1, 48)), latest),
        )
        is_open = ticket.status is TicketStatus.OPEN
        yield row_of(ticket), [] if is_open else [_follow_up(ticket, ids[user.email], rng)]


def _follow_up(ticket: Ticket, sender_id: int, rng: random.Random) -> RowValues:
    return row_of(
        TicketMessage(
            id=str(UUID(int=rng.getrandbits(128), version=4)),
            ticket_id=ticket.id,
            position=1,
            sender_type=SenderType.CUSTOMER,
            sender_id=sender_id,
            message=SAMPLE_FOLLOW_UP,
            created_at=ticket.created_at + FOLLOW_UP_AFTER,
        )
    )


def invitations(
    users: Sequence[PlannedUser], ids: dict[str, int], now: datetime, rng: random.Random
) -> Iterator[RowValues]:
    """Some accepted, some revoked, and some pending, most of which have expired."""
    for number in range(int(len(users) * INVITATIONS_PER_USER)):
        user = rng.choice(users)
        status = rng.choice(list(InvitationStatus))
        is_accepted = status is InvitationStatus.ACCEPTED
        yield row_of(
            Invitation(
                code_hash=codes.fingerprint(f"scale-{number}"),
                email=user.email if is_accepted else f"guest.{number}@example.net",
                first_name=user.first_name,
                last_name=user.last_name,
                status=status,
                created_at=min(user.joined_at, now - timedelta(hours=1)),
                expires_at=min(user.joined_at, now - timedelta(hours=1)) + INVITATION_LIFETIME,
                accepted_at=user.joined_at if is_accepted else None,
                accepted_by_id=ids[user.email] if is_accepted else None,
            )
        )
