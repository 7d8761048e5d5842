"""The admin area's overview: all-time figures, charts over a span, what needs attention, newest orders and users."""

from datetime import datetime
from urllib.parse import parse_qsl

import reflex as rx
from sqlmodel import Session

from marketplace_app import clock, money
from marketplace_app.config import get_settings
from marketplace_app.display import plots
from marketplace_app.limits import RECENT_ENTRIES
from marketplace_app.models import Permission, User
from marketplace_app.schemas.admin.statistics import DEFAULT_SPAN, Report, SpanQuery
from marketplace_app.schemas.admin.users import UserQuery
from marketplace_app.schemas.base import parse, parse_params
from marketplace_app.services.admin import orders as admin_orders
from marketplace_app.services.admin import statistics
from marketplace_app.services.admin import users as admin_users
from marketplace_app.states.admin.orders.listed_orders import announcement, is_new
from marketplace_app.states.admin.overview_rows import (
    AttentionItem,
    BarRow,
    DayRow,
    OverviewData,
    RecentOrder,
    RecentUser,
    Stat,
    TaxRow,
    attention_items,
    buyer_shares,
    recent_order,
    stats_of,
    status_shares,
    summary_of,
    tax_rows,
    top_products,
)
from marketplace_app.states.events.base import Events, action, read
from marketplace_app.states.events.choices import visit

NARROW_PLOT_DAYS = 14
HOURS_WIDTH, HOURS_HEIGHT = 288, 96


class AdminOverviewState(rx.State):
    is_loading: bool = True
    today: str = ""
    """`Friday, Nov 27, 2026 · new orders appear automatically`"""
    span: str = str(DEFAULT_SPAN)
    stats: list[Stat] = []
    wide_plot: plots.Plot = plots.Plot()
    narrow_plot: plots.Plot = plots.Plot()
    summary: str = ""
    """Orders and revenue of the span in a sentence."""
    days: list[DayRow] = []
    statuses: list[BarRow] = []
    products: list[BarRow] = []
    hours: list[plots.Bar] = []
    hours_summary: str = ""
    hour_rows: list[tuple[str, str]] = []
    buyers: list[BarRow] = []
    taxes: list[TaxRow] = []
    taxes_href: str = ""
    """URL of the CSV with the taxes of the span."""
    attention_items: list[AttentionItem] = []
    recent_orders: list[RecentOrder] = []
    recent_users: list[RecentUser] = []
    announced: str = ""
    """For assistive technology: `New order 4836 from Nora Whitfield, $381.68`"""
    _opened_at: datetime | None = None
    _last_announced: int = 0
    """The number of the last new order that was announced, or was there when the page was opened."""

    @action(who=Permission.SEE_DASHBOARD)
    async def show_span(self, days: str) -> Events:
        """Put the span into the URL, so that Back works and a view can be shared."""
        chosen = parse(SpanQuery, {"days": days}).days
        return await visit(self, "/admin?tab=overview" + (f"&days={chosen}" if chosen != DEFAULT_SPAN else ""))

    async def _load(self) -> None:
        query = self._query()
        self._opened_at = self._opened_at or clock.now()
        data = await read(self, _read_overview, query)
        added, self._last_announced = announcement(data.orders, self._opened_at, self._last_announced)
        if added and not self.is_loading:
            self.announced = added
        self.span = str(query.days)
        self.today = (
            f"{clock.now().astimezone(get_settings().timezone):%A, %b %d, %Y} · new orders appear automatically"
        )
        self.stats = stats_of(data)
        self._draw(data.report)
        self.attention_items = attention_items(data.needs)
        self.recent_orders = [recent_order(order, is_new(order, self._opened_at)) for order in data.orders]
        self.recent_users = [
            RecentUser(each.id, f"/admin/users/{each.id}", each.name or each.email, each.email, each.is_banned)
            for each in data.users
        ]
        self.is_loading = False

    def _draw(self, report: Report) -> None:
        figures = [(day, sales.orders, sales.revenue_cents) for day, sales in report.days]
        self.wide_plot = plots.plot(figures, plots.WIDE)
        self.narrow_plot = plots.plot(figures[-NARROW_PLOT_DAYS:], plots.NARROW)
        self.summary = summary_of(report)
        self.days = [
            DayRow(f"{day:%b %d, %Y}", f"{orders:,}", money.show(cents)) for day, orders, cents in reversed(figures)
        ]
        self.statuses, self.products, self.buyers = status_shares(report), top_products(report), buyer_shares(report)
        self.taxes = tax_rows(report)
        self.taxes_href = f"/api/admin/taxes/export?from={report.span.first}&to={report.span.last}"
        self.hours = list(plots.hour_bars(report.hours, width=HOURS_WIDTH, height=HOURS_HEIGHT))
        self.hour_rows = [(clock.show_hour(hour), f"{count:,}") for hour, count in enumerate(report.hours)]
        busiest = max(range(24), key=lambda hour: report.hours[hour])
        self.hours_summary = (
            f"Most orders come between {clock.show_hour(busiest)} and {clock.show_hour(busiest + 1)}."
            if any(report.hours)
            else "No orders in this period."
        )

    def _query(self) -> SpanQuery:
        """Only the number of days: the overview has no control for a span from one day to another."""
        params = dict(parse_qsl(self.router.url.query))
        return parse_params(SpanQuery, {"days": params.get("days", DEFAULT_SPAN)})


def _read_overview(session: Session, actor: User | None, query: SpanQuery) -> OverviewData:
    return OverviewData(
        totals=statistics.totals(session, actor),
        report=statistics.report(session, actor, query),
        new_customers=statistics.new_customers(session, actor, query),
        needs=statistics.needs_attention(session, actor),
        orders=admin_orders.list_latest(session, actor, RECENT_ENTRIES),
        users=admin_users.list_all(session, actor, UserQuery(limit=RECENT_ENTRIES))[1],
    )
