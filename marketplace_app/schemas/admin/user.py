"""One user, with everything that staff may see of them (RULE user-page)."""

from typing import Any

from pydantic import Field

from marketplace_app.models import FailureReason, OrderStatus, TicketStatus
from marketplace_app.schemas.account.referrals import StatementLine
from marketplace_app.schemas.admin.users import AdminUserView
from marketplace_app.schemas.base import Moment, Money, View


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


# The lists have the latest few of each, newest first.
class UserDetailAnswer(AdminUserView):
    verified_email: str
    """The address they sign in with; `email` may have been edited."""
    is_age_verified: bool = Field(alias="ageVerified")
    orders: tuple[UserOrder, ...]
    tickets: tuple[UserTicket, ...]
    referrals: tuple[RelatedUser, ...]
    statement: tuple[StatementLine, ...] = Field(alias="credit")
    sessions: tuple[SessionView, ...]
    failed_deliveries: tuple[FailedDeliveries, ...] = Field((), description="Left out if there are none.")
    referrer: RelatedUser | None = Field(None, exclude=True)
    is_owner_by_settings: bool = Field(False, exclude=True)

    def wire(self) -> dict[str, Any]:
        body = super().wire()
        if not self.failed_deliveries:
            del body["failedDeliveries"]
        return body
