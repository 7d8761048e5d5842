"""`/admin/cash`: what is in the shop, the shifts of drivers, and every movement (RULE cash-page)."""

from dataclasses import dataclass

import reflex as rx

from marketplace_app import cash_messages, clock, money
from marketplace_app.adapters import live
from marketplace_app.config import get_settings
from marketplace_app.display.paging import Paging
from marketplace_app.limits import ADMIN_PAGE_SIZE
from marketplace_app.models import CashAccount, Permission
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.cash import CashMovementView, MovementsQuery, ShiftState, ShiftView
from marketplace_app.schemas.controls import PageNumber
from marketplace_app.services.cash import transfers
from marketplace_app.states.events.base import action, read
from marketplace_app.states.events.failures import ShowPageFailed
from marketplace_app.states.events.subscriptions import subscribe

SHIFT_BADGES = {
    ShiftState.OPEN: ("open", "blue"),
    ShiftState.RECOUNT: ("count again", "yellow"),
    ShiftState.DIFFERS: ("differs", "red"),
    ShiftState.AGREES: ("agrees", "green"),
    ShiftState.CLOSED: ("closed", "grey"),
}


@dataclass(frozen=True)
class ShiftRow:
    id: int
    href: str
    driver: str
    facts: str
    """`Since Nov 27, 2026, 8:00 AM · float $50.00`"""
    status: str
    hue: str


@dataclass(frozen=True)
class MovementRow:
    id: int
    what: str
    """`Paid, order 1042: customer to desk`"""
    facts: str
    """`Nov 27, 2026, 5:42 PM · Ada · slip 004711`"""
    amount: str


class AdminCashState(rx.State):
    is_loading: bool = True
    desk: str = ""
    safe: str = ""
    bank: str = ""
    variance: str = ""
    """`$5.00 short`"""
    open_shifts: list[ShiftRow] = []
    closed_shifts: list[ShiftRow] = []
    movements: list[MovementRow] = []
    page: int = 1
    pages: int = 1
    range_label: str = ""
    """`1-25 of 312`"""

    @action(who=Permission.HANDLE_CASH, on_failure=ShowPageFailed())
    async def load(self) -> None:
        """on_load."""
        subscribe(self, live.STAFF)
        self.page = 1
        await self._refresh()

    @action(who=Permission.HANDLE_CASH)
    async def go_to(self, page: int) -> None:
        self.page = parse(PageNumber, {"page": page}).page
        await self._refresh()

    async def _refresh(self) -> None:
        cash = await read(self, transfers.show)
        self.desk, self.safe, self.bank = (
            money.show(cents) for cents in (cash.desk_cents, cash.safe_cents, cash.bank_cents)
        )
        # A positive variance is missing cash, which `difference` calls short.
        self.variance = cash_messages.difference(-cash.variance_cents)
        self.open_shifts = [_shift_row(shift) for shift in cash.open_shifts]
        self.closed_shifts = [_shift_row(shift) for shift in cash.closed_shifts]
        query = parse(MovementsQuery, {"limit": ADMIN_PAGE_SIZE, "offset": (self.page - 1) * ADMIN_PAGE_SIZE})
        found = await read(self, transfers.list_movements, query)
        self.movements = [_movement_row(movement) for movement in found.movements]
        paging = Paging(self.page, ADMIN_PAGE_SIZE, found.total)
        self.pages, self.range_label = paging.pages, paging.range_label
        self.is_loading = False


def _shift_row(shift: ShiftView) -> ShiftRow:
    status, hue = SHIFT_BADGES[shift.state]
    timezone = get_settings().timezone
    if shift.closed_at is None:
        facts = f"Since {clock.show_time(shift.opened_at, timezone)} · float {money.show(shift.float_cents)}"
    else:
        result = cash_messages.difference(shift.difference_cents or 0)
        facts = f"Closed {clock.show_time(shift.closed_at, timezone)} by {shift.closed_by} · {result}"
        hue = "red" if shift.difference_cents else hue
    return ShiftRow(shift.id, f"/admin/shifts/{shift.id}", shift.driver.name, facts, status, hue)


def _movement_row(movement: CashMovementView) -> MovementRow:
    names = {**cash_messages.ACCOUNTS, CashAccount.DRIVER: movement.driver}
    reason = cash_messages.REASONS[movement.reason]
    order = f", order {movement.order_number}" if movement.order_number else ""
    facts = [
        clock.show_time(movement.created_at, get_settings().timezone),
        movement.by,
        f"seen by {movement.witness}" if movement.witness else "",
        f"slip {movement.slip_number}" if movement.slip_number else "",
        movement.note,
    ]
    return MovementRow(
        movement.id,
        f"{reason}{order}: {names[movement.from_account]} to {names[movement.to_account]}",
        " · ".join(filter(None, facts)),
        money.show(movement.cents),
    )
