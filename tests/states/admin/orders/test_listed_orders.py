"""What the orders tab and the overview do alike with the orders that they list."""

from datetime import UTC, datetime, timedelta

import pytest

from marketplace_app.models import OrderStatus
from marketplace_app.schemas.admin.orders import AdminOrderRow
from marketplace_app.states.admin import overview_rows
from marketplace_app.states.admin.orders import orders
from marketplace_app.states.admin.orders.listed_orders import announcement

OPENED_AT = datetime(2026, 11, 27, 12, tzinfo=UTC)


def row(number: int, minutes: int = 0, customer: str = "Nora Lind") -> AdminOrderRow:
    """Placed so many minutes after the page was opened."""
    placed_at = OPENED_AT + timedelta(minutes=minutes)
    return AdminOrderRow(
        str(number), number, customer, "nora@example.org", placed_at, 2, 381_68, OrderStatus.PENDING, "214 Larch Street"
    )


@pytest.mark.parametrize(
    ("listed", "last", "expected"),
    [
        ([], 0, ("", 0)),
        ([row(1, -1)], 0, ("", 0)),
        ([row(1, 1)], 1, ("", 1)),
        ([row(2, 2), row(1, 1)], 0, ("New order 2 from Nora Lind, $381.68", 2)),
        ([row(1, 1), row(2, 2)], 1, ("New order 2 from Nora Lind, $381.68", 2)),
    ],
    ids=["no order", "an older one", "one that was announced", "the latest first", "the latest last"],
)
def test_the_latest_of_the_new_orders_is_announced_however_the_list_is_sorted(
    listed: list[AdminOrderRow], last: int, expected: tuple[str, int]
) -> None:
    assert announcement(listed, OPENED_AT, last) == expected


def test_nothing_is_new_on_a_page_that_was_not_loaded() -> None:
    assert announcement([row(1, 1)], None, 0) == ("", 0)


def test_every_list_names_the_customer_whose_account_was_erased() -> None:
    erased = row(1, customer="")
    assert orders._row(erased, is_new=False).customer == "Deleted account"
    assert overview_rows.recent_order(erased, is_new=False).customer == "Deleted account"
    erased_since = row(1, 1, customer="")
    assert announcement([erased_since], OPENED_AT, 0)[0] == "New order 1 from Deleted account, $381.68"
