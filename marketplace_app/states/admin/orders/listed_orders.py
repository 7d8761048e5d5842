"""What every list of orders for staff does alike: it names the customer, and marks and announces new orders."""

from collections.abc import Collection, Sequence
from datetime import datetime

from marketplace_app import money
from marketplace_app.schemas.admin.orders import AdminOrderRow


def customer_label(name: str) -> str:
    """The customer's name on the order, which is empty once the account was erased."""
    return name or "Deleted account"


def is_new(order: AdminOrderRow, opened_at: datetime | None) -> bool:
    """Whether the order was placed while the page was open."""
    return opened_at is not None and order.created_at >= opened_at


def announcement(orders: Sequence[AdminOrderRow], opened_at: datetime | None, shown: Collection[str]) -> str:
    """`New order 4836 from Nora Whitfield, $381.68`: the latest of the new orders whose ids are not among those shown
    before. Empty if there is none."""
    added = [order for order in orders if is_new(order, opened_at) and order.id not in shown]
    if not added:
        return ""
    latest = max(added, key=lambda order: order.created_at)
    return f"New order {latest.number} from {customer_label(latest.customer_name)}, {money.show(latest.total_cents)}"
