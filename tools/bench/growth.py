"""`make bench-growth`: what costs more with ten times the orders, and with many open tabs.

Fills a database of each kind with a tenth of `--orders` and another with all of them, and takes the figures of
`admin.py` on both; then opens `--tabs` tabs of the catalogue. Writes docs/performance.md; with other numbers, or with
parts left out (`--orders 0`, `--tabs 0`, `--databases SQLite`), it only prints.
"""

import argparse
import math
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from tests.e2e.wire import Tab
from tools.bench import admin, clicks, in_browser, memory
from tools.bench.admin import DATABASES, Size, Timing
from tools.bench.clicks import Clicks
from tools.bench.report import Report
from tools.bench.servers import sqlite, store
from tools.bench.table import markdown, show, spread
from tools.bench.tabs import kept_open

ORDERS, TABS, GROWTH_FACTOR = 1_000_000, 1_000, 10
PRODUCTS = 5_000
"""In the store whose tabs are opened."""


def main() -> None:
    parser = argparse.ArgumentParser(prog="tools.bench.growth", description=str(__doc__).partition("\n")[0])
    admin.add_sizes(parser, ORDERS)
    parser.add_argument("--tabs", type=int, default=TABS)
    parser.add_argument("--databases", nargs="+", choices=DATABASES, default=DATABASES)
    options = parser.parse_args()
    report = Report("growth figures")
    for database in options.databases if options.orders else ():
        _orders(report, database, Size(options.products, options.users, options.orders))
    if options.tabs:
        _tabs(report, options.tabs)
    report.close(is_whole=len(sys.argv) == 1)


def _orders(report: Report, database: str, size: Size) -> None:
    fewer = size._replace(orders=size.orders // GROWTH_FACTOR)
    (before, _), (after, _) = (admin.run(database, each) for each in (fewer, size))
    heads = ("", f"{fewer.orders:,} orders", "spread", f"{size.orders:,} orders", "spread", "ratio")
    rows = [_cells(*each) for each in zip(before, after, strict=True)]
    scale = f"{size.products:,} products, {size.users:,} users"
    report.add(f"Growth with orders, the first time, {database}, {scale}", markdown(heads, rows))


def _cells(before: Timing, after: Timing) -> tuple[str, ...]:
    fewer, more = (each.first or each.again for each in (before, after))
    figures = (cell for each in (fewer, more) for cell in (show(median(each), "ms"), spread(each)))
    return before.what, *figures, show(median(more) / median(fewer))


def _tabs(report: Report, count: int) -> None:
    after: list[Clicks] = []
    with (
        tempfile.TemporaryDirectory(prefix="store-bench-") as folder,
        sqlite(Path(folder), PRODUCTS) as database,
        store(database) as server,
    ):
        before = in_browser.measure_catalogue_clicks(server)
        counts = sorted({1, math.ceil(count / GROWTH_FACTOR), count})

        def measure_clicks(tabs: Sequence[Tab]) -> None:
            with kept_open(tabs):
                after.extend(in_browser.measure_catalogue_clicks(server))

        rows = memory.measure(server, counts, measure_clicks)
    report.add_rows(f"Memory of {count:,} tabs", rows)
    report.add("Clicks beside these tabs", *clicks.growth(before, after, ("no other tab", f"{count:,} tabs")))


if __name__ == "__main__":
    main()
