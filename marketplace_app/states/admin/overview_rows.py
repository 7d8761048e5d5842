"""What the overview of the admin dashboard shows, in words and numbers."""

from dataclasses import dataclass
from datetime import date, timedelta

from marketplace_app import money, rule_messages
from marketplace_app.display import plots
from marketplace_app.display.labels import ORDER_HUES
from marketplace_app.display.paging import counted
from marketplace_app.limits import LATE_AFTER, LOW_STOCK, SHORT_ID_CHARACTERS
from marketplace_app.models import TaxKind
from marketplace_app.schemas.admin.orders import AdminOrderRow
from marketplace_app.schemas.admin.statistics import NeedsAttention, Report, Totals
from marketplace_app.schemas.admin.taxes import MonthlyTax
from marketplace_app.schemas.admin.users import AdminUserView
from marketplace_app.states.admin.orders.listed_orders import customer_label

_LATE = f"older than {LATE_AFTER // timedelta(hours=1)} hours"


@dataclass(frozen=True)
class Stat:
    label: str
    figure: str
    emphasis: str
    """What the line below the figure begins with, in bold: `+8.2%`. May be empty."""
    note: str
    """The rest of that line: `vs. the previous 30 days`."""
    tone: str = ""
    """Colours the emphasis: `good`, `bad` or empty."""


@dataclass(frozen=True)
class BarRow:
    """A row with a bar: a status, a product, or first and returning buyers."""

    key: str
    label: str
    figure: str
    percent: int
    """The length of the bar: its share of the longest one or, for buyers, of all of them."""
    href: str = ""
    count: int = 0


@dataclass(frozen=True)
class DayRow:
    day: str
    orders: str
    revenue: str


@dataclass(frozen=True)
class TaxRow:
    key: str
    month: str
    """`Nov 2026`"""
    tax: str
    """`Excise tax, 15% (CA)`"""
    base: str
    amount: str


@dataclass(frozen=True)
class AttentionItem:
    symbol: str
    sentence: str
    href: str
    is_bad: bool


@dataclass(frozen=True)
class RecentOrder:
    id: str
    number: str
    short_id: str
    href: str
    customer: str
    status_label: str
    status_hue: str
    total: str
    is_new: bool
    """Placed while this page was open."""


@dataclass(frozen=True)
class RecentUser:
    id: int
    href: str
    name: str
    email: str
    is_banned: bool


@dataclass(frozen=True)
class OverviewData:
    """All data of the overview tab, read in one transaction."""

    totals: Totals
    report: Report
    new_customers: int
    needs: NeedsAttention
    orders: tuple[AdminOrderRow, ...]
    users: tuple[AdminUserView, ...]


def stats_of(data: OverviewData) -> list[Stat]:
    totals, report = data.totals, data.report
    days = report.span.length
    comparison = f"vs. the previous {days} days"
    collected_percent = (
        round(100 * totals.collected_revenue_cents / totals.total_revenue_cents) if totals.total_revenue_cents else 0
    )
    late = data.needs.late_pending_orders
    return [
        _compared("Total orders", f"{totals.total_orders:,}", report.total.orders, report.before.orders, comparison),
        _compared(
            "Total revenue",
            money.show(totals.total_revenue_cents),
            report.total.revenue_cents,
            report.before.revenue_cents,
            comparison,
        ),
        Stat("Collected revenue", money.show(totals.collected_revenue_cents), f"{collected_percent}%", "collected"),
        Stat(
            "Pending orders",
            f"{totals.pending_orders:,}",
            f"{late:,}" if late else "",
            _LATE if late else f"None {_LATE}",
            "bad" if late else "",
        ),
        Stat(
            "Total customers",
            f"{totals.total_customers:,}",
            f"+{data.new_customers:,}" if data.new_customers else "",
            f"in the last {days} days" if data.new_customers else f"No new customers in the last {days} days",
            "good",
        ),
    ]


def _compared(label: str, figure: str, now: int, before: int, comparison: str) -> Stat:
    change = plots.percent_change(now, before)
    tone = "good" if now > before else "bad" if now < before else ""
    if not change:
        return Stat(label, figure, "", "Nothing to compare with yet")
    return Stat(label, figure, change, comparison, tone)


