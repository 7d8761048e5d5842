"""The admin dashboard: which of its five tabs is open, how much work is pending, and the URL of the orders tab."""

from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import ConfigDict, Field

from marketplace_app.limits import ADMIN_PAGE_SIZE
from marketplace_app.models import OrderStatus
from marketplace_app.schemas.admin.orders import OrderQuery, OrderSortKey
from marketplace_app.schemas.base import Day, Form, PageOfList
from marketplace_app.schemas.products.products import SortDirection

DashboardTab = Literal["overview", "orders", "users", "invitations", "support"]


class DashboardParams(Form):
    """`/admin?tab=orders`; each tab reads its own parameters beside it."""

    model_config = ConfigDict(strict=False, extra="ignore")

    tab: DashboardTab = "overview"


@dataclass(frozen=True)
class PendingCounts:
    """Counts of pending work, shown beside the tabs; 0 for what the role may not see."""

    pending_orders: int
    open_invitations: int
    open_tickets: int
    last_order_number: int
    """The highest number of any order; before the first, the counter's start."""


class OrdersParams(Form):
    """The URL of the orders tab: `/admin?tab=orders&q=larch&status=pending&page=2`."""

    model_config = ConfigDict(strict=False, extra="ignore")

    q: Annotated[str, Field(max_length=200)] = ""
    status: OrderStatus | None = None
    placed_from: Day | None = None
    placed_to: Day | None = None
    sort: OrderSortKey = OrderSortKey.PLACED
    order: SortDirection = SortDirection.DESCENDING
    page: PageOfList = 1

    def query(self) -> OrderQuery:
        return OrderQuery(
            q=self.q,
            status=[self.status] if self.status else [],
            placed_from=self.placed_from,
            placed_to=self.placed_to,
            sort=self.sort,
            order=self.order,
            limit=ADMIN_PAGE_SIZE,
            offset=(self.page - 1) * ADMIN_PAGE_SIZE,
        )

    def direction_after(self, wanted: OrderSortKey) -> SortDirection:
        """After a click on a column's heading: largest first, or reversed if it was sorted like that already."""
        is_reversed = wanted is self.sort and self.order is SortDirection.DESCENDING
        return SortDirection.ASCENDING if is_reversed else SortDirection.DESCENDING

    @property
    def is_filtered(self) -> bool:
        return bool(self.q or self.status or self.placed_from or self.placed_to)


class OrderControlValue(Form):
    """What a control of the orders tab was set to: a filter, or the column to sort by."""

    model_config = ConfigDict(strict=False)

    status: OrderStatus | None = None
    placed_from: Day | None = None
    placed_to: Day | None = None
    sort: OrderSortKey = OrderSortKey.PLACED
