"""One person, with all that the shop's own people see of them (RULE user-page)."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from pydantic import Field

from marketplace_app import clock, money
from marketplace_app.models import OrderStatus, TicketStatus
from marketplace_app.schemas.admin.users import AdminUserAnswer, AdminUserView
from marketplace_app.schemas.base import Answer
from marketplace_app.schemas.referrals import CreditState, StatementLine


@dataclass(frozen=True)
class UserOrder:
    id: str
    number: int
    status: OrderStatus
    total_cents: int
    created_at: datetime

    def wire(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "number": self.number,
            "status": self.status.value,
            "total": money.decimal(self.total_cents),
            "createdAt": clock.iso(self.created_at),
        }


@dataclass(frozen=True)
class UserTicket:
    id: str
    subject: str
    status: TicketStatus
    created_at: datetime

    def wire(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "subject": self.subject,
            "status": self.status.value,
            "createdAt": clock.iso(self.created_at),
        }


@dataclass(frozen=True)
class Friend:
    """A user they referred."""

    id: int
    name: str
    created_at: datetime

    def wire(self) -> dict[str, Any]:
        return {"id": self.id, "name": self.name, "createdAt": clock.iso(self.created_at)}


@dataclass(frozen=True)
class SessionView:
    created_at: datetime
    last_seen_at: datetime

    def wire(self) -> dict[str, Any]:
        return {"createdAt": clock.iso(self.created_at), "lastSeenAt": clock.iso(self.last_seen_at)}


@dataclass(frozen=True)
class UserDetail:
    """All that staff see of a user; lists newest first, the latest few of each."""

    person: AdminUserView
    verified_email: str
    """What they sign in with; `email` may have been edited."""
    referrer: Friend | None
    is_age_verified: bool
    is_owner_by_settings: bool
    orders: tuple[UserOrder, ...]
    tickets: tuple[UserTicket, ...]
    referrals: tuple[Friend, ...]
    statement: tuple[StatementLine, ...]
    sessions: tuple[SessionView, ...]

    def wire(self) -> dict[str, Any]:
        return self.person.wire() | {
            "verifiedEmail": self.verified_email,
            "ageVerified": self.is_age_verified,
            "orders": [each.wire() for each in self.orders],
            "tickets": [each.wire() for each in self.tickets],
            "referrals": [each.wire() for each in self.referrals],
            "credit": [
                {
                    "at": clock.iso(line.at),
                    "what": line.what,
                    "state": line.state.value,
                    "amount": money.decimal(line.amount_cents),
                }
                for line in self.statement
            ],
            "sessions": [each.wire() for each in self.sessions],
        }


class UserOrderAnswer(Answer):
    id: str
    number: int
    status: OrderStatus
    total: str = Field(examples=["152.50"])
    created_at: datetime


class UserTicketAnswer(Answer):
    id: str
    subject: str
    status: TicketStatus
    created_at: datetime


class FriendAnswer(Answer):
    id: int
    name: str
    created_at: datetime


class CreditLineAnswer(Answer):
    at: datetime
    what: str = Field(examples=["Mary"])
    state: CreditState
    amount: str = Field(examples=["100.00"])


class SessionAnswer(Answer):
    created_at: datetime
    last_seen_at: datetime


class UserDetailAnswer(AdminUserAnswer):
    verified_email: str
    age_verified: bool
    orders: list[UserOrderAnswer]
    tickets: list[UserTicketAnswer]
    referrals: list[FriendAnswer]
    credit: list[CreditLineAnswer]
    sessions: list[SessionAnswer]
