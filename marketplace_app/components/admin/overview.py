"""The overview tab: figures, charts, and what needs attention."""

from typing import Any

import reflex as rx

from marketplace_app.components.admin.charts import day_plot, figures_row, figures_table, hour_plot, shares
from marketplace_app.components.admin.shell import heading, panel
from marketplace_app.components.admin.taxes import taxes
from marketplace_app.components.admin.users.users import active_badge
from marketplace_app.components.controls.badges import status_badge
from marketplace_app.components.controls.fields import select
from marketplace_app.components.controls.icons import icon
from marketplace_app.components.controls.links import link
from marketplace_app.components.controls.skeletons import skeleton_block, text_line
from marketplace_app.framework.components import inline_style
from marketplace_app.states.admin.overview import HOURS_HEIGHT, HOURS_WIDTH, AdminOverviewState
from marketplace_app.states.admin.overview_rows import AttentionItem, BarRow, RecentOrder, RecentUser, Stat

_SPAN_CHOICES = [("7", "Last 7 days"), ("14", "Last 14 days"), ("30", "Last 30 days"), ("90", "Last 90 days")]
_STATUS_COLOURS = (
    ("pending", "bg-c2"),
    ("confirmed", "bg-c3"),
    ("out_for_delivery", "bg-c4"),
    ("delivered", "bg-c1"),
    ("cancelled", "bg-c5"),
)
_SYMBOLS = ("clock", "order", "support", "flask", "list")


def _stat(stat: rx.Var[Stat]) -> rx.Component:
    tone = rx.match(stat.tone, ("good", "text-ok"), ("bad", "text-bad"), "text-ink-2")
    return rx.el.div(
        rx.el.dt(stat.label, class_name="text-cap text-ink-2"),
        rx.el.dd(stat.figure, class_name="font-serif text-h3 leading-9 tabular-nums wrap-anywhere 2xl:text-[1.75rem]"),
        rx.el.dd(
            rx.cond(stat.emphasis != "", rx.el.b(stat.emphasis, class_name=["font-semibold", tone])),
            " ",
            stat.note,
            class_name="text-cap text-ink-3",
        ),
        class_name="-mt-px -ml-px border-t border-l border-line px-4.5 py-3",
    )


def _stats() -> rx.Component:
    strip = rx.el.dl(
        rx.foreach(AdminOverviewState.stats, _stat),
        class_name="grid grid-cols-2 overflow-hidden md:grid-cols-3 xl:grid-cols-5",
    )
    return panel(strip, aria_label="All-time figures", class_name="overflow-hidden")


def _by_day() -> rx.Component:
    legend = rx.el.span(
        *[
            rx.el.span(
                rx.el.span(class_name=f"size-2.5 rounded-[2px] {colour}", aria_hidden="true"),
                name,
                class_name="inline-flex items-center gap-1.5",
            )
            for name, colour in (("Revenue", "bg-c1"), ("Orders", "bg-c2"))
        ],
        class_name="flex gap-4 text-cap text-ink-2",
    )
    label = "Revenue and orders by day"
    return panel(
        day_plot(label, AdminOverviewState.summary, AdminOverviewState.wide_plot, AdminOverviewState.narrow_plot),
        figures_table(
            f"{label}, in figures",
            ("Day", "Orders", "Revenue"),
            AdminOverviewState.days,
            lambda row: figures_row(row.day, row.orders, row.revenue),
        ),
        title=label,
        aside=legend,
        class_name="grid content-start gap-3 p-4.5 lg:col-span-4",
    )


def _status_colour(share: rx.Var[BarRow]) -> Any:
    return rx.match(share.key, *_STATUS_COLOURS, "bg-c0")


def _segment(share: rx.Var[BarRow]) -> rx.Component:
    return rx.el.span(
        key=share.key,
        class_name=["min-w-px", _status_colour(share)],
        **inline_style(flexGrow=share.count, flexBasis="0"),
    )


def _status_mix() -> rx.Component:
    bar = rx.el.div(
        rx.foreach(AdminOverviewState.statuses, lambda share: rx.cond(share.count > 0, _segment(share))),
        class_name="flex h-3.5 gap-px overflow-hidden",
        aria_hidden="true",
    )
    return panel(
        bar,
        shares("Status mix", AdminOverviewState.statuses, _status_colour, "first-letter:uppercase"),
        title="Status mix",
        class_name="grid content-start gap-3 p-4.5 lg:col-span-2",
    )


def _top_products() -> rx.Component:
    listed = shares("Top products", AdminOverviewState.products, lambda _share: "bg-c1")
    return panel(
        rx.cond(
            AdminOverviewState.products.length() > 0,
            listed,
            rx.el.p("Nothing was sold in this period.", class_name="text-small text-ink-2"),
        ),
        title="Top products",
        class_name="grid content-start gap-3 p-4.5 lg:col-span-2",
    )


def _by_hour() -> rx.Component:
    label = "Orders by hour"
    return panel(
        hour_plot(label, AdminOverviewState.hours_summary, AdminOverviewState.hours, HOURS_WIDTH, HOURS_HEIGHT),
        figures_table(
            f"{label}, in figures",
            ("Hour", "Orders"),
            AdminOverviewState.hour_rows,
            lambda row: figures_row(row[0], row[1]),
        ),
        title=label,
        class_name="grid content-start gap-3 p-4.5 lg:col-span-2",
    )


def _buyers() -> rx.Component:
    return rx.el.div(
        rx.el.h3("First orders and returning customers", class_name="font-sans text-cap font-semibold text-ink-2"),
        shares("First orders and returning customers", AdminOverviewState.buyers, _buyer_colour),
        class_name="grid gap-1 border-t border-line pt-3",
    )


