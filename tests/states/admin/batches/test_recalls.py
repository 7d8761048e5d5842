"""The page of a recall (RULE recalls-page)."""

import asyncio
from datetime import UTC, datetime

import pytest
from reflex.state import State

from marketplace_app.marketplace_app import app  # noqa: F401 - registers the states
from marketplace_app.models import OrderStatus
from marketplace_app.schemas.batches.recalls import RecalledOrder, RecallView
from marketplace_app.states.admin.batches.recalls import MAX_ORDERS_SHOWN, AdminRecallState


def recall_of(count: int) -> RecallView:
    order = RecalledOrder(
        order_id="1",
        number=1042,
        status=OrderStatus.PENDING,
        customer_name="Nora Whitfield",
        phone="503 555 0142",
        units=2,
        read_at=None,
    )
    return RecallView(
        batch_id=12,
        product_id=7,
        product="Fern Hollow",
        code="FH-2611",
        reason="The laboratory found mould",
        recalled_at=datetime(2026, 11, 27, 20, tzinfo=UTC),
        set_aside=0,
        units=2 * count,
        orders=count,
        buyers=1,
        readers=0,
        not_handed_over=count,
        do_not_hand_over=(order,) * count,
    )


@pytest.mark.parametrize(
    ("hidden", "text"), [(0, ""), (1, "1 more is in the CSV."), (1_040, "1,040 more are in the CSV.")]
)
def test_a_recall_says_how_many_orders_are_only_in_the_file(hidden: int, text: str) -> None:
    async def more() -> str:
        state = await State().get_state(AdminRecallState)
        state._show(recall_of(MAX_ORDERS_SHOWN + hidden))
        return str(state.more)

    assert asyncio.run(more()) == text
