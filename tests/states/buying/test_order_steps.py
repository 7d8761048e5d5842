"""The progress of an order: what happened with its times, and what is ahead (RULE order-page)."""

from collections.abc import Sequence

import pytest

from marketplace_app.models import OrderStatus
from marketplace_app.states.buying.order_steps import steps_of
from tests.states.buying.views import order_view

PENDING, CONFIRMED, OUT, DELIVERED, CANCELLED = OrderStatus


@pytest.mark.parametrize(
    ("past", "shown"),
    [
        ([PENDING], "Pending now, Confirmed next, Out for delivery next, Delivered next"),
        ([PENDING, CONFIRMED], "Pending done, Confirmed now, Out for delivery next, Delivered next"),
        ([PENDING, CONFIRMED, OUT, DELIVERED], "Pending done, Confirmed done, Out for delivery done, Delivered done"),
        ([PENDING, DELIVERED], "Pending done, Delivered done"),
        ([PENDING, CONFIRMED, CANCELLED], "Pending done, Confirmed done, Cancelled ended"),
        (
            [PENDING, CONFIRMED, PENDING],
            "Pending done, Confirmed done, Pending now, Confirmed next, Out for delivery next, Delivered next",
        ),
    ],
)
def test_what_happened_comes_before_what_is_ahead(past: Sequence[OrderStatus], shown: str) -> None:
    steps = steps_of(order_view(past))
    assert ", ".join(f"{step.name} {step.stage}" for step in steps) == shown
    assert len({step.key for step in steps}) == len(steps)


def test_only_the_delivery_that_is_ahead_has_an_estimate() -> None:
    assert [step.note for step in steps_of(order_view([PENDING, CONFIRMED]))] == [
        "Nov 18, 2026, 12:00 PM",
        "Nov 18, 2026, 1:00 PM",
        "",
        "By Nov 20, 2026, 12:00 PM",
    ]
