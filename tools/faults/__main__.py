"""`make faults`: twenty customers order while one thing after the other fails, on the cluster and on SQLite.

After each fault, the answers that the customers got are compared with the database, and all invariants are checked.

    python -m tools.faults                 # all, and docs/reliability.md gets the tables
    python -m tools.faults SQLite          # all, on SQLite alone, with its table (`cluster`: on the cluster alone)
    python -m tools.faults Redis cluster   # faults with `redis` in their name, on the cluster; only prints
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from sqlalchemy import Engine, text

from marketplace_app import db
from tools.bench.table import markdown
from tools.faults.clients import Customers
from tools.faults.disks import mounted
from tools.faults.listed import FAULTS, Fault
from tools.faults.outcomes import HEADS, Outcome, inject
from tools.faults.requests import ACTS, Act
from tools.faults.sites import Site, SqliteSite
from tools.written_pages import write_part

PORT = int(os.environ.get("FAULTS_PORT", "8463"))
"""The five ports after it are used too."""
CUSTOMERS = 20
CRASHES = "a process is killed before each statement of"
SITES = {"cluster": Site, "sqlite": SqliteSite}
REPORT = Path(__file__).parents[2] / "docs" / "reliability.md"


def main() -> None:
    words = [word.lower() for word in sys.argv[1:]]
    sites = [word for word in words if word in SITES] or [*SITES]
    part_of_name = " ".join(word for word in words if word not in SITES)
    chosen = [fault for fault in FAULTS if part_of_name in fault.name.lower()]
    crashes = [act for act in ACTS if part_of_name in f"{CRASHES} {act.name}"]
    if not chosen and not crashes:
        names = [*(fault.name for fault in FAULTS), *(f"{CRASHES} {act.name}" for act in ACTS)]
        raise SystemExit("No fault has that in its name. There are: " + "; ".join(names))
    outcomes = {site: list(_on(site, chosen, crashes)) for site in sites}
    for site, found in outcomes.items():
        table = markdown(HEADS, [outcome.cells() for outcome in found])
        print(f"\n{site}:\n\n{table}")
        if not part_of_name:
            write_part(REPORT, f"faults: {site}", table)
    if any(outcome.is_bad for found in outcomes.values() for outcome in found):
        raise SystemExit(1)


def _on(name: str, faults: Sequence[Fault], crashes: Sequence[Act]) -> Iterator[Outcome]:
    with tempfile.TemporaryDirectory(prefix="store-faults-", ignore_cleanup_errors=True) as folder:
        site = SITES[name](Path(folder), PORT)
        with mounted([disk.path for disk in site.disks.values()]) as has_disks:
            try:
                site.prepare()
                site.mailbox.start()
                site.start()
                yield from _shown(_crashes(site, crashes))
                applicable = [each for each in faults if each.applies_to(site, has_disks=has_disks)]
                yield from _shown(_faults(site, applicable))
            finally:
                site.stop()
                site.mailbox.stop()
    if not has_disks:
        print("No disk was full: mounting one needs the system administrator's rights.")


def _shown(outcomes: Iterator[Outcome]) -> Iterator[Outcome]:
    for outcome in outcomes:
        print(f"{outcome.name}:", *outcome.cells()[1:], sep="  ", flush=True)
        yield outcome


def _crashes(site: Site, acts: Sequence[Act]) -> Iterator[Outcome]:
    if not acts:
        return
    command = [sys.executable, "-m", "tools.faults.crashes", *(act.name for act in acts)]
    settings = {
        "DATABASE_URL": site.database_url,
        "OIDC_ISSUER": f"http://localhost:{site.provider_port}",
        "RUN_SHEETS": str(site.folder / "run-sheets"),
    }
    done = subprocess.run(command, env=os.environ | settings, stdout=subprocess.PIPE, text=True, check=True)
    for each in map(json.loads, done.stdout.splitlines()):
        name = f"{CRASHES} {each['name']}: {each['killed']} processes"
        yield Outcome(name, acknowledged=each["killed"], lost=each["lost"], doubled=0, wrong=each["wrong"])


def _faults(site: Site, faults: Sequence[Fault]) -> Iterator[Outcome]:
    if not faults:
        return
    engine = db.make_engine(site.database_url)
    fill_stock(engine)
    customers = Customers(site, CUSTOMERS)
    for fault in faults:
        started = time.monotonic()
        yield inject(fault, site, customers, engine)
        print(f"   ({time.monotonic() - started:.0f} s)")
    engine.dispose()


def fill_stock(engine: Engine) -> None:
    """Add stock to the products without batches; the stock of the others has to equal the units of their batches."""
    with engine.begin() as connection:
        connection.execute(text("UPDATE products SET stock = stock + 1000000 WHERE NOT has_batches"))
        connection.execute(
            text(
                "INSERT INTO stock_movements (product_id, change, reason, note, created_at)"
                " SELECT id, 1000000, 'adjust', '', CURRENT_TIMESTAMP FROM products WHERE NOT has_batches"
            )
        )


if __name__ == "__main__":
    main()
