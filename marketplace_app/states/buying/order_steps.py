"""The progress of an order: what happened when, and what is ahead."""

from dataclasses import dataclass, replace

from marketplace_app import clock
from marketplace_app.config import get_settings
from marketplace_app.models import OrderStatus
from marketplace_app.schemas.buying.orders import OrderView

TITLE_ID = "order-title"
"""The heading of the page, which receives the focus when the focused button is removed."""
STATUS_SEQUENCE = (OrderStatus.PENDING, OrderStatus.CONFIRMED, OrderStatus.OUT_FOR_DELIVERY, OrderStatus.DELIVERED)
STEP_NAMES = {
    OrderStatus.PENDING: "Pending",
    OrderStatus.CONFIRMED: "Confirmed",
    OrderStatus.OUT_FOR_DELIVERY: "Out for delivery",
    OrderStatus.DELIVERED: "Delivered",
    OrderStatus.CANCELLED: "Cancelled",
}


@dataclass(frozen=True)
class Step:
    key: str
    name: str
    note: str
    """When it happened or is expected."""
    stage: str
    """done, now, next or ended"""


def steps_of(order: OrderView) -> list[Step]:
    """Past steps in order; then, unless the order has ended, the steps still to come."""
    timezone = get_settings().timezone
    steps = [
        Step(str(index), STEP_NAMES[change.to_status], clock.show_time(change.created_at, timezone), "done")
        for index, change in enumerate(order.history)
    ]
    if order.status is OrderStatus.CANCELLED:
        return [*steps[:-1], replace(steps[-1], stage="ended")]
    if order.status is not OrderStatus.DELIVERED:
        steps[-1] = replace(steps[-1], stage="now")
    due = f"By {clock.show_time(order.estimated_delivery_at, timezone)}"
    ahead = STATUS_SEQUENCE[STATUS_SEQUENCE.index(order.status) + 1 :]
    return steps + [Step(to.value, STEP_NAMES[to], due if to is OrderStatus.DELIVERED else "", "next") for to in ahead]
