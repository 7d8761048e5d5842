"""`/admin/users/[user_id]`: one user with their orders, tickets, referrals, credit and sessions."""

from dataclasses import dataclass
from datetime import datetime

import reflex as rx

from marketplace_app import clock, messages, money, rule_messages
from marketplace_app.adapters import live
from marketplace_app.config import get_settings
from marketplace_app.display.labels import ORDER_HUES, TICKET_HUES, label_of
from marketplace_app.errors import NotFound
from marketplace_app.models import Permission, Role
from marketplace_app.schemas.admin.user import UserDetailAnswer
from marketplace_app.schemas.admin.users import RoleForm, UserRef
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.controls import row_id
from marketplace_app.services.admin import user_actions
from marketplace_app.services.admin import users as admin_users
from marketplace_app.services.dispatch import failures
from marketplace_app.states.events.base import Updates, action, read, route_argument, shows_its_row, toast, write
from marketplace_app.states.events.failures import MISSING_OR_FAILED, Explain
from marketplace_app.states.events.subscriptions import subscribe
from marketplace_app.states.events.viewer import ViewerState


@dataclass(frozen=True)
class ListItem:
    """An entry of one of the page's lists."""

    key: str
    href: str
    name: str
    subtitle: str
    figure: str = ""
    badge: str = ""
    hue: str = "grey"


class AdminUserState(rx.State):
    view: str = "loading"
    """loading, found, missing or failed"""
    id: int = 0
    name: str = ""
    subtitle: str = ""
    """`nora@example.com · joined Nov 20, 2026`"""
    role: str = ""
    is_owner: bool = False
    is_banned: bool = False
    ban_reason: str = ""
    is_me: bool = False
    role_lock_reason: str = ""
    """Why the role cannot be changed here; empty if it can."""
    facts: list[tuple[str, str]] = []
    orders: list[ListItem] = []
    tickets: list[ListItem] = []
    referrals: list[ListItem] = []
    credit: list[ListItem] = []
    sessions: list[ListItem] = []

    @action(who=Permission.SEE_USERS, on_failure=MISSING_OR_FAILED)
    async def load(self) -> Updates:
        """on_load, and again after a reconnect; until the answer arrives, the screen keeps what it shows."""
        if not shows_its_row(self, "user_id"):
            self.view = "loading"
            yield None
        subscribe(self, live.STAFF)
        await self._fetch()

    @action(who=Permission.GRANT_ROLES, on_failure=Explain(messages.ERROR, messages.USER_NOT_UPDATED))
    async def grant(self, role: str) -> None:
        """Change the role. The page is read again even after a failure, so that it shows the role that is stored."""
        try:
            await write(self, user_actions.grant, self.id, parse(RoleForm, {"role": role}))
        finally:
            await self._fetch()
        await toast(self, "success", messages.ROLE_CHANGED)

    async def _refresh(self) -> None:
        """Something changed elsewhere; it may concern this page."""
        try:
            await self._fetch()
        except NotFound:
            self.view = "missing"

    async def _fetch(self) -> None:
        user_id = row_id(route_argument(self, "user_id"))
        found = await read(self, admin_users.get, parse(UserRef, {"id": user_id}).id)
        self.is_me = (await self.get_state(ViewerState))._user_id == str(found.id)
        self._show(found)

    def _show(self, found: UserDetailAnswer) -> None:
        self.id, self.name = found.id, found.name or found.email
        self.subtitle = f"{found.email} · joined {_day(found.created_at)}"
        self.role, self.is_owner = found.role.value, found.role is Role.OWNER
        self.is_banned, self.ban_reason = found.is_banned, found.ban_reason
        self.role_lock_reason = _role_lock_reason(found, self.is_me)
        self.facts = _facts(found)
        self.orders, self.tickets = _orders(found), _tickets(found)
        self.referrals, self.credit, self.sessions = _referrals(found), _credit(found), _sessions(found)
        self.view = "found"


def _day(at: datetime) -> str:
    return clock.show_date(at, get_settings().timezone)


def _time(at: datetime) -> str:
    return clock.show_time(at, get_settings().timezone)


def _role_lock_reason(found: UserDetailAnswer, is_me: bool) -> str:
    if is_me:
        return "You cannot change your own role. Ask another owner."
    if found.is_owner_by_settings:
        return "An owner because ADMIN_EMAILS names them. Remove the address there first."
    return ""


def _facts(found: UserDetailAnswer) -> list[tuple[str, str]]:
    return [
        ("Email", found.email),
        ("Signs in as", found.verified_email),
        ("Member since", _day(found.created_at)),
        ("Age", "Verified (21+)" if found.is_age_verified else "Not verified"),
        ("Total orders", f"{found.total_orders:,}"),
        ("Total spent", money.show(found.total_spent_cents)),
        ("Referral credit", money.show(found.referral_credit_cents)),
        ("Referred by", found.referrer.name if found.referrer else "Nobody"),
        ("First purchase discount", "Used" if found.first_purchase_discount_used else "Not used"),
        ("Referral bonus", "Used" if found.referral_bonus_used else "Not used"),
        *([("Failed deliveries", _failed(found))] if found.failed_deliveries else []),
    ]


def _failed(found: UserDetailAnswer) -> str:
    """`2 not home, 1 no ID`"""
    labels = {reason: rule_messages.within_sentence(rule.label) for reason, rule in failures.RULES.items()}
    return ", ".join(f"{each.count:,} {labels[each.reason]}" for each in found.failed_deliveries)


def _orders(found: UserDetailAnswer) -> list[ListItem]:
    return [
        ListItem(
            key=order.id,
            href=f"/admin/orders/{order.id}",
            name=f"Order {order.number}",
            subtitle=_time(order.created_at),
            figure=money.show(order.total_cents),
            badge=order.status.label,
            hue=ORDER_HUES[order.status],
        )
        for order in found.orders
    ]


def _tickets(found: UserDetailAnswer) -> list[ListItem]:
    return [
        ListItem(
            key=ticket.id,
            href=f"/support?ticket={ticket.id}",
            name=ticket.subject,
            subtitle=_time(ticket.created_at),
            badge=label_of(ticket.status),
            hue=TICKET_HUES[ticket.status],
        )
        for ticket in found.tickets
    ]


def _referrals(found: UserDetailAnswer) -> list[ListItem]:
    return [
        ListItem(str(each.id), f"/admin/users/{each.id}", each.name, f"Joined {_day(each.created_at)}")
        for each in found.referrals
    ]


def _credit(found: UserDetailAnswer) -> list[ListItem]:
    return [
        ListItem(f"{number}", "", line.what, _time(line.at), money.show(line.amount_cents), line.state.value)
        for number, line in enumerate(found.statement)
    ]


def _sessions(found: UserDetailAnswer) -> list[ListItem]:
    return [
        ListItem(f"{number}", "", f"Signed in {_time(each.created_at)}", f"Last seen {_time(each.last_seen_at)}")
        for number, each in enumerate(found.sessions)
    ]
