"""Tables, goals and plots of what `rest.py` has measured."""

from collections.abc import Mapping, Sequence

from tools.bench.plots import Bar, bars
from tools.bench.rest import Comparison
from tools.bench.table import Check, Goal, at_least, markdown, show, spread

HEADS = ("", "store /s", "limit /s", "ratio", "spread", "goal", "p50 ms", "p95", "p99", "max", "p99 / p50", "goal")
TAIL_GOAL, NO_FAILURES = Goal(4), Goal(0)
MANY_GOAL = at_least(0.9)


def table(measured: Sequence[Comparison]) -> str:
    return markdown(HEADS, [_cells(each) for each in measured])


def checks(measured: Sequence[Comparison]) -> list[Check]:
    made = []
    for each in measured:
        name = each.scenario.name
        if goal := _goal(each):
            made.append(Check(f"{name}: share of the limit", each.ratio, goal))
        made.append(Check(f"{name}: p99 / p50", each.tail, TAIL_GOAL))
        made.append(Check(f"{name}: failed", each.failures, NO_FAILURES))
    return made


def many_beside_few(few: Sequence[Comparison], many: Sequence[Comparison]) -> tuple[str, list[Check]]:
    """A table and checks: the requests per second with many connections, as a share of those with few."""
    rows, made = [], []
    for before, after in zip(few, many, strict=True):
        name, share = before.scenario.name, after.per_second / before.per_second
        rates = (f"{each.per_second:,.0f}" for each in (before, after))
        rows.append([name, *rates, show(share), spread(after.ratios_to(before)), MANY_GOAL.text()])
        made.append(Check(name, share, MANY_GOAL))
    return markdown(("", "few /s", "many /s", "share", "spread", "goal"), rows), made


def growth(by_size: Mapping[int, Sequence[Comparison]], usual: int) -> tuple[str, list[Check]]:
    """A table and checks: the requests per second by the number of products, and those with the largest catalogue as a
    share of those with the usual one."""
    rows, made = [], []
    for comparisons in zip(*by_size.values(), strict=True):
        base, largest = dict(zip(by_size, comparisons, strict=True))[usual], comparisons[-1]
        name, share = base.scenario.name, largest.per_second / base.per_second
        goal = at_least(base.scenario.growth_goal) if base.scenario.growth_goal else None
        rates = (f"{each.per_second:,.0f} /s" for each in comparisons)
        rows.append([name, *rates, show(share), spread(largest.ratios_to(base)), goal.text() if goal else ""])
        if goal:
            made.append(Check(name, share, goal))
    heads = ("", *(f"{size:,} products" for size in by_size), f"largest / {usual:,}", "spread", "goal")
    return markdown(heads, rows), made


def draw(title: str, measured: Sequence[Comparison], name: str) -> dict[str, str]:
    """Two plots by file name: the shares of the limit, and the latencies."""
    shares = [
        Bar(each.scenario.name, each.ratio, show(each.ratio), each.scenario.goal) for each in measured if each.limit
    ]
    latencies = [_latency_bar(each, quantile) for each in measured for quantile in ("p50", "p99")]
    return {
        name: bars(f"{title}: requests a second as a share of the limit", shares),
        f"{name}-latency": bars(f"{title}: latency, each grid line ten times the one before", latencies, is_log=True),
    }


def _latency_bar(each: Comparison, quantile: str) -> Bar:
    milliseconds = each.latency(f"{quantile}_ms")
    return Bar(f"{each.scenario.name}, {quantile}", milliseconds, show(milliseconds, "ms"))


def draw_growth(title: str, by_size: Mapping[int, Sequence[Comparison]]) -> str:
    rows = [
        Bar(f"{each.scenario.name}, {size:,}", each.per_second, show(each.per_second, "/s"))
        for comparisons in zip(*by_size.values(), strict=True)
        for size, each in zip(by_size, comparisons, strict=True)
    ]
    return bars(f"{title}: requests a second by the number of products", rows)


def _goal(each: Comparison) -> Goal | None:
    return at_least(each.scenario.goal) if each.scenario.goal and each.limit else None


def _cells(each: Comparison) -> list[str]:
    return [
        each.scenario.name + (f" ({each.failures} failed)" if each.failures else ""),
        f"{each.per_second:,.0f}",
        f"{each.limit:,.0f}" if each.limit else "",
        show(each.ratio) if each.limit else "",
        spread(each.ratios),
        goal.text() if (goal := _goal(each)) else "",
        *(show(each.latency(quantile)) for quantile in ("p50_ms", "p95_ms", "p99_ms", "max_ms")),
        show(each.tail),
        TAIL_GOAL.text(),
    ]
