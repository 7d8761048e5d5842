"""Charts of the admin pages: SVG drawn from numbers that the state computed. The text beside them says the same."""

from typing import Any

import reflex as rx

from marketplace_app.components.controls.links import link
from marketplace_app.display.plots import NARROW, WIDE, Bar, Frame, Plot, Tick
from marketplace_app.framework.components import inline_style

_TEXT = "fill-ink-3 text-[10.5px] tabular-nums"


def _bar(bar: rx.Var[Bar]) -> rx.Component:
    class_name = rx.cond(bar.is_strong, "fill-c1", "fill-c1 opacity-50")
    return rx.el.rect(x=bar.x, y=bar.y, width=bar.width, height=bar.height, rx="1", class_name=class_name)


def _grid_line(frame: Frame) -> Any:
    def draw(tick: rx.Var[Tick]) -> rx.Component:
        return rx.el.g(
            rx.el.line(
                x1=str(frame.left_margin),
                x2=str(frame.width - frame.right_margin),
                y1=tick.at,
                y2=tick.at,
                class_name="stroke-grid",
            ),
            rx.el.text(
                tick.label, x=str(frame.left_margin - 8), y=tick.at, dy="3.5", class_name=f"{_TEXT} [text-anchor:end]"
            ),
        )

    return draw


def _day_label(frame: Frame) -> Any:
    def draw(tick: rx.Var[Tick]) -> rx.Component:
        return rx.el.text(tick.label, x=tick.at, y=str(frame.labels_y), class_name=f"{_TEXT} [text-anchor:middle]")

    return draw


def _drawing(plot: rx.Var[Plot], frame: Frame, class_name: str) -> rx.Component:
    return rx.el.svg(
        rx.foreach(plot.money_ticks, _grid_line(frame)),
        rx.foreach(plot.bars, _bar),
        rx.foreach(plot.order_ticks, _grid_line(frame)),
        rx.el.path(d=plot.line, class_name="fill-none stroke-c2 stroke-[1.8] [stroke-linejoin:round]"),
        rx.el.circle(cx=plot.end_x, cy=plot.end_y, r="3", class_name="fill-c2"),
        rx.foreach(plot.days, _day_label(frame)),
        view_box=frame.view_box,
        aria_hidden="true",
        class_name=f"h-auto w-full {class_name}",
    )


def day_plot(label: str, summary: Any, wide: rx.Var[Plot], narrow: rx.Var[Plot], id: str = "day-plot") -> rx.Component:
    """Drawn twice: `narrow`, for phones, has fewer days instead of smaller letters."""
    return rx.el.figure(
        rx.el.div(
            _drawing(wide, WIDE, "max-md:hidden"),
            _drawing(narrow, NARROW, "md:hidden"),
            role="img",
            aria_label=label,
            aria_describedby=f"{id}-summary",
        ),
        rx.el.figcaption(summary, id=f"{id}-summary", class_name="mt-2 text-cap text-ink-2"),
    )


def hour_plot(
    label: str, summary: Any, bars: rx.Var[list[Bar]], width: int, height: int, id: str = "hour-plot"
) -> rx.Component:
    hour_labels = ((0, "12 AM", "start"), (6, "6 AM", "middle"), (12, "12 PM", "middle"), (18, "6 PM", "middle"))
    return rx.el.figure(
        rx.el.div(
            rx.el.svg(
                rx.foreach(bars, _bar),
                *[
                    rx.el.text(
                        text,
                        x=str(round((hour + 0.5) * width / 24) if hour else 0),
                        y=str(height + 18),
                        class_name=f"{_TEXT} [text-anchor:{anchor}]",
                    )
                    for hour, text, anchor in hour_labels
                ],
                view_box=f"0 0 {width} {height + 24}",
                aria_hidden="true",
                class_name="h-auto w-full",
            ),
            role="img",
            aria_label=label,
            aria_describedby=f"{id}-summary",
        ),
        rx.el.figcaption(summary, id=f"{id}-summary", class_name="mt-1 text-cap text-ink-2"),
    )


def figures_table(label: str, headings: tuple[str, ...], rows: Any, row: Any) -> rx.Component:
    """The numbers of a chart as a table, shown on demand."""
    table = rx.el.table(
        rx.el.caption(label, class_name="sr-only"),
        rx.el.thead(
            rx.el.tr(
                *[
                    rx.el.th(heading, scope="col", class_name=f"py-1 font-semibold {_alignment(index)}")
                    for index, heading in enumerate(headings)
                ],
                class_name="border-b border-line text-ink-2",
            )
        ),
        rx.el.tbody(rx.foreach(rows, row)),
        class_name="w-full border-collapse text-cap tabular-nums",
    )
    return rx.el.details(
        rx.el.summary(
            "Show figures",
            class_name="inline-flex min-h-(--tap) items-center text-cap font-semibold text-brand-text hover:underline",
        ),
        rx.el.div(table, tab_index=0, role="region", aria_label=label, class_name="max-h-72 overflow-y-auto"),
    )


def figures_row(first: Any, *others: Any) -> rx.Component:
    return rx.el.tr(
        rx.el.th(first, scope="row", class_name="py-1 text-left font-normal"),
        *[rx.el.td(each, class_name="py-1 text-right") for each in others],
        class_name="border-b border-line last:border-b-0",
    )


def _alignment(index: int) -> str:
    return "text-right" if index else "text-left"


def shares(label: str, rows: Any, colour: Any, name_class: str = "") -> rx.Component:
    """Rows of a label, a bar and a number; `colour` returns the classes of a row's bar."""

    def share_row(share: Any) -> rx.Component:
        name = rx.cond(
            share.href != "",
            link(share.label, href=share.href, class_name="hover:underline"),
            rx.el.span(share.label),
        )
        return rx.el.li(
            rx.el.span(name, class_name=f"min-w-0 truncate {name_class}".strip()),
            rx.el.span(
                rx.el.span(
                    class_name=["block h-2 rounded-[2px]", colour(share)],
                    **inline_style(width=f"{share.percent}%"),
                ),
                aria_hidden="true",
            ),
            rx.el.span(share.figure, class_name="text-right tabular-nums"),
            key=share.key,
            class_name="grid min-h-8 grid-cols-[minmax(0,9rem)_minmax(0,1fr)_auto] items-center gap-3",
        )

    return rx.el.ul(rx.foreach(rows, share_row), aria_label=label)
