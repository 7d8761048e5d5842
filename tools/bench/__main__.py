"""`make bench`: measures, prints, and writes what came out into docs/performance.md. About forty minutes.

`python -m tools.bench rest` (or `scaled`, `growth`, `screen`, `memory`, `lighthouse`) measures a part, and only prints.
"""

import shutil
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

import httpx

from tools.bench import clicks, interactions, lighthouse, memory, rest, screen, wrk
from tools.bench.clicks import Clicks
from tools.bench.report import Report
from tools.bench.scenarios import ALL, GROWING
from tools.bench.servers import Database, bare, file_server, postgresql, sqlite, store
from tools.bench.table import Row, show
from tools.bench.wrk import Request

PRODUCTS, SIZES = 5_000, (500, 50_000)
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
                title = "PostgreSQL and Redis, two worker processes, 16 connections"
                report.add_comparisons(title, rest.compare(scaled, connections=16, workers=2))
    if set(asked) == set(PARTS):
        report.save()


def _rest(report: Report, database: Database, folder: Path) -> None:
    with bare(database) as limit:
        page = httpx.get(f"{limit.url}/api/products?category=Vapes").content
    with file_server(folder, page) as files:
        ceiling = wrk.run(files.url, [Request("/list.json")], connections=16, seconds=rest.SECONDS)
    size = f"{len(page) / 1000:.0f} kB"
    report.add_rows("The client", [Row(f"a file of {size} from nginx, 16 connections", show(ceiling.per_second, "/s"))])
    report.add_comparisons(
        "SQLite, 5,000 products, 16 connections", rest.compare(database, connections=16), picture="bench-sqlite"
    )
    report.add_comparisons("SQLite, 5,000 products, 64 connections", rest.compare(database, connections=64, rounds=3))
    writes = [replace(each, goal=None) for each in ALL if each.is_write and each.has_limit]
    report.add_comparisons(
        "SQLite, 16 connections, beside a limit that waits for the disk as well",
        rest.compare(database, connections=16, scenarios=writes, waits_for_disk=True),
    )


def _growth(report: Report, usual: Database, folder: Path) -> None:
    measured = {PRODUCTS: rest.compare(usual, connections=16, scenarios=GROWING, rounds=3)}
    by_size = {PRODUCTS: _catalogue_clicks(usual)}
    for products in SIZES:
        with sqlite(folder, products) as database:
            measured[products] = rest.compare(database, connections=16, scenarios=GROWING, rounds=3)
            if products > PRODUCTS:
                by_size[products] = _catalogue_clicks(database)
    report.add_growth("Growth, SQLite, 16 connections", measured)
    report.add("Growth of clicks", clicks.growth(by_size))


def _catalogue_clicks(database: Database) -> list[Clicks]:
    with store(database) as server:
        return screen.measure_catalogue_clicks(server)


def _screen(report: Report, database: Database, folder: Path) -> None:
    with store(database):
        pass  # the pages are built now
    with store(database) as server:
        report.add_rows("Start to ready, once built", [Row("store", show(server.seconds_to_ready, "s"), "", "<= 3 s")])
        report.add("Click to changed screen", screen.measure_clicks(server, database, folder))
        title = f"Interaction to next paint, a phone with 1/{interactions.SLOWDOWN} of the speed"
        report.add_rows(title, screen.measure_interactions(server))
        report.add_rows("In the browser", screen.measure_weights(server))


def _lighthouse(report: Report, database: Database) -> None:
    if not lighthouse.is_available():
        print("Lighthouse cannot be installed from npm, and is left out.")
        return
    with store(database) as server:
        how, visits = lighthouse.measure(server, database)
    report.add(f"Lighthouse, mobile, {how}", visits)


def _require(*packages: str) -> None:
    """Debian's packages; as root they are installed."""
    missing = [name for name in packages if not shutil.which(name.partition("-")[0])]
    if missing:
        subprocess.run(["apt-get", "update", "-qq"], check=False)
        subprocess.run(["apt-get", "install", "-y", "-qq", *missing], check=False)
    if lacking := [name for name in missing if not shutil.which(name.partition("-")[0])]:
        raise SystemExit(f"Please install {' and '.join(lacking)}: they are fast enough not to be what is measured.")


if __name__ == "__main__":
    main()