def summary_of(report: Report) -> str:
    """`412 orders worth $48,210.00 in 30 days. The best day was Nov 14 with $3,204.50.`"""
    orders = counted(report.total.orders, "order")
    summary = f"{orders} worth {money.show(report.total.revenue_cents)} in {report.span.length} days."
    day, best = max(report.days, key=lambda each: each[1].revenue_cents)
    if not best.revenue_cents:
        return summary
    return f"{summary} The best day was {day:%b %d} with {money.show(best.revenue_cents)}."


def status_shares(report: Report) -> list[BarRow]:
    most = max(report.statuses.values())
    href_prefix = "/admin?tab=orders&status="
    return [
        BarRow(
            status.value, status.label, f"{count:,}", plots.bar_percent(count, most), href_prefix + status.value, count
        )
        for status, count in report.statuses.items()
    ]


def top_products(report: Report) -> list[BarRow]:
    most = max((product.revenue_cents for product in report.top_products), default=0)
    return [
        BarRow(
            str(product.product_id),
            product.name,
            money.show(product.revenue_cents),
            plots.bar_percent(product.revenue_cents, most),
            f"/admin/products/{product.product_id}",
        )
        for product in report.top_products
    ]


def tax_rows(report: Report) -> list[TaxRow]:
    return [
        TaxRow(
            key=f"{tax.month} {tax.state} {tax.code} {tax.kind} {tax.basis_points} {tax.label}",
            month=f"{date.fromisoformat(f'{tax.month}-01'):%b %Y}",
            tax=_tax_name(tax),
            base=money.show(tax.base_cents),
            amount=money.show(tax.amount_cents),
        )
        for tax in report.taxes
    ]


def _tax_name(tax: MonthlyTax) -> str:
    name = rule_messages.tax_name(tax.label, tax.basis_points) + (f" ({tax.state})" if tax.state else "")
    return f"{name}, in the prices" if tax.kind is TaxKind.INCLUDED else name


def buyer_shares(report: Report) -> list[BarRow]:
    first, returning = report.buyers.first, report.buyers.returning
    whole = first + returning
    return [
        BarRow("first", "First order", f"{first:,}", plots.bar_percent(first, whole)),
        BarRow("returning", "Returning", f"{returning:,}", plots.bar_percent(returning, whole)),
    ]


def attention_items(needs: NeedsAttention) -> list[AttentionItem]:
    def entry(symbol: str, count: int, one: str, many: str, href: str, *, is_bad: bool = False) -> list[AttentionItem]:
        return [AttentionItem(symbol, f"{count:,} {one if count == 1 else many}", href, is_bad)] if count else []

    low = f"with {LOW_STOCK} or fewer in stock"
    return [
        *entry(
            "clock",
            needs.late_pending_orders,
            f"pending order {_LATE}",
            f"pending orders {_LATE}",
            "/admin?tab=orders&status=pending&order=asc",
            is_bad=True,
        ),
        *entry("order", needs.low_stock_products, f"product {low}", f"products {low}", "/admin/products?show=low"),
        *entry(
            "support",
            needs.urgent_tickets,
            "urgent ticket unanswered",
            "urgent tickets unanswered",
            "/support?status=open&priority=urgent",
            is_bad=True,
        ),
        *entry(
            "flask",
            needs.untested_products,
            "product without a lab report",
            "products without a lab report",
            "/admin/products?show=untested",
        ),
        *entry(
            "list",
            needs.unwritten_legal_pages,
            "legal page not written yet",
            "legal pages not written yet",
            "/admin/legal",
        ),
    ]


def recent_order(order: AdminOrderRow, is_new: bool) -> RecentOrder:
    return RecentOrder(
        id=order.id,
        number=str(order.number),
        short_id=order.id[:SHORT_ID_CHARACTERS],
        href=f"/admin/orders/{order.id}",
        customer=customer_label(order.customer_name),
        status_label=order.status.label,
        status_hue=ORDER_HUES[order.status],
        total=money.show(order.total_cents),
        is_new=is_new,
    )
