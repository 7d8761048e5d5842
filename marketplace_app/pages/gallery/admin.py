"""Components of the admin pages, and the ticket conversation that customers see too."""

from datetime import date, timedelta

import reflex as rx

from marketplace_app.components.admin.charts import day_plot, figures_row, figures_table, hour_plot, shares
from marketplace_app.components.admin.dispatch.dispatch_cards import card_item, order_card, outcome_line, place_badge
from marketplace_app.components.admin.table import (
    Column,
    Sorting,
    cell,
    clear_button,
    data_table,
    row_button,
    segments,
    table_footer,
    table_row,
    table_states,
    toolbar,
)
from marketplace_app.components.admin.users.users import active_badge
from marketplace_app.components.controls.badges import status_badge
from marketplace_app.components.controls.links import link
from marketplace_app.components.controls.timeline import timeline
from marketplace_app.components.controls.upload import upload_box
from marketplace_app.components.support.ticket_dialog import analysis, message
from marketplace_app.display.labels import NEXT_STEP_LABELS, ORDER_HUES
from marketplace_app.display.plots import NARROW, WIDE, hour_bars, plot
from marketplace_app.limits import MAX_PICTURE_BYTES
from marketplace_app.models import OrderStatus
from marketplace_app.pages.gallery.frame import captioned, columns, no_op_for, stack
from marketplace_app.pages.gallery.samples import LONG_NAME, LONG_TEXT, LONG_WORD
from marketplace_app.states.admin.dispatch.dispatch_rows import CardRow
from marketplace_app.states.admin.orders.orders import OrderRow
from marketplace_app.states.admin.overview import HOURS_HEIGHT, HOURS_WIDTH
from marketplace_app.states.admin.overview_rows import BarRow
from marketplace_app.states.buying.order_steps import Step
from marketplace_app.states.support.ticket import MessageRow

_COLUMNS = (
    Column("Order", sort="number"),
    Column("Customer", sort="customer"),
    Column("Placed", sort="placed"),
    Column("Total", sort="total", is_number=True),
    Column("Status"),
    Column(""),
)
_FIRST = date(2026, 10, 23)
_DAYS = [(_FIRST + timedelta(days=day), (day * 7) % 13, (day * 7) % 13 * 96_00 + day * 11_00) for day in range(30)]
_QUIET = [(_FIRST + timedelta(days=day), 0, 0) for day in range(7)]
_HOURS = [0, 0, 0, 0, 0, 0, 1, 2, 4, 9, 12, 15, 14, 11, 9, 12, 18, 24, 27, 22, 13, 6, 2, 0]


def _order(number: int, customer: str, status: OrderStatus, *, is_new: bool = False) -> OrderRow:
    return OrderRow(
        id=f"order-{number}",
        short_id="4F7K2M9Q",
        href="#tables",
        number=str(number),
        customer=customer,
        placed="Nov 20, 11:40 AM",
        pieces="3",
        total="$1,133.00",
        status=status.value,
        status_label=status.label,
        status_hue=ORDER_HUES[status],
        step=NEXT_STEP_LABELS.get(status, ""),
        address="214 Larch Street, Portland, OR 97201",
        is_new=is_new,
    )


_ROWS = rx.Var.create(
    [
        _order(1042, "Nora Whitfield", OrderStatus.PENDING, is_new=True),
        _order(1041, LONG_WORD, OrderStatus.DELIVERED),
        _order(1040, LONG_NAME, OrderStatus.CANCELLED),
    ]
)
_NONE = rx.Var.create([]).to(list[OrderRow])


def _row(order: rx.Var[OrderRow]) -> rx.Component:
    return table_row(
        cell(
            link(order.short_id, href=order.href, class_name="font-semibold tabular-nums hover:underline"),
            narrow="second",
        ),
        cell(order.customer, narrow="first", class_name="max-w-50 truncate max-md:font-semibold"),
        cell(order.placed, narrow="third", class_name="whitespace-nowrap text-ink-2 max-md:text-ink-3"),
        cell(order.total, narrow="figure", is_number=True, class_name="font-semibold"),
        cell(status_badge(order.status_label, order.status_hue), narrow="badge"),
        cell(
            row_button("pen", rx.Var.create(f"Edit order {order.number}")),
            row_button("bin", rx.Var.create(f"Delete order {order.number}"), disabled=True),
            narrow="actions",
            class_name="text-right whitespace-nowrap",
        ),
        key=order.id,
        is_new=order.is_new,
    )


def _table(name: str, rows: rx.vars.ArrayVar[list[OrderRow]], *, is_loading: bool = False) -> rx.Component:
    sorting = Sorting(rx.Var.create("placed"), rx.Var.create("desc"), no_op_for)
    return rx.el.div(
        table_states(
            rx.Var.create(is_loading),
            rows.length(),
            data_table(name, _COLUMNS, rows, _row, sorting=sorting),
            nothing="No orders match.",
            symbol="receipt",
        ),
        class_name="rounded-2 border border-line bg-surface",
    )


