"""The orders tab of the admin area: search, filters, sorting and pages, all in the URL."""

from dataclasses import dataclass
from datetime import datetime
from operator import attrgetter

import reflex as rx

from marketplace_app import clock, money
from marketplace_app.config import get_settings
from marketplace_app.display.labels import NEXT_STEP_LABELS, ORDER_HUES
from marketplace_app.display.paging import counted
from marketplace_app.limits import SHORT_ID_CHARACTERS
from marketplace_app.models import OrderStatus, Permission
from marketplace_app.schemas.admin.dashboard import OrderControlValue, OrdersParams
from marketplace_app.schemas.admin.orders import AdminOrderRow
from marketplace_app.schemas.admin.urls import with_query
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.buying.order_forms import OrderId
from marketplace_app.schemas.controls import PageNumber, SearchText, is_unfinished_day
from marketplace_app.services.admin import orders as admin_orders
from marketplace_app.states.admin.orders.listed_orders import announcement, customer_label, is_new
from marketplace_app.states.events.base import Events, action, query_of, read
from marketplace_app.states.events.choices import chosen, refine, visit
from marketplace_app.states.events.last_page import read_page

PATH = "/admin?tab=orders"
ALL = "all"
STATUS_SEGMENTS = [(ALL, "All"), *((each.value, each.label) for each in OrderStatus)]
"""The choices of the status filter: value and label."""


@dataclass(frozen=True)
class OrderRow:
    id: str
    short_id: str
    """The first eight characters (RULE order-identity)."""
    href: str
    number: str
    customer: str
    placed: str
    pieces: str
    total: str
    status: str
    status_label: str
    status_hue: str
    step: str
    """The button that sets the next status, such as `Confirm`; empty for none."""
    address: str
    is_new: bool
    """Placed while this page was open."""


