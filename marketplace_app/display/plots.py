"""The positions of a chart's bars, lines and labels: computed on the server and drawn as SVG."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from marketplace_app import money

ROUND_FACTORS = (1, 2, 2.5, 5, 10)
"""An axis ends at one of these, times a power of ten."""


@dataclass(frozen=True)
class Bar:
    """Positions are strings, as SVG's attributes are."""

    x: str
    y: str
    width: str
    height: str
    is_strong: bool = True


@dataclass(frozen=True)
class Tick:
    """A label of an axis, and its position."""

    at: str
    label: str


@dataclass(frozen=True)
class Frame:
    """A drawing's size in its own units, and where its two areas are, one above the other: `upper` for money, `lower`
    for orders."""

    width: int
    height: int
    left_margin: int
    right_margin: int
    upper: tuple[int, int]
    """Top and bottom y of the upper area; y grows downwards."""
    lower: tuple[int, int]
    labels_y: int
    max_labels: int

    @property
    def view_box(self) -> str:
        return f"0 0 {self.width} {self.height}"

    def centre(self, index: int, count: int) -> float:
        return round(self.left_margin + self.day_width(count) * (index + 0.5), 2)

    def day_width(self, count: int) -> float:
        return (self.width - self.left_margin - self.right_margin) / count


WIDE = Frame(
    width=660,
    height=236,
    left_margin=44,
    right_margin=6,
    upper=(10, 132),
    lower=(158, 204),
    labels_y=226,
    max_labels=6,
)
NARROW = Frame(
    width=360,
    height=240,
    left_margin=40,
    right_margin=6,
    upper=(10, 136),
    lower=(162, 208),
    labels_y=230,
    max_labels=4,
)


@dataclass(frozen=True)
class Plot:
    """Money as bars and orders as a line, on one axis of days."""

    bars: tuple[Bar, ...] = ()
    money_ticks: tuple[Tick, ...] = ()
    line: str = ""
    end_x: str = "0"
    end_y: str = "0"
    order_ticks: tuple[Tick, ...] = ()
    days: tuple[Tick, ...] = ()


def plot(days: Sequence[tuple[date, int, int]], frame: Frame) -> Plot:
    """The plot of `days`: (day, orders, cents), the oldest first."""
    count = len(days)
    money_axis_end = axis_end(max(cents for _day, _orders, cents in days), least=100_00)
    orders_axis_end = axis_end(max(orders for _day, orders, _cents in days), least=4)
    points = [
        (frame.centre(index, count), _y(orders, orders_axis_end, frame.lower))
        for index, (_day, orders, _cents) in enumerate(days)
    ]
    return Plot(
        bars=tuple(_day_bar(index, count, cents, money_axis_end, frame) for index, (_d, _o, cents) in enumerate(days)),
        money_ticks=tuple(
            Tick(f"{_y(amount, money_axis_end, frame.upper):g}", money.show_on_axis(amount))
            for amount in (0, money_axis_end // 2, money_axis_end)
        ),
        line="M" + " L".join(f"{x:g} {y:g}" for x, y in points),
        end_x=f"{points[-1][0]:g}",
        end_y=f"{points[-1][1]:g}",
        order_ticks=tuple(
            Tick(f"{_y(number, orders_axis_end, frame.lower):g}", f"{number:,}") for number in (0, orders_axis_end)
        ),
        days=_day_ticks([day for day, _orders, _cents in days], frame),
    )


def hour_bars(hours: Sequence[int], *, width: int, height: int) -> tuple[Bar, ...]:
    """A bar for each hour; the busiest four are strong, or more if several are equally busy."""
    most, step = max(*hours, 1), width / len(hours)
    least_strong = sorted(hours)[-4]
    bars = []
    for hour, count in enumerate(hours):
        bar_height = max(2.0, round(count / most * height, 2)) if count else 1.0
        strong = count >= least_strong and count > 0
        bars.append(_bar_at(hour * step + step * 0.12, height - bar_height, step * 0.76, bar_height, strong))
    return tuple(bars)


def axis_end(most: int, *, least: int) -> int:
    """Where an axis ends: the next round number."""
    wanted, size = max(most, least), 1
    while size * 10 < wanted:
        size *= 10
    return next(int(factor * size) for factor in ROUND_FACTORS if factor * size >= wanted)


def bar_percent(part: int, whole: int) -> int:
    """The width of a bar in percent: at least 1 unless `part` is 0, so that it is visible."""
    return max(1, round(100 * part / whole)) if part and whole else 0


def percent_change(now: int, before: int) -> str:
    """`+8.2%`; empty if there is nothing to compare with."""
    if not before:
        return ""
    percent = round(100 * (now - before) / before, 1)
    if percent == 0:
        return "0%"
    shown = f"{abs(percent):,.1f}".removesuffix(".0")
    return f"{'+' if percent > 0 else '−'}{shown}%"


def _day_bar(index: int, count: int, cents: int, end: int, frame: Frame) -> Bar:
    step, foot = frame.day_width(count), frame.upper[1]
    y = _y(cents, end, frame.upper)
    return _bar_at(frame.centre(index, count) - step * 0.36, y, step * 0.72, foot - y)


def _bar_at(x: float, y: float, width: float, height: float, is_strong: bool = True) -> Bar:
    return Bar(_position(x), _position(y), _position(width), _position(height), is_strong)


def _position(number: float) -> str:
    return f"{round(number, 2):g}"


def _y(amount: int, end: int, area: tuple[int, int]) -> float:
    """Where `amount` is drawn in an area, given as its top and bottom y, whose axis goes from 0 to `end`."""
    top, bottom = area
    return round(bottom - amount / end * (bottom - top), 2)


def _day_ticks(days: Sequence[date], frame: Frame) -> tuple[Tick, ...]:
    """As many labels as fit, at even distances."""
    every = math.ceil(len(days) / frame.max_labels)
    return tuple(
        Tick(f"{frame.centre(index, len(days)):g}", f"{days[index]:%b %d}") for index in range(0, len(days), every)
    )
