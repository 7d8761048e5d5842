"""What every list of orders for staff does alike: it names the customer, and marks and announces new orders."""

from collections.abc import Sequence
from datetime import datetime

from marketplace_app import money
from marketplace_app.schemas.admin.orders import AdminOrderRow


def customer_label(name: str) -> str:
    """The customer's name on the order, which is empty once the account was erased."""
    return name or "Deleted account"


def is_new(order: AdminOrderRow, opened_at: datetime | None) -> bool:
    """Whether the order was placed while the page was open."""
    return opened_at is not None and order.created_at >= opened_at


def announcement(orders: Sequence[AdminOrderRow], opened_at: datetime | None, last: int) -> tuple[str, int]:
    """What to announce, and the number of the order that was announced last.

    `last` is that number from before. Of the new orders above it, the latest is announced:
    `New order 4836 from Nora Whitfield, $381.68`. Without any, nothing is.
    """
    added = [order for order in orders if is_new(order, opened_at) and order.number > last]
    if not added:
        return "", last
    latest = max(added, key=lambda order: order.number)
    customer = customer_label(latest.customer_name)
    return f"New order {latest.number} from {customer}, {money.show(latest.total_cents)}", latest.number