def tables(theme: str) -> rx.Component:
    counts = rx.Var.create({"all": "1,204", "pending": "3", "delivered": "0"})
    choices = (("all", "All"), ("pending", "Pending"), ("delivered", "Delivered"))
    return stack(
        toolbar(
            segments(f"Status, {theme}", choices, rx.Var.create("pending"), no_op_for, counts),
            clear_button(no_op_for),
            count_label="3 of 1,204 orders",
        ),
        _table(f"Orders, {theme}", _ROWS),
        table_footer(
            rx.Var.create("26-50 of 1,204"), rx.Var.create(2), rx.Var.create(49), no_op_for, f"Pages of orders, {theme}"
        ),
        captioned("Loading", _table(f"Loading, {theme}", _ROWS, is_loading=True), class_name=""),
        captioned("Nothing there", _table(f"Empty, {theme}", _NONE), class_name=""),
        captioned("People", active_badge(rx.Var.create(False)), active_badge(rx.Var.create(True))),
    )


def charts(theme: str) -> rx.Component:
    mix = [
        BarRow("pending", "Pending", "12", 48),
        BarRow("delivered", "Delivered", "13", 52, "#charts"),
        BarRow("long", LONG_NAME, "0", 0),
    ]
    rows = rx.Var.create([["Oct 23", "4", "$480.00"], ["Oct 24", "0", "$0.00"]])
    return columns(
        captioned("Thirty days", _by_day("days", _DAYS, theme), class_name=""),
        captioned("Nothing sold", _by_day("quiet", _QUIET, theme), class_name=""),
        captioned(
            "By hour",
            hour_plot(
                f"Orders by hour, {theme}",
                "Most at 6 PM.",
                rx.Var.create(list(hour_bars(_HOURS, width=HOURS_WIDTH, height=HOURS_HEIGHT))),
                HOURS_WIDTH,
                HOURS_HEIGHT,
                f"hours-{theme}",
            ),
            class_name="",
        ),
        captioned("Shares", shares(f"Status mix, {theme}", rx.Var.create(mix), lambda _share: "bg-c1"), class_name=""),
        figures_table(
            f"In figures, {theme}", ("Day", "Orders", "Revenue"), rows, lambda row: figures_row(row[0], row[1], row[2])
        ),
    )


def _by_day(id: str, days: list[tuple[date, int, int]], theme: str) -> rx.Component:
    return day_plot(
        f"Orders and revenue by day, {id}, {theme}",
        "Bars are revenue, the line is orders.",
        rx.Var.create(plot(days, WIDE)),
        rx.Var.create(plot(days, NARROW)),
        f"{id}-{theme}",
    )


def tickets(theme: str) -> rx.Component:
    messages = [
        MessageRow("1", "Nora Whitfield", "Nov 20, 11:40 AM", "The driver could not find the side entrance.", True),
        MessageRow("2", "Support", "Nov 20, 11:52 AM", LONG_TEXT, False),
        MessageRow("3", LONG_WORD, "Nov 20, 12:05 PM", f"{LONG_WORD}\n{LONG_WORD}", True),
    ]
    steps = [
        Step("1", "Placed", "Nov 20, 11:40 AM", "done"),
        Step("2", "Confirmed", "Nov 20, 12:10 PM", "now"),
        Step("3", "Delivered", "", "next"),
        Step("4", "Cancelled", "Nov 20, 1:00 PM", "ended"),
    ]
    return columns(
        stack(
            rx.el.h3("A ticket", class_name="sr-only"),
            analysis(
                rx.Var.create("Within 1 hour"),
                rx.Var.create("“driver”, “entrance”, “today”"),
                rx.Var.create(["delivery", "address", LONG_WORD]),
                suffix=f", {theme}",
            ),
            rx.el.ul(*[message(rx.Var.create(each)) for each in messages], class_name="grid gap-3"),
        ),
        captioned("The course of an order", timeline(rx.Var.create(steps)), class_name=""),
    )


def uploads(theme: str) -> rx.Component:
    return upload_box(
        f"picture-{theme}",
        "#",
        what=f"a picture, {theme}",
        hint="JPEG, PNG, WebP or AVIF, up to 5 MB.",
        accept="image/*",
        max_bytes=MAX_PICTURE_BYTES,
        failed="Nothing is sent from here",
    )


def dispatch_cards(theme: str) -> rx.Component:
    plain = CardRow(
        id="1",
        number="4821",
        href="#",
        when="Fri, Nov 27, 5:00 PM to 7:00 PM",
        who="97201 · Nora Whitfield",
        cash="$152.50",
        notes="",
        is_ready=True,
        risk="",
    )
    risky = CardRow(
        id="2",
        number="4822",
        href="#",
        when="By Fri, Nov 27, 5:12 PM",
        who=f"97202 · {LONG_WORD}",
        cash="$1,204.00",
        notes="Not confirmed · Attempt 2 · No answer yet",
        is_ready=False,
        risk="Not planned, and promised by 5:12 PM.",
    )
    return rx.el.ul(
        *[card_item(order_card(rx.Var.create(card)), key=f"{card.id}-{theme}") for card in (plain, risky)],
        *[_ended(plain, place, outcome, theme) for place, outcome in (("1", "Delivered"), ("40", "Not delivered"))],
        aria_label=f"Dispatch cards, {theme}",
        class_name="w-60 divide-y divide-line rounded-2 border border-line bg-surface",
    )


def _ended(card: CardRow, place: str, outcome: str, theme: str) -> rx.Component:
    below = outcome_line(rx.Var.create(outcome), rx.Var.create(outcome == "Delivered"))
    start = place_badge(rx.Var.create(place))
    return card_item(order_card(rx.Var.create(card), start=start, below=below), key=f"{outcome}-{theme}")
