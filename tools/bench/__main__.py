"""`make bench`: measures, prints, and writes what came out into docs/performance.md. About an hour.

`python -m tools.bench rest` (or `scaled`, `growth`, `screen`, `memory`, `lighthouse`) measures a part, and only prints.
"""

import shutil
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

import httpx

from tools.bench import clicks, comparisons, in_browser, interactions, lighthouse, memory, rest, wrk
from tools.bench.clicks import Clicks
from tools.bench.report import Report
from tools.bench.rest import FEW, MANY
from tools.bench.scenarios import ALL
from tools.bench.servers import Database, bare, file_server, postgresql, sqlite, store
from tools.bench.table import Goal, Row, of_many
from tools.bench.wrk import Request

FEWEST, PRODUCTS, MOST = 500, 5_000, 50_000
READY_GOAL = Goal(3)
PARTS = ("rest", "scaled", "growth", "screen", "memory", "lighthouse")


def main() -> None:
    asked = sys.argv[1:] or PARTS
    if unknown := set(asked) - set(PARTS):
        raise SystemExit(f"Unknown: {', '.join(unknown)}. There are {', '.join(PARTS)}.")
    _require("wrk", "nginx-light")
    report = Report()
    with tempfile.TemporaryDirectory(prefix="store-bench-") as name:
        folder = Path(name)
        with sqlite(folder, PRODUCTS) as database:
            if "rest" in asked:
                _rest(report, database, folder)
            if "growth" in asked:
                _growth(report, database, folder)
            if "screen" in asked:
                _screen(report, database, folder)
            if "memory" in asked:
                with store(database) as server:
                    report.add_rows("Memory", memory.measure(server))
            if "lighthouse" in asked:
                _lighthouse(report, database)
        if "scaled" in asked:
            with postgresql(folder, PRODUCTS) as scaled:
                title = f"PostgreSQL and Redis, two worker processes, {FEW} connections"
                [measured] = rest.compare(scaled, FEW, workers=2)
                report.add_comparisons(title, measured, picture="bench-postgresql")
    report.close(is_whole=set(asked) == set(PARTS))


def _rest(report: Report, database: Database, folder: Path) -> None:
    with bare(database) as server:
        page = httpx.get(f"{server.url}/api/products?category=Vapes").content
    with file_server(folder, page) as files:
        ceiling = wrk.run(files.url, [Request("/list.json")], connections=FEW, seconds=rest.SECONDS)
    size = f"{len(page) / 1000:.0f} kB"
    report.add_rows("The client", [Row(f"a file of {size} from nginx, {FEW} connections", ceiling.per_second, "/s")])
    few, many = rest.compare(database, FEW, MANY)
    for connections, measured, picture in ((FEW, few, "bench-sqlite"), (MANY, many, "bench-sqlite-many")):
        report.add_comparisons(f"SQLite, {PRODUCTS:,} products, {connections} connections", measured, picture=picture)
    report.add(f"SQLite, {MANY} connections (many) beside {FEW} (few)", *comparisons.many_beside_few(few, many))
    writes = [replace(each, goal=None) for each in ALL if each.is_write and each.has_limit]
    [durable] = rest.compare(database, FEW, scenarios=writes, waits_for_disk=True)
    report.add_comparisons(f"SQLite, {FEW} connections, beside a limit that waits for the disk as well", durable)


def _growth(report: Report, usual: Database, folder: Path) -> None:
    with sqlite(folder, FEWEST) as small, sqlite(folder, MOST) as large:
        databases = (small, usual, large)
        by_size = dict(zip((each.products for each in databases), rest.compare_sizes(databases), strict=True))
        few, many = (_catalogue_clicks(database) for database in (usual, large))
    title = f"Growth, SQLite, {FEW} connections"
    drawn = {"bench-growth": comparisons.draw_growth(title, by_size)}
    report.add(title, *comparisons.growth(by_size, PRODUCTS), pictures=drawn)
    heads = [f"{products:,} products" for products in (PRODUCTS, MOST)]
    report.add("Growth of clicks", *clicks.growth(few, many, heads))


def _catalogue_clicks(database: Database) -> list[Clicks]:
    with store(database) as server:
        return in_browser.measure_catalogue_clicks(server)


def _screen(report: Report, database: Database, folder: Path) -> None:
    with store(database):
        pass  # the pages are built now
    starts = [_seconds_to_ready(database) for _ in range(rest.ROUNDS)]
    report.add_rows("Start to ready, once built", [of_many("store", starts, "s", READY_GOAL)])
    with store(database) as server:
        report.add("Click to changed screen", *in_browser.measure_clicks(server, database, folder))
        title = f"Interaction to next paint, an emulated phone with the processor slowed to 1/{interactions.SLOWDOWN}"
        report.add_rows(title, in_browser.measure_interactions(server))
        report.add_rows("In the browser", in_browser.measure_weights(server))


def _seconds_to_ready(database: Database) -> float:
    with store(database) as server:
        return server.seconds_to_ready


def _lighthouse(report: Report, database: Database) -> None:
    if not lighthouse.install():
        report.add("Lighthouse, mobile", "It could not be installed from npm, so none of its goals was measured.")
        return
    with store(database) as server:
        how, table, checks = lighthouse.measure(server, database)
    report.add(f"Lighthouse, mobile, {how}", table, checks)


def _require(*packages: str) -> None:
    """Install these Debian packages where they are missing, which needs root. Ends the run if that fails."""
    missing = [name for name in packages if not shutil.which(name.partition("-")[0])]
    if missing and shutil.which("apt-get"):
        subprocess.run(["apt-get", "update", "-qq"], check=False)
        subprocess.run(["apt-get", "install", "-y", "-qq", *missing], check=False)
    if lacking := [name for name in missing if not shutil.which(name.partition("-")[0])]:
        raise SystemExit(f"Please install {' and '.join(lacking)}: slower programs would limit the figures.")


if __name__ == "__main__":
    main()
