"""The positions of a chart's bars, lines and labels."""

from datetime import date, timedelta

import pytest

from marketplace_app.display import plots
from marketplace_app.display.plots import NARROW, WIDE, Frame

DAYS = [(date(2026, 11, 1) + timedelta(days=number), number, number * 100_00) for number in range(30)]


@pytest.mark.parametrize(
    ("most", "top"), [(0, 100), (99, 100), (101, 200), (201, 250), (251, 500), (612_300, 1_000_000), (4_999, 5_000)]
)
def test_an_axis_of_money_ends_at_the_next_round_number(most: int, top: int) -> None:
    assert plots.axis_end(most, least=100) == top


@pytest.mark.parametrize(("most", "top"), [(0, "5"), (5, "5"), (6, "10"), (21, "25"), (26, "50")])
def test_the_axis_of_orders_ends_at_the_next_round_number(most: int, top: str) -> None:
    assert [tick.label for tick in plots.plot([(DAYS[0][0], most, 0)], WIDE).order_ticks] == ["0", top]


def test_the_middle_of_the_axis_of_money_is_in_whole_dollars() -> None:
    plotted = [plots.plot([(DAYS[0][0], 1, dollars * 100)], WIDE) for dollars in range(1, 3_000, 7)]
    assert {plot.money_ticks[1].label for plot in plotted} == {
        "$50",
        "$100",
        "$125",
        "$250",
        "$500",
        "$1k",
        "$1.25k",
        "$2.5k",
    }


@pytest.mark.parametrize("frame", [WIDE, NARROW])
def test_all_that_is_drawn_lies_within_its_frame(frame: Frame) -> None:
    plot = plots.plot(DAYS[: 14 if frame is NARROW else 30], frame)
    for bar in plot.bars:
        assert frame.left_margin <= float(bar.x)
        assert float(bar.x) + float(bar.width) <= frame.width - frame.right_margin
        assert frame.upper[0] <= float(bar.y) <= float(bar.y) + float(bar.height) <= frame.upper[1] + 0.01
    points = [tuple(map(float, point.split())) for point in plot.line.removeprefix("M").split(" L")]
    assert len(points) == len(plot.bars)
    assert all(frame.lower[0] <= y <= frame.lower[1] for _x, y in points)
    assert points[-1] == (float(plot.end_x), float(plot.end_y))
    assert len(plot.days) <= frame.max_labels


def test_days_without_sales_have_a_flat_plot() -> None:
    plot = plots.plot([(day, 0, 0) for day, _orders, _cents in DAYS[:7]], WIDE)
    assert {bar.height for bar in plot.bars} == {"0"}
    assert [tick.label for tick in plot.money_ticks] == ["$0", "$50", "$100"]


def test_the_busiest_hours_are_strong() -> None:
    bars = plots.hour_bars([0] * 8 + [1, 2, 3, 9, 8, 7, 6] + [0] * 9, width=288, height=96)
    assert [hour for hour, bar in enumerate(bars) if bar.is_strong] == [11, 12, 13, 14]
    assert max(float(bar.height) for bar in bars) == 96
    assert not any(bar.is_strong for bar in plots.hour_bars([0] * 24, width=288, height=96))


@pytest.mark.parametrize(
    ("now", "before", "words"),
    [
        (108, 100, "+8%"),
        (91, 100, "−9%"),
        (100, 100, "0%"),
        (5, 0, ""),
        (1, 3, "−66.7%"),
        (12_346_00, 1_00, "+1,234,500%"),
        (2_000_67, 1_00, "+199,967%"),
        (2_345_678, 1_000, "+234,467.8%"),
    ],
)
def test_a_change_is_shown_in_percent(now: int, before: int, words: str) -> None:
    assert plots.percent_change(now, before) == words


def test_a_nonzero_value_is_always_visible() -> None:
    assert (
        plots.bar_percent(1, 10_000),
        plots.bar_percent(0, 5),
        plots.bar_percent(5, 5),
        plots.bar_percent(0, 0),
    ) == (1, 0, 100, 0)
