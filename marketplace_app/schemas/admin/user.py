"""One user, with everything that staff may see of them (RULE user-page)."""

from dataclasses import dataclass
from typing import Any

from pydantic import Field

from marketplace_app.models import FailureReason, OrderStatus, TicketStatus
from marketplace_app.schemas.admin.users import AdminUserView
from marketplace_app.schemas.base import Moment, Money, View
from marketplace_app.schemas.referrals import StatementLine


class UserOrder(View):
    id: str
    number: int
    status: OrderStatus
    total_cents: Money = Field(examples=["152.50"])
    created_at: Moment


class UserTicket(View):
    id: str
    subject: str
    status: TicketStatus
    created_at: Moment


# A user they referred, or who referred them.
class RelatedUser(View):
    id: int
    name: str
    created_at: Moment


class SessionView(View):
    created_at: Moment
    last_seen_at: Moment


class FailedDeliveries(View):
    """How often a delivery to the person failed for a reason that is theirs (RULE failed-stops)."""

    reason: FailureReason
    count: int = Field(examples=[2])


@dataclass(frozen=True)
class UserDetail:
    """The lists have the latest few of each, newest first."""

    person: AdminUserView
    verified_email: str
    """The address they sign in with; `email` may have been edited."""
    referrer: RelatedUser | None
    is_age_verified: bool
    is_owner_by_settings: bool
    orders: tuple[UserOrder, ...]
    tickets: tuple[UserTicket, ...]
    referrals: tuple[RelatedUser, ...]
    statement: tuple[StatementLine, ...]
    sessions: tuple[SessionView, ...]
    failed_deliveries: tuple[FailedDeliveries, ...] = ()

    def wire(self) -> dict[str, Any]:
        body = self.person.wire() | {
            "verifiedEmail": self.verified_email,
            "ageVerified": self.is_age_verified,
            "orders": [each.wire() for each in self.orders],
            "tickets": [each.wire() for each in self.tickets],
            "referrals": [each.wire() for each in self.referrals],
            "credit": [line.wire() for line in self.statement],
            "sessions": [each.wire() for each in self.sessions],
        }
        failed = [each.wire() for each in self.failed_deliveries]
        return body | ({"failedDeliveries": failed} if failed else {})


class UserDetailAnswer(AdminUserView):
    verified_email: str
    age_verified: bool
    orders: list[UserOrder]
    tickets: list[UserTicket]
    referrals: list[RelatedUser]
    credit: list[StatementLine]
    sessions: list[SessionView]
    failed_deliveries: list[FailedDeliveries] = Field([], description="Left out if there are none.")