class AdminOrdersState(rx.State):
    is_loading: bool = True
    orders: list[OrderRow] = []
    count_label: str = ""
    """`312 orders`"""
    range_label: str = ""
    """`1–25 of 312`"""
    page: int = 1
    pages: int = 1
    search_text: str = ""
    segment: str = ALL
    counts: dict[str, str] = {}
    """By segment, how many orders it would show, such as `1,204`."""
    placed_from: str = ""
    placed_to: str = ""
    sort: str = "placed"
    sort_direction: str = "desc"
    is_filtered: bool = False
    export_href: str = "/api/admin/orders/export"
    selected_count: int = 0
    """How many rows of this page are selected."""
    are_all_selected: bool = False
    checkboxes_key: int = 0
    """A React key: a new number rebuilds the checkboxes."""
    _selected: set[str] = set()
    announced: str = ""
    """For assistive technology: `New order 4836 from Nora Whitfield, $381.68`"""
    _opened_at: datetime | None = None
    _last_announced: int = 0
    """The number of the last new order that was announced, or was there when the page was opened."""

    @action(who=Permission.SEE_ORDERS)
    async def search(self, text: str) -> Events:
        return await self._refine(q=parse(SearchText, {"text": text}).text, is_typed=True)

    @action(who=Permission.SEE_ORDERS)
    async def show_status(self, status: str) -> Events:
        """Choose a segment; `all` removes the filter."""
        choice = parse(OrderControlValue, {} if status == ALL else {"status": status})
        return await self._refine(status=choice.status)

    @action(who=Permission.SEE_ORDERS)
    async def show_days(self, edge: str, day: str) -> Events:
        """`edge` is `placedFrom` or `placedTo`; an empty day removes it."""
        if is_unfinished_day(day):
            return None
        choice = parse(OrderControlValue, {edge: day} if day else {})
        name = "placed_from" if edge == "placedFrom" else "placed_to"
        return await self._refine(**{name: getattr(choice, name)})

    @action(who=Permission.SEE_ORDERS)
    async def sort_by(self, column: str) -> Events:
        """Choosing the same column again reverses the order."""
        params, wanted = await chosen(self, OrdersParams), parse(OrderControlValue, {"sort": column}).sort
        return await self._refine(sort=wanted, order=params.direction_after(wanted))

    @action(who=Permission.SEE_ORDERS)
    async def clear(self) -> Events:
        return await visit(self, PATH)

    @action(who=Permission.SEE_ORDERS)
    async def go_to(self, page: int) -> Events:
        return await self._refine(page=parse(PageNumber, {"page": page}).page)

    @action(who=Permission.EDIT_ORDERS)
    async def toggle_selected(self, order_id: str) -> None:
        """The checkbox of a row changed; the browser already shows it."""
        self._set_selected(self._selected ^ {parse(OrderId, {"orderId": order_id}).order_id})

    @action(who=Permission.EDIT_ORDERS)
    async def toggle_all(self) -> None:
        """The checkbox of the header: select every row of this page, or none if all are selected."""
        self._select(set() if self.are_all_selected else self._page_ids())

    @action(who=Permission.EDIT_ORDERS)
    async def deselect(self) -> None:
        self._select(set())

    def _leave_page(self) -> None:
        self._deselect_all()

    def _deselect_all(self) -> None:
        if self._selected:
            self._select(set())

    def _select(self, ids: set[str]) -> None:
        """Select all rows or none. The checkboxes are uncontrolled, so they are rebuilt."""
        self._set_selected(ids)
        self.checkboxes_key += 1

    def _keep_selection(self, ids: set[str]) -> None:
        """Keep those selected rows that the page still shows. If none are left, the checkboxes are rebuilt."""
        kept = self._selected & ids
        if kept:
            self._set_selected(kept)
        else:
            self._deselect_all()

    def _set_selected(self, ids: set[str]) -> None:
        self._selected, self.selected_count = ids, len(ids)
        self.are_all_selected = bool(ids) and ids == self._page_ids()

    def _page_ids(self) -> set[str]:
        return {row.id for row in self.orders}

    async def _load(self) -> None:
        params = self._params()
        self._opened_at = self._opened_at or clock.now()
        found, paging = await read_page(
            params.query(), lambda query: read(self, admin_orders.list_all, query), attrgetter("total")
        )
        added, self._last_announced = announcement(found.orders, self._opened_at, self._last_announced)
        if added and not self.is_loading:
            self.announced = added
        self.orders = [_row(order, is_new=is_new(order, self._opened_at)) for order in found.orders]
        self._keep_selection(self._page_ids())
        self.counts = {status.value: f"{count:,}" for status, count in found.counts.items()}
        self.counts[ALL] = f"{sum(found.counts.values()):,}"
        self.count_label = counted(found.total, "order")
        self.page, self.pages, self.range_label = paging.page, paging.pages, paging.range_label
        self._show(params)
        self.is_loading = False

    def _show(self, params: OrdersParams) -> None:
        self.search_text, self.segment = params.q, params.status.value if params.status else ALL
        self.placed_from, self.placed_to = str(params.placed_from or ""), str(params.placed_to or "")
        self.sort, self.sort_direction, self.is_filtered = params.sort.value, params.order.value, params.is_filtered
        self.export_href = with_query("/api/admin/orders/export", params)

    def _params(self) -> OrdersParams:
        return query_of(self, OrdersParams)

    async def _refine(self, *, is_typed: bool = False, **changes: object) -> Events:
        return await refine(self, PATH, OrdersParams, is_typed=is_typed, **changes)


def _row(order: AdminOrderRow, *, is_new: bool) -> OrderRow:
    return OrderRow(
        id=order.id,
        short_id=order.id[:SHORT_ID_CHARACTERS],
        href=f"/admin/orders/{order.id}",
        number=str(order.number),
        customer=customer_label(order.customer_name),
        placed=clock.show_time(order.created_at, get_settings().timezone),
        pieces=str(order.item_count),
        total=money.show(order.total_cents),
        status=order.status.value,
        status_label=order.status.label,
        status_hue=ORDER_HUES[order.status],
        step=NEXT_STEP_LABELS.get(order.status, ""),
        address=order.address,
        is_new=is_new,
    )
