"""A change of an order's status ends the stop that it does not fit (RULE run-stops)."""

import pytest
from sqlalchemy import Engine

from marketplace_app.models import OrderStatus, Product, StopOutcome, User
from marketplace_app.services.dispatch import departures
from tests.conftest import Cast
from tests.counting import count_statements
from tests.services.buying.test_fulfilment import set_status
from tests.services.dispatch.test_runs import call, outcomes, place, plan


@pytest.mark.parametrize(
    ("is_out", "status", "outcome"),
    [
        (False, OrderStatus.CONFIRMED, None),
        (False, OrderStatus.OUT_FOR_DELIVERY, None),
        (False, OrderStatus.DELIVERED, StopOutcome.DELIVERED),
        (False, OrderStatus.CANCELLED, StopOutcome.REMOVED),
        (True, OrderStatus.CONFIRMED, StopOutcome.REMOVED),
        (True, OrderStatus.PENDING, StopOutcome.REMOVED),
        (True, OrderStatus.DELIVERED, StopOutcome.DELIVERED),
        (True, OrderStatus.CANCELLED, StopOutcome.CANCELLED),
    ],
)
def test_a_status_set_by_hand_ends_the_stop_that_it_does_not_fit(
    cast: Cast, dora: User, fern: Product, is_out: bool, status: OrderStatus, outcome: StopOutcome | None
) -> None:
    order_id = place(cast.alice, fern)
    run = plan(cast.ada, dora, order_id)
    if is_out:
        call(cast.ada, departures.depart, run.id)
    set_status(cast.ada, order_id, status)
    listed = outcomes(cast.ada, run.id)
    assert listed == ([] if outcome is StopOutcome.REMOVED else [outcome])


def test_placing_an_order_reads_no_run_and_a_change_of_status_reads_its_stop_once(
    engine: Engine, cast: Cast, fern: Product
) -> None:
    """A shop that plans no runs pays one cheap statement for each change of a status."""
    with count_statements(engine) as placing:
        order_id = place(cast.alice, fern)
    assert not [sql for sql in placing if "run_stops" in sql]
    for status in (OrderStatus.CONFIRMED, OrderStatus.DELIVERED, OrderStatus.CANCELLED, OrderStatus.PENDING):
        with count_statements(engine) as changing:
            set_status(cast.ada, order_id, status)
        assert len([sql for sql in changing if "run_stops" in sql]) == 1
    with count_statements(engine) as changing:
        set_status(cast.ada, order_id, OrderStatus.OUT_FOR_DELIVERY)
    assert not [sql for sql in changing if "run_stops" in sql]
