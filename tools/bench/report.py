"""What was measured, as docs/performance.md shows it."""

import os
import platform
from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path

from tools.bench.plots import Bar, bars
from tools.bench.rest import Comparison
from tools.bench.servers import ROOT
from tools.bench.table import Row, markdown, show, table
from tools.written_pages import write_part

PAGE = ROOT / "docs" / "performance.md"
PICTURES = ROOT / "docs" / "pictures"
HEADS = ("", "store /s", "limit /s", "ratio", "spread", "goal", "p50 ms", "p95", "p99", "max", "p99 / p50")


class Report:
    """A part of the page, which `save` replaces, together with its pictures."""

    def __init__(self, name: str = "figures") -> None:
        self.name = name
        self.parts: list[str] = [f"Measured on {date.today():%d %B %Y}: {_machine()}.\n"]
        self.pictures: dict[str, str] = {}

    def add(self, title: str, body: str, *, picture: str = "") -> None:
        """Also printed at once: a run takes some time."""
        print(f"\n{title}\n\n{body}", flush=True)
        shown = f"![{title}](pictures/{picture}.svg)\n\n" if picture else ""
        self.parts.append(f"### {title}\n\n{shown}{body}\n")

    def add_rows(self, title: str, rows: Sequence[Row]) -> None:
        self.add(title, table(rows))

    def add_comparisons(self, title: str, comparisons: Sequence[Comparison], *, picture: str = "") -> None:
        if picture:
            self.pictures[picture] = bars(f"{title}: requests a second as a share of the limit", _ratios(comparisons))
        self.add(title, markdown(HEADS, [_cells(each) for each in comparisons]), picture=picture)

    def add_growth(self, title: str, by_size: Mapping[int, Sequence[Comparison]]) -> None:
        sizes = sorted(by_size)
        names = [each.scenario.name for each in by_size[sizes[0]]]
        rates = {size: [each.per_second for each in by_size[size]] for size in sizes}
        rows = [
            [
                name,
                *(f"{rates[size][place]:,.0f} /s" for size in sizes),
                show(rates[sizes[-1]][place] / rates[5_000][place]),
            ]
            for place, name in enumerate(names)
        ]
        self.add(title, markdown(["", *(f"{size:,} products" for size in sizes), "largest / 5,000"], rows))

    def save(self) -> None:
        write_part(PAGE, self.name, "\n".join(self.parts))
        for name, drawing in self.pictures.items():
            (PICTURES / f"{name}.svg").write_text(drawing)


def _cells(each: Comparison) -> list[str]:
    ratios, goal = each.ratios, each.scenario.goal
    p50, p99 = each.latency("p50_ms"), each.latency("p99_ms")
    return [
        each.scenario.name + (f" ({each.failures} failed)" if each.failures else ""),
        f"{each.per_second:,.0f}",
        f"{each.limit:,.0f}" if each.limit else "",
        show(each.per_second / each.limit) if each.limit else "",
        f"{show(ratios[0])} to {show(ratios[-1])}" if ratios else "",
        f">= {goal:g}" if goal else "",
        *(show(each.latency(quantile)) for quantile in ("p50_ms", "p95_ms", "p99_ms", "max_ms")),
        show(p99 / p50),
    ]


def _ratios(comparisons: Sequence[Comparison]) -> list[Bar]:
    return [
        Bar(each.scenario.name, each.per_second / each.limit, show(each.per_second / each.limit), each.scenario.goal)
        for each in comparisons
        if each.limit
    ]


def _machine() -> str:
    described = Path("/proc/cpuinfo").read_text() if Path("/proc/cpuinfo").exists() else ""
    model = next((line.partition(":")[2].strip() for line in described.splitlines() if "model name" in line), "")
    return f"{os.cpu_count()} cores of {model or platform.machine()}, Python {platform.python_version()}"