def _buyer_colour(share: rx.Var[BarRow]) -> Any:
    return rx.cond(share.key == "first", "bg-c2", "bg-c1")


def _attention_item(item: rx.Var[AttentionItem]) -> rx.Component:
    symbol = rx.match(item.symbol, *[(name, icon(name, "sm")) for name in _SYMBOLS], icon("alert", "sm"))
    return rx.el.li(
        rx.el.span(symbol, class_name=rx.cond(item.is_bad, "text-bad", "text-amber-text")),
        rx.el.span(item.sentence, class_name="min-w-0 flex-1"),
        link(
            "View",
            href=item.href,
            class_name="inline-flex min-h-(--tap) items-center text-brand-text underline underline-offset-3",
            aria_label=rx.Var.create(f"View: {item.sentence}"),
        ),
        key=item.symbol,
        class_name="flex items-center gap-2.5 border-b border-line py-1.5 last:border-b-0",
    )


def _attention_items() -> rx.Component:
    listed = rx.el.ul(rx.foreach(AdminOverviewState.attention_items, _attention_item), aria_label="Needs attention")
    return panel(
        rx.cond(
            AdminOverviewState.attention_items.length() > 0,
            listed,
            rx.el.p("Nothing needs attention.", class_name="text-small text-ink-2"),
        ),
        _buyers(),
        title="Needs attention",
        class_name="grid content-start gap-3 p-4.5 lg:col-span-2",
    )


def _recent_order(order: rx.Var[RecentOrder]) -> rx.Component:
    return rx.el.li(
        link(
            rx.el.span(order.number, class_name="font-semibold"),
            " ",
            rx.el.span(order.short_id, class_name="text-cap text-ink-3"),
            href=order.href,
            class_name="flex flex-col tabular-nums hover:underline",
        ),
        rx.el.span(order.customer, class_name="truncate max-sm:col-span-2 max-sm:row-start-2"),
        rx.el.span(
            status_badge(order.status_label, order.status_hue),
            class_name="max-sm:col-start-3 max-sm:row-start-2 max-sm:justify-self-end",
        ),
        rx.el.span(order.total, class_name="text-right tabular-nums max-sm:col-start-3 max-sm:row-start-1"),
        key=order.id,
        class_name=[
            "grid min-h-10.5 grid-cols-[5rem_minmax(0,1fr)_auto] items-center gap-x-3 gap-y-0.5 border-t border-line "
            "px-4 py-2 sm:grid-cols-[5rem_minmax(0,1fr)_8.5rem_5.5rem]",
            rx.cond(order.is_new, "bg-amber-wash", ""),
        ],
    )


def _recent_user(user: rx.Var[RecentUser]) -> rx.Component:
    return rx.el.li(
        link(user.name, href=user.href, class_name="truncate font-semibold hover:underline"),
        rx.el.span(user.email, class_name="truncate text-ink-2 max-sm:row-start-2"),
        rx.el.span(active_badge(user.is_banned), class_name="justify-self-end max-sm:row-span-2"),
        key=user.id,
        class_name=(
            "grid min-h-10.5 grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 gap-y-0.5 border-t border-line px-4 "
            "py-2 sm:grid-cols-[minmax(0,1fr)_minmax(0,1.2fr)_auto]"
        ),
    )


def _recent(title: str, rows: Any, row_of: Any, all_label: str, href: str, nothing: str) -> rx.Component:
    show_all = link(
        all_label,
        href=href,
        class_name="inline-flex min-h-(--tap) items-center text-brand-text underline underline-offset-3",
    )
    head = rx.el.div(
        rx.el.h2(title, class_name="font-sans text-ui font-semibold"),
        show_all,
        class_name="flex min-h-11 items-center justify-between gap-3 px-4",
    )
    listed = rx.el.ul(rx.foreach(rows, row_of), aria_label=title)
    none = rx.el.p(nothing, class_name="border-t border-line px-4 py-3 text-ink-2")
    return panel(head, rx.cond(rows.length() > 0, listed, none), class_name="lg:col-span-3")


def _skeleton() -> rx.Component:
    return rx.el.div(
        skeleton_block("h-28 w-full"),
        skeleton_block("h-80 w-full"),
        skeleton_block("h-56 w-full"),
        class_name="grid gap-4",
        aria_hidden="true",
    )


def overview() -> rx.Component:
    panels = rx.el.div(
        _by_day(),
        _status_mix(),
        _top_products(),
        _by_hour(),
        _attention_items(),
        taxes(),
        _recent(
            "Recent orders",
            AdminOverviewState.recent_orders,
            _recent_order,
            "All orders",
            "/admin?tab=orders",
            "No orders yet.",
        ),
        _recent(
            "Recent users",
            AdminOverviewState.recent_users,
            _recent_user,
            "All users",
            "/admin?tab=users",
            "No users yet.",
        ),
        class_name="grid gap-4 lg:grid-cols-6",
    )
    span_select = select(_SPAN_CHOICES, "Span", AdminOverviewState.span, AdminOverviewState.show_span)
    # As wide as the text that replaces it, which on a phone pushes the select onto a row of its own.
    today = rx.cond(AdminOverviewState.is_loading, text_line("w-86 max-w-full"), AdminOverviewState.today)
    return rx.fragment(
        heading("Overview", rx.el.div(span_select, class_name="min-w-40"), below=today),
        rx.cond(
            AdminOverviewState.is_loading,
            _skeleton(),
            rx.el.div(_stats(), panels, class_name="grid min-w-0 gap-4"),
        ),
        rx.el.p(AdminOverviewState.announced, role="status", class_name="sr-only"),
    )
