"""The overview tab of the desk: figures of all time, a span in charts, what needs a look, and the latest."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from urllib.parse import parse_qsl

import reflex as rx
from sqlmodel import Session

from marketplace_app import clock, money
from marketplace_app.config import get_settings
from marketplace_app.limits import DESK_ID_CHARACTERS, LOW_STOCK, RECENT_ENTRIES
from marketplace_app.models import Permission, User
from marketplace_app.schemas.admin.orders import AdminOrderRow
from marketplace_app.schemas.admin.statistics import DEFAULT_SPAN, NeedsAttention, Report, SpanQuery, Totals
from marketplace_app.schemas.admin.users import AdminUserView, UserQuery
from marketplace_app.schemas.base import parse, parse_params
from marketplace_app.services.admin import orders as admin_orders
from marketplace_app.services.admin import statistics
from marketplace_app.services.admin import users as admin_users
from marketplace_app.states import plots
from marketplace_app.states.base import action, read
from marketplace_app.states.orders import STATUS_HUES
from marketplace_app.states.paging import counted

DAYS_OF_A_PHONE = 14
HOURS_WIDTH, HOURS_HEIGHT = 288, 96


@dataclass(frozen=True)
class Stat:
    label: str
    figure: str
    lead: str
    """What changed, in a word: `+8.2%`."""
    note: str
    """And against what: `on the 30 days before`."""
    tone: str = ""
    """good, bad or nothing"""


@dataclass(frozen=True)
class Share:
    """A line with a bar: a status or a product."""

    key: str
    label: str
    figure: str
    percent: int
    href: str = ""
    count: int = 0


@dataclass(frozen=True)
class DayRow:
    day: str
    orders: str
    revenue: str


@dataclass(frozen=True)
class Attention:
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
    """Came while this page was open."""


@dataclass(frozen=True)
class RecentUser:
    id: int
    href: str
    name: str
    email: str
    is_banned: bool


@dataclass(frozen=True)
class OverviewData:
    """All that the tab shows, read at one moment."""

    totals: Totals
    report: Report
    new_customers: int
    needs: NeedsAttention
    orders: tuple[AdminOrderRow, ...]
    users: tuple[AdminUserView, ...]


class AdminOverviewState(rx.State):
    is_loading: bool = True
    today: str = ""
    span: str = str(DEFAULT_SPAN)
    stats: list[Stat] = []
    wide: plots.Plot = plots.Plot()
    narrow: plots.Plot = plots.Plot()
    summary: str = ""
    """The chart in a sentence."""
    days: list[DayRow] = []
    mix: list[Share] = []
    top: list[Share] = []
    hours: list[plots.Bar] = []
    hours_summary: str = ""
    hour_rows: list[tuple[str, str]] = []
    buyers: list[Share] = []
    attentions: list[Attention] = []
    recent_orders: list[RecentOrder] = []
    recent_users: list[RecentUser] = []
    announced: str = ""
    """For assistive technology: `New order 4836 from Nora Whitfield, $381.68`"""
    _opened_at: datetime | None = None

    @action(who=Permission.SEE_DASHBOARD)
    async def show_span(self, days: str):
        """It goes into the address, so that Back works and a view can be shared."""
        chosen = parse(SpanQuery, {"days": days}).days
        return rx.redirect("/admin?tab=overview" + (f"&days={chosen}" if chosen != DEFAULT_SPAN else ""))

    async def _load(self) -> None:
        query = self._query()
        seen = await read(self, _see, query)
        self._opened_at = self._opened_at or clock.now()
        self._announce(seen.orders)
        self.span = str(query.days)
        self.today = (
            f"{clock.now().astimezone(get_settings().timezone):%A, %b %d, %Y} · new orders appear automatically"
        )
        self.stats = _stats(seen)
        self._draw(seen.report)
        self.attentions = _attentions(seen.needs)
        self.recent_orders = [_recent_order(order, self._is_new(order)) for order in seen.orders]
        self.recent_users = [
            RecentUser(each.id, f"/admin/users/{each.id}", each.name or each.email, each.email, each.is_banned)
            for each in seen.users
        ]
        self.is_loading = False

    def _draw(self, report: Report) -> None:
        figures = [(day, sales.orders, sales.revenue_cents) for day, sales in report.days]
        self.wide, self.narrow = plots.plot(figures, plots.WIDE), plots.plot(figures[-DAYS_OF_A_PHONE:], plots.NARROW)
        self.summary = _summary(report)
        self.days = [
            DayRow(f"{day:%b %d, %Y}", f"{orders:,}", money.show(cents)) for day, orders, cents in reversed(figures)
        ]
        self.mix, self.top, self.buyers = _mix(report), _top(report), _buyers(report)
        self.hours = list(plots.hour_bars(report.hours, width=HOURS_WIDTH, height=HOURS_HEIGHT))
        self.hour_rows = [(_hour(hour), f"{count:,}") for hour, count in enumerate(report.hours)]
        busiest = max(range(24), key=lambda hour: report.hours[hour])
        self.hours_summary = (
            f"Most orders come between {_hour(busiest)} and {_hour((busiest + 1) % 24)}."
            if any(report.hours)
            else "No orders in this period."
        )

    def _announce(self, orders: tuple[AdminOrderRow, ...]) -> None:
        known = {order.id for order in self.recent_orders}
        newest = next((order for order in orders if self._is_new(order) and order.id not in known), None)
        if newest is not None and not self.is_loading:
            self.announced = f"New order {newest.number} from {newest.customer_name}, {money.show(newest.total_cents)}"

    def _is_new(self, order: AdminOrderRow) -> bool:
        return self._opened_at is not None and order.created_at >= self._opened_at

    def _query(self) -> SpanQuery:
        asked = dict(parse_qsl(self.router.url.query))
        return parse_params(SpanQuery, {"days": asked.get("days", DEFAULT_SPAN)})


def _see(session: Session, actor: User | None, query: SpanQuery) -> OverviewData:
    return OverviewData(
        totals=statistics.totals(session, actor),
        report=statistics.report(session, actor, query),
        new_customers=statistics.new_customers(session, actor, query),
        needs=statistics.needs_attention(session, actor),
        orders=admin_orders.list_latest(session, actor, RECENT_ENTRIES),
        users=admin_users.list_all(session, actor, UserQuery(limit=RECENT_ENTRIES))[1],
    )


def _stats(seen: OverviewData) -> list[Stat]:
    totals, report = seen.totals, seen.report
    days = report.span.length
    before = f"vs. the previous {days} days"
    collected = round(100 * totals.collected_cents / totals.revenue_cents) if totals.revenue_cents else 0
    late = seen.needs.late_orders
    return [
        _compared("Total orders", f"{totals.orders:,}", report.total.orders, report.before.orders, before),
        _compared(
            "Total revenue",
            money.show(totals.revenue_cents),
            report.total.revenue_cents,
            report.before.revenue_cents,
            before,
        ),
        Stat("Collected revenue", money.show(totals.collected_cents), f"{collected}%", "collected"),
        Stat(
            "Pending orders",
            f"{totals.pending:,}",
            f"{late:,}" if late else "",
            "older than 4 hours" if late else "None older than 4 hours",
            "bad" if late else "",
        ),
        Stat(
            "Total customers",
            f"{totals.customers:,}",
            f"+{seen.new_customers:,}" if seen.new_customers else "",
            f"in the last {days} days" if seen.new_customers else f"No new customers in the last {days} days",
            "good",
        ),
    ]


def _compared(label: str, figure: str, now: int, before: int, against: str) -> Stat:
    lead = plots.change(now, before)
    tone = "good" if now > before else "bad" if now < before else ""
    return Stat(label, figure, lead, against, tone) if lead else Stat(label, figure, "", "Nothing to compare with yet")


def _summary(report: Report) -> str:
    """`412 orders worth $48,210.00 in 30 days. The best day was Nov 14 with $3,204.50.`"""
    orders = counted(report.total.orders, "order")
    words = f"{orders} worth {money.show(report.total.revenue_cents)} in {report.span.length} days."
    day, best = max(report.days, key=lambda each: each[1].revenue_cents)
    if not best.revenue_cents:
        return words
    return f"{words} The best day was {day:%b %d} with {money.show(best.revenue_cents)}."


def _mix(report: Report) -> list[Share]:
    most, everything = max(report.statuses.values()), "/admin?tab=orders&status="
    return [
        Share(status.value, status.label, f"{count:,}", plots.share(count, most), everything + status.value, count)
        for status, count in report.statuses.items()
    ]


def _top(report: Report) -> list[Share]:
    most = max((product.revenue_cents for product in report.top_products), default=0)
    return [
        Share(
            str(product.product_id),
            product.name,
            money.show(product.revenue_cents),
            plots.share(product.revenue_cents, most),
            f"/admin/products/{product.product_id}",
        )
        for product in report.top_products
    ]


def _buyers(report: Report) -> list[Share]:
    first, returning = report.buyers.first, report.buyers.returning
    whole = first + returning
    return [
        Share("first", "First order", f"{first:,}", plots.share(first, whole)),
        Share("returning", "Returning", f"{returning:,}", plots.share(returning, whole)),
    ]


def _attentions(needs: NeedsAttention) -> list[Attention]:
    def look(symbol: str, count: int, one: str, more: str, href: str, *, is_bad: bool = False) -> list[Attention]:
        return [Attention(symbol, f"{count:,} {one if count == 1 else more}", href, is_bad)] if count else []

    low = f"with {LOW_STOCK} or fewer in stock"
    return [
        *look(
            "clock",
            needs.late_orders,
            "pending order older than 4 hours",
            "pending orders older than 4 hours",
            "/admin?tab=orders&status=pending&order=asc",
            is_bad=True,
        ),
        *look("order", needs.low_stock, f"product {low}", f"products {low}", "/admin/products?show=low"),
        *look(
            "support",
            needs.urgent_tickets,
            "urgent ticket unanswered",
            "urgent tickets unanswered",
            "/support?status=open&priority=urgent",
            is_bad=True,
        ),
        *look(
            "flask",
            needs.untested_products,
            "product without a lab report",
            "products without a lab report",
            "/admin/products?show=untested",
        ),
        *look(
            "list",
            needs.unwritten_texts,
            "legal page not written yet",
            "legal pages not written yet",
            "/admin/legal",
        ),
    ]


def _recent_order(order: AdminOrderRow, is_new: bool) -> RecentOrder:
    return RecentOrder(
        id=order.id,
        number=str(order.number),
        short_id=order.id[:DESK_ID_CHARACTERS],
        href=f"/admin/orders/{order.id}",
        customer=order.customer_name or "Deleted account",
        status_label=order.status.label,
        status_hue=STATUS_HUES[order.status],
        total=money.show(order.total_cents),
        is_new=is_new,
    )


def _hour(hour: int) -> str:
    """`6 PM`"""
    return (datetime(2000, 1, 1) + timedelta(hours=hour)).strftime("%I %p").lstrip("0")
