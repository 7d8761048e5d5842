"""`make load`: shoppers, buyers, open tabs and staff on the cluster, beside two attackers.

python -m tools.load            # twenty minutes, and docs/reliability.md gets the tables
python -m tools.load 3 0.25     # minutes, and which share of the people and the attackers; only prints
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from sqlmodel import Session

from marketplace_app import db
from marketplace_app.config import PRODUCTION_RATES
from marketplace_app.web.open_sockets import MAX_SOCKETS_OF_ADDRESS
from tools.bench.table import markdown
from tools.cluster.control import ROOT, Cluster
from tools.faults.__main__ import REPORT, fill_stock
from tools.faults.outcomes import Outcome, compare
from tools.load import acts, watching
from tools.load.people import People, address
from tools.load.tabs import OpenTab, Tabs
from tools.written_pages import write_part

PORT = int(os.environ.get("LOAD_PORT", "8473"))
"""The four ports after it are used too."""
MINUTES = 20.0
SETTINGS = {name.upper(): rate for name, rate in PRODUCTION_RATES.items()}
WARM_UP_SHARE = 0.25
"""The share of the run after which memory is compared."""
QUEUES = {"emails waiting": watching.UNSENT, "lock waits": watching.LOCK_WAITS}


@dataclass(frozen=True)
class Size:
    shoppers: int = 100
    buyers: int = 40
    tabs: int = 200
    staff: int = 2
    events: int = 5_000
    """How many one attacker sends in a second."""
    sockets: int = 500
    """How many the other attacker tries to open."""

    def scaled(self, share: float) -> "Size":
        return Size(*(max(1, round(each * share)) for each in vars(self).values()))


@dataclass(frozen=True)
class Result:
    tables: str
    outcome: Outcome
    errors: dict[str, int]
    """What went wrong for honest people, and which workers ended; how often."""
    is_flooded: bool
    """Whether one address held more sockets than it may."""
    is_attacked: bool
    """Whether both attackers worked to the end: without them, the figures are too good."""

    @property
    def is_bad(self) -> bool:
        return self.outcome.is_bad or bool(self.errors) or self.is_flooded or not self.is_attacked


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tools.load")
    parser.add_argument("minutes", type=float, nargs="?", default=MINUTES)
    parser.add_argument("share", type=float, nargs="?", default=1.0, help="of the people and the attackers")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="store-load-", ignore_cleanup_errors=True) as folder:
        cluster = Cluster(Path(folder), PORT, SETTINGS)
        try:
            cluster.start()
            result = run(cluster, args.minutes * 60, Size().scaled(args.share))
        finally:
            cluster.stop()
    print(result.tables)
    if (args.minutes, args.share) == (MINUTES, 1):
        write_part(REPORT, "load", result.tables)
    if result.is_bad:
        raise SystemExit(1)


def run(cluster: Cluster, seconds: float, size: Size) -> Result:
    """Run the load on a cluster that has started. The attackers end by themselves."""
    engine = db.make_engine(cluster.database_url)
    fill_stock(engine)
    done = acts.Acts()
    people = People(cluster, done, shoppers=size.shoppers, buyers=size.buyers, staff=size.staff)
    open_tabs = _tabs_of(people, size.tabs)
    tabs, watch = Tabs(cluster, done, open_tabs), watching.Watch(cluster, engine)
    watch.begin()
    tabs.open()
    attackers = {kind: _attack(cluster, kind, seconds, getattr(size, kind)) for kind in ("events", "sockets")}
    _let_work(people, open_tabs, seconds)
    still_open = sum(each.opened_at is not None for each in open_tabs)
    tabs.close()
    attacks = {kind: json.loads(each.communicate(timeout=90)[0] or "{}") for kind, each in attackers.items()}
    watch.end()
    allowed = MAX_SOCKETS_OF_ADDRESS * sum(len(cluster.workers(name)) for name in watching.STORES)
    waiting = {name: watching.count(engine, query) for name, query in QUEUES.items()}
    with Session(engine) as session:
        outcome = compare(session, "load", people.history, time.monotonic(), ())
    engine.dispose()
    errors = dict(done.errors) | {f"{name} ended": 1 for name in watch.gone}
    facts = [
        f"{seconds / 60:g} minutes: {size.shoppers} shoppers, {size.buyers} buyers, {size.tabs} open tabs,"
        f" {size.staff} staff.",
        _described_orders(outcome),
        f"Errors of honest people, and workers that ended: {_described_errors(errors)}.",
        f"Tabs open at the end: {still_open} of {size.tabs}.",
        f"At the end: {', '.join(f'{number} {name}' for name, number in waiting.items())}; most lock waits at once:"
        f" {watch.most_lock_waits}.",
        f"The attackers: {_described_attacks(attacks, allowed)}.",
    ]
    tables = [markdown(acts.HEADS, done.rows()), markdown(watching.HEADS, watch.rows(seconds / 60 * WARM_UP_SHARE))]
    return Result(
        "\n\n".join(["\n".join(f"- {fact}" for fact in facts), *tables]),
        outcome,
        errors,
        is_flooded=attacks["sockets"].get("opened", 0) > allowed,
        is_attacked=all(attacks.values()),
    )


def _tabs_of(people: People, count: int) -> list[OpenTab]:
    """A tab for each buyer first; the rest are guests'."""
    cookies = [each.client.cookies["__Host-session"] for each in people.buyers]
    cookies += [""] * (count - len(cookies))
    return [OpenTab(cookie, address(5, number)) for number, cookie in enumerate(cookies)]


def _let_work(people: People, open_tabs: list[OpenTab], seconds: float) -> None:
    started = time.monotonic()
    people.begin(open_tabs)
    time.sleep(max(0, seconds - (time.monotonic() - started)))
    people.end()


def _attack(cluster: Cluster, kind: str, seconds: float, count: int) -> subprocess.Popen[str]:
    (certificate,) = cluster.folder.rglob("root.crt")
    words = [kind, cluster.url, str(certificate), str(seconds), str(count)]
    command = [sys.executable, "-m", "tools.load.attackers", *words]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)


def _described_orders(outcome: Outcome) -> str:
    return (
        f"Orders: {outcome.acknowledged} acknowledged, {outcome.lost} lost, {outcome.doubled} doubled,"
        f" {outcome.wrong} wrong."
    )


def _described_errors(errors: dict[str, int]) -> str:
    return "; ".join(f"{count} x {why}" for why, count in errors.items()) or "none"


def _described_attacks(attacks: dict[str, dict[str, int]], allowed: int) -> str:
    events, sockets = attacks["events"], attacks["sockets"]
    if not events or not sockets:
        return "one of them failed, with the error in the output of this run"
    return (
        f"{events['sent']:,} events written on {events['connections']} connections;"
        f" {sockets['opened']} sockets opened, {sockets['refused']} refused, at most {allowed} allowed"
    )


if __name__ == "__main__":
    main()
