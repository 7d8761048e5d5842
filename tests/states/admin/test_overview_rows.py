"""The words and numbers of the overview (RULE overview, RULE needs-attention)."""

from datetime import date, timedelta
from typing import Any

import pytest

from marketplace_app.components.admin.overview import overview
from marketplace_app.components.controls.icons import PATHS
from marketplace_app.models import OrderStatus
from marketplace_app.schemas.admin.statistics import Buyers, NeedsAttention, Report, Sales, Span, TopProduct, Totals
from marketplace_app.schemas.admin.taxes import MonthlyTax
from marketplace_app.schemas.jurisdictions.state_rules import TaxKind
from marketplace_app.states.admin.overview_rows import (
    OverviewData,
    Stat,
    attention_items,
    buyer_shares,
    stats_of,
    status_shares,
    summary_of,
    tax_rows,
    top_products,
)

FIRST = date(2026, 11, 14)
NOTHING = Sales(orders=0, revenue_cents=0)
CALM = NeedsAttention(
    late_pending_orders=0, low_stock_products=0, urgent_tickets=0, untested_products=0, unwritten_legal_pages=0
)


def report(*revenue_by_day: int, **changes: Any) -> Report:
    """With an order for each day that has revenue."""
    days = tuple(
        (FIRST + timedelta(days=number), Sales(orders=int(cents > 0), revenue_cents=cents))
        for number, cents in enumerate(revenue_by_day)
    )
    facts: dict[str, Any] = {
        "span": Span(FIRST, FIRST + timedelta(days=len(days) - 1)),
        "total": Sales(orders=sum(sales.orders for _, sales in days), revenue_cents=sum(revenue_by_day)),
        "before": NOTHING,
        "days": days,
        "hours": (0,) * 24,
        "statuses": dict.fromkeys(OrderStatus, 0),
        "top_products": (),
        "buyers": Buyers(first=0, returning=0),
        "taxes": (),
    }
    return Report(**facts | changes)


def stats(needs: NeedsAttention = CALM, new_customers: int = 0, **changes: Any) -> dict[str, Stat]:
    """By label."""
    totals = Totals(
        total_orders=1_284,
        total_revenue_cents=200_00,
        collected_revenue_cents=150_00,
        pending_orders=9,
        total_customers=612,
    ).model_copy(update={name: changes.pop(name) for name in Totals.model_fields if name in changes})
    data = OverviewData(totals, report(100_00, 0, **changes), new_customers, needs, (), ())
    return {each.label: each for each in stats_of(data)}


def tax(**changes: Any) -> MonthlyTax:
    facts: dict[str, Any] = {
        "month": "2026-11",
        "state": "CA",
        "code": "excise",
        "label": "Excise tax",
        "kind": TaxKind.ADDED,
        "basis_points": 1_500,
        "orders": 1,
        "base_cents": 100_00,
        "amount_cents": 15_00,
    }
    return MonthlyTax(**facts | changes)


def test_each_item_that_needs_attention_has_an_icon_of_its_own() -> None:
    needs = NeedsAttention(
        late_pending_orders=1, low_stock_products=1, urgent_tickets=1, untested_products=1, unwritten_legal_pages=1
    )
    symbols = [item.symbol for item in attention_items(needs)]
    assert len(set(symbols)) == 5
    built = str(overview())
    assert [symbol for symbol in symbols if PATHS[symbol] not in built] == []


def test_only_what_needs_attention_is_listed_in_singular_and_plural() -> None:
    assert attention_items(CALM) == []
    needs = CALM.model_copy(update={"low_stock_products": 1, "urgent_tickets": 1_200})
    assert [(item.sentence, item.is_bad) for item in attention_items(needs)] == [
        ("1 product with 10 or fewer in stock", False),
        ("1,200 urgent tickets unanswered", True),
    ]


@pytest.mark.parametrize(
    ("before", "emphasis", "tone", "note"),
    [
        (50_00, "+100%", "good", "vs. the previous 2 days"),
        (200_00, "−50%", "bad", "vs. the previous 2 days"),
        (100_00, "0%", "", "vs. the previous 2 days"),
        (0, "", "", "Nothing to compare with yet"),
    ],
    ids=["more", "less", "the same", "nothing before"],
)
def test_revenue_is_compared_with_the_span_before(before: int, emphasis: str, tone: str, note: str) -> None:
    shown = stats(before=Sales(orders=1, revenue_cents=before))["Total revenue"]
    assert (shown.figure, shown.emphasis, shown.tone, shown.note) == ("$200.00", emphasis, tone, note)


def test_a_shop_without_revenue_has_collected_nothing_of_it() -> None:
    assert stats()["Collected revenue"].emphasis == "75%"
    assert stats(total_revenue_cents=0, collected_revenue_cents=0)["Collected revenue"].emphasis == "0%"


def test_late_orders_and_new_customers_are_emphasized_only_if_there_are_any() -> None:
    calm = stats()
    assert [(calm[label].emphasis, calm[label].note) for label in ("Pending orders", "Total customers")] == [
        ("", "None older than 4 hours"),
        ("", "No new customers in the last 2 days"),
    ]
    assert calm["Pending orders"].tone == ""
    busy = stats(CALM.model_copy(update={"late_pending_orders": 3}), new_customers=12)
    assert [(busy[label].emphasis, busy[label].note) for label in ("Pending orders", "Total customers")] == [
        ("3", "older than 4 hours"),
        ("+12", "in the last 2 days"),
    ]
    assert busy["Pending orders"].tone == "bad"


def test_the_summary_names_the_best_day_if_anything_was_sold() -> None:
    assert summary_of(report(0, 0)) == "0 orders worth $0.00 in 2 days."
    best = "The best day was Nov 15 with $320.50."
    assert summary_of(report(100_00, 320_50)) == f"2 orders worth $420.50 in 2 days. {best}"


def test_bars_are_as_long_as_their_share_of_the_longest_or_of_all_buyers() -> None:
    statuses = dict.fromkeys(OrderStatus, 0) | {OrderStatus.PENDING: 1, OrderStatus.DELIVERED: 400}
    sold = tuple(
        TopProduct(product_id=number, name="Fern", quantity=1, revenue_cents=cents)
        for number, cents in ((1, 200_00), (2, 50_00))
    )
    shown = report(0, statuses=statuses, top_products=sold, buyers=Buyers(first=1, returning=3))
    lengths = {row.key: row.percent for row in status_shares(shown)}
    assert (lengths["delivered"], lengths["pending"], lengths["cancelled"]) == (100, 1, 0)
    assert [row.percent for row in top_products(shown)] == [100, 25]
    assert [row.percent for row in buyer_shares(shown)] == [25, 75]


def test_a_report_without_sales_has_bars_without_length() -> None:
    empty = report(0)
    assert {row.percent for row in (*status_shares(empty), *buyer_shares(empty))} == {0}
    assert top_products(empty) == []


def test_a_tax_names_its_state_and_whether_prices_contain_it() -> None:
    found = tax_rows(report(0, taxes=(tax(), tax(state="", kind=TaxKind.INCLUDED))))
    assert [row.tax for row in found] == ["Excise tax, 15% (CA)", "Excise tax, 15%, in the prices"]
    assert (found[0].month, found[0].base, found[0].amount) == ("Nov 2026", "$100.00", "$15.00")
    assert len({row.key for row in found}) == 2
