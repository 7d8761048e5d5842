"""`make bench-peers`: the store beside Vendure on SQLite and beside django-oscar on PostgreSQL, taking turns.

Prints its tables and writes them into docs/performance.md: about twenty minutes, and some more the first time.
`python -m tools.bench.peers vendure` (or `oscar`) measures the store beside one of them, and only prints.
"""

import random
import sys
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import httpx

from tools.bench import processes
from tools.bench.peers import checkouts, oscar, vendure
from tools.bench.peers.catalogue import export
from tools.bench.peers.peer import BROWSING, Peer
from tools.bench.report import Report
from tools.bench.rest import Pace, Turn, take_turns, wrk_turn
from tools.bench.scenarios import ORDER, Scenario, Shop
from tools.bench.servers import Database, Server, bare, discard_mail, file_server, postgresql, sqlite, store
from tools.bench.table import Check, Goal, Row, at_least, markdown, show, spread
from tools.bench.wrk import Load

PEERS = ("vendure", "oscar")
PRODUCTS = 5_000
PACE = Pace(connections=16, rounds=5, seconds=5)
VENDURE_GOALS = {"list of 24": 25, "list of 24, cold": 8, "add to cart": 20, "place an order": 40}
OSCAR_GOALS = {"place an order": 15}
MEMORY_GOAL = Goal(0.5)


@dataclass(frozen=True)
class Result:
    scenario: Scenario
    store: Sequence[Load]
    bare: Sequence[Load]
    peer: Sequence[Load]

    @property
    def ratio(self) -> float:
        return _per_second(self.store) / _per_second(self.peer)


def main() -> None:
    asked = asked_for(sys.argv[1:])
    report = Report("peer figures")
    with tempfile.TemporaryDirectory(prefix="store-bench-") as name:
        folder = Path(name)
        catalogue = folder / "catalogue.jsonl"
        with sqlite(folder, PRODUCTS) as database:
            export(database, catalogue)
            report.add_rows("What the client that orders at Vendure and oscar can do at most", [_ceiling(folder)])
            if "vendure" in asked:
                _beside_vendure(report, folder, catalogue, database)
        if "oscar" in asked:
            with postgresql(folder, PRODUCTS) as database:
                _beside_oscar(report, catalogue, database)
    report.close(is_whole=asked == {*PEERS})


def asked_for(words: Sequence[str]) -> set[str]:
    if unknown := set(words) - set(PEERS):
        raise SystemExit(f"Unknown: {', '.join(sorted(unknown))}. There are {', '.join(PEERS)}.")
    return {*words} or {*PEERS}


def _ceiling(folder: Path) -> Row:
    """What the client that orders could do if the server took no time: its "checkout" is one request to nginx."""

    def fetch(client: httpx.Client, _rng: random.Random) -> None:
        client.get("/list.json").raise_for_status()

    with file_server(folder, b"[]") as files:
        load = checkouts.run(files.url, fetch, connections=PACE.connections, seconds=PACE.seconds)
    return Row(f"requests to nginx, {PACE.connections} threads of Python", load.per_second, "/s")


def _beside_vendure(report: Report, folder: Path, catalogue: Path, database: Database) -> None:
    shop = Shop.of(database)
    with ExitStack() as running:
        ours = running.enter_context(store(database))
        bare_server = running.enter_context(bare(database))
        peer = running.enter_context(vendure.serve(folder, catalogue, shop))
        results = _compare(database, ours, bare_server, peer)
        memory = _memory_rows(ours, peer)
    title = f"Beside Vendure {vendure.VERSION}, SQLite, {PRODUCTS:,} products, {PACE.connections} connections"
    report.add(title, *_table(results, peer, VENDURE_GOALS))
    report.add_rows("Memory after that load", memory)


def _beside_oscar(report: Report, catalogue: Path, database: Database) -> None:
    shop = Shop.of(database)
    with ExitStack() as running:
        ours = running.enter_context(store(database, workers=2))
        bare_server = running.enter_context(bare(database))
        peer = running.enter_context(oscar.serve(catalogue, database, shop))
        results = _compare(database, ours, bare_server, peer)
    how = f"PostgreSQL, two processes each, {PRODUCTS:,} products, {PACE.connections} connections"
    report.add(f"Beside django-oscar {oscar.VERSION}, {how}", *_table(results, peer, OSCAR_GOALS))


def _compare(database: Database, ours: Server, bare_server: Server, peer: Peer) -> list[Result]:
    shop = Shop.of(database)
    peer.verify(shop)
    discard_mail(database)
    results = []
    for scenario, peers_scenario in zip((*BROWSING, ORDER), (*peer.scenarios, None), strict=True):
        turns = [wrk_turn(server, scenario, shop, PACE) for server in (ours, bare_server)]
        turns.append(wrk_turn(peer.server, peers_scenario, shop, PACE) if peers_scenario else _orders(peer))
        loads = take_turns(turns, PACE.rounds, before=lambda: processes.wait_until_idle(peer.server))
        results.append(Result(scenario, *loads))
        print(f"{peer.name}, {scenario.name}: done", flush=True)
    return results


def _per_second(loads: Sequence[Load]) -> float:
    return median(load.per_second for load in loads)


def _orders(peer: Peer) -> Turn:
    def run(number: int) -> Load:
        return checkouts.run(
            peer.server.url, peer.check_out, connections=PACE.connections, seconds=PACE.seconds, seed=number
        )

    return run


def _memory_rows(ours: Server, peer: Peer) -> list[Row]:
    store_bytes, peer_bytes = processes.memory(ours), processes.memory(peer.server)
    return [
        Row("store", store_bytes / 1e6, "MB"),
        Row(peer.name, peer_bytes / 1e6, "MB"),
        Row(f"store / {peer.name}", store_bytes / peer_bytes, goal=MEMORY_GOAL),
    ]


def _table(results: Sequence[Result], peer: Peer, goals: dict[str, int]) -> tuple[str, list[Check]]:
    name = peer.name
    heads = ("", "store /s", "limit /s", f"{name} /s", "store / limit", f"store / {name}", "spread", "goal")
    rows = [_cells(each, goals) for each in results]
    checks = [
        Check(f"{each.scenario.name}: store / {name}", each.ratio, at_least(goals[each.scenario.name]))
        for each in results
        if each.scenario.name in goals
    ]
    return markdown((*heads, "p50 ms", "p99", f"{name} p50", "p99"), rows), checks


def _cells(each: Result, goals: dict[str, int]) -> list[str]:
    store_rate, limit_rate, peer_rate = (_per_second(loads) for loads in (each.store, each.bare, each.peer))
    ratios = [ours.per_second / theirs.per_second for ours, theirs in zip(each.store, each.peer, strict=True)]
    failures = sum(load.failures for load in (*each.store, *each.bare, *each.peer))
    goal = goals.get(each.scenario.name)
    return [
        each.scenario.name + (f" ({failures} failed)" if failures else ""),
        *(show(rate) for rate in (store_rate, limit_rate, peer_rate)),
        show(store_rate / limit_rate),
        show(each.ratio),
        spread(ratios),
        at_least(goal).text() if goal else "",
        *(
            show(median(getattr(load, quantile) for load in loads))
            for loads in (each.store, each.peer)
            for quantile in ("p50_ms", "p99_ms")
        ),
    ]


if __name__ == "__main__":
    main()
