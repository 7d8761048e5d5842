"""`/admin/recalls`, and `/admin/recalls/[batch_id]`: one recall with the orders that it stops (RULE recalls-page)."""

from dataclasses import dataclass

import reflex as rx

from marketplace_app import clock
from marketplace_app.adapters import live
from marketplace_app.config import get_settings
from marketplace_app.display.bidi import isolated
from marketplace_app.display.labels import ORDER_HUES
from marketplace_app.display.paging import counted
from marketplace_app.errors import NotFound
from marketplace_app.models import Permission
from marketplace_app.schemas.batches.recalls import RecalledOrder, RecallSummary, RecallView
from marketplace_app.schemas.controls import row_id
from marketplace_app.services.batches import recalls
from marketplace_app.states.events.base import Updates, action, read, route_argument, shows_its_row
from marketplace_app.states.events.failures import ShowPageFailed, ShowView
from marketplace_app.states.events.subscriptions import subscribe

NO_BREAK_SPACE = "\N{NO-BREAK SPACE}"
MAX_ORDERS_SHOWN = 200
"""How many of the orders that a recall stops are shown. The CSV has them all."""


@dataclass(frozen=True)
class RecallRow:
    id: int
    href: str
    what: str
    """`Fern Hollow, batch FH-2611`"""
    facts: str
    """`Nov 27, 2026, 5:42 PM · The laboratory found mould`"""
    readers: str
    """`12 orders · 4 of 9 buyers have read the notice`"""
    status: str
    hue: str


@dataclass(frozen=True)
class RecalledOrderRow:
    id: str
    href: str
    title: str
    """`Order 1042`"""
    facts: str
    """`Nora Whitfield · 503 555 0142 · 2 units`; no line break within the phone number"""
    status: str
    hue: str
    notice: str
    """`Read Nov 27, 2026, 5:42 PM`, or `Not read yet`"""


class AdminRecallsState(rx.State):
    is_loading: bool = True
    recalls: list[RecallRow] = []

    @action(who=Permission.RECALL, on_failure=ShowPageFailed())
    async def load(self) -> None:
        """on_load."""
        subscribe(self, live.STAFF)
        await self._refresh()

    async def _refresh(self) -> None:
        self.recalls = [_row(recall) for recall in await read(self, recalls.list_all)]
        self.is_loading = False


class AdminRecallState(rx.State):
    view: str = "loading"
    """loading, found, missing or failed"""
    id: int = 0
    title: str = ""
    when: str = ""
    reason: str = ""
    figures: list[tuple[str, str]] = []
    do_not_hand_over: list[RecalledOrderRow] = []
    more: str = ""
    """`40 more are in the CSV.`; empty if all are shown."""
    export_href: str = ""

    @action(who=Permission.RECALL, on_failure=(ShowView("missing", NotFound), ShowView("failed")))
    async def load(self) -> Updates:
        """on_load, and again after a reconnect; until the answer arrives, the screen keeps what it shows."""
        if not shows_its_row(self, "batch_id"):
            self.view = "loading"
            yield None
        subscribe(self, live.STAFF)
        self._show(await read(self, recalls.get, row_id(route_argument(self, "batch_id"))))

    async def _refresh(self) -> None:
        if self.view == "found":
            self._show(await read(self, recalls.get, self.id))

    def _show(self, recall: RecallView) -> None:
        self.id, self.title = recall.batch_id, _name(recall)
        self.when = f"Recalled {clock.show_time(recall.recalled_at, get_settings().timezone)}"
        self.reason = recall.reason
        self.figures = [
            ("Not to be handed over", counted(recall.not_handed_over, "order")),
            ("Orders", f"{recall.orders:,}"),
            ("Buyers", f"{recall.buyers:,}"),
            ("Have read the notice", f"{recall.readers:,} of {recall.buyers:,}"),
            ("Units in orders", f"{recall.units:,}"),
            ("Units set aside", f"{recall.set_aside:,}"),
        ]
        self.do_not_hand_over = [_order_row(order) for order in recall.do_not_hand_over[:MAX_ORDERS_SHOWN]]
        left = len(recall.do_not_hand_over) - len(self.do_not_hand_over)
        self.more = f"{left:,} more {'is' if left == 1 else 'are'} in the CSV." if left else ""
        self.export_href = f"/api/admin/recalls/{recall.batch_id}/export"
        self.view = "found"


def _name(recall: RecallSummary) -> str:
    return f"{isolated(recall.product)}, batch {recall.code}"


def _row(recall: RecallSummary) -> RecallRow:
    is_open = recall.not_handed_over > 0
    orders = counted(recall.orders, "order")
    return RecallRow(
        id=recall.batch_id,
        href=f"/admin/recalls/{recall.batch_id}",
        what=_name(recall),
        facts=f"{clock.show_time(recall.recalled_at, get_settings().timezone)} · {recall.reason}",
        readers=f"{orders} · {recall.readers:,} of {recall.buyers:,} buyers have read the notice",
        status=f"{recall.not_handed_over:,} to stop" if is_open else "none to stop",
        hue="red" if is_open else "grey",
    )


def _order_row(order: RecalledOrder) -> RecalledOrderRow:
    phone = order.phone.replace(" ", NO_BREAK_SPACE)
    read_at = order.read_at and clock.show_time(order.read_at, get_settings().timezone)
    return RecalledOrderRow(
        id=order.order_id,
        href=f"/admin/orders/{order.order_id}",
        title=f"Order {order.number}",
        facts=" · ".join(filter(None, (isolated(order.customer_name), phone, counted(order.units, "unit")))),
        status=order.status.label,
        hue=ORDER_HUES[order.status],
        notice=f"Read {read_at}" if read_at else "Not read yet",
    )
