"""The REST API under load, alternating with the bare server (`bare.py`) on the same database."""

import random
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from statistics import median

from tools.bench import wrk
from tools.bench.processes import wait_until_idle
from tools.bench.scenarios import ALL, GROWING, Scenario, Shop
from tools.bench.servers import Database, Server, bare, discard_mail, store
from tools.bench.wrk import Load

ROUNDS, SECONDS, WARM_UP_SECONDS = 5, 2, 1
FEW, MANY = 16, 64
"""Numbers of connections."""
GROWTH_PORTS = (8741, 8751, 8761)


@dataclass(frozen=True)
class Comparison:
    scenario: Scenario
    store: tuple[Load, ...]
    bare: tuple[Load, ...]
    """Empty for what `bare.py` does not answer."""

    @property
    def per_second(self) -> float:
        return median(load.per_second for load in self.store)

    @property
    def limit(self) -> float | None:
        return median(load.per_second for load in self.bare) if self.bare else None

    @property
    def ratio(self) -> float:
        """The store's requests per second as a share of the limit's; 1 if there is none."""
        return self.per_second / (self.limit or self.per_second)

    @property
    def tail(self) -> float:
        """How many times as long as the median the 99th percentile is."""
        return self.latency("p99_ms") / self.latency("p50_ms")

    @property
    def ratios(self) -> list[float]:
        """One for each round, the lowest first."""
        return sorted(ours.per_second / theirs.per_second for ours, theirs in zip(self.store, self.bare, strict=False))

    def latency(self, quantile: str) -> float:
        """The median over the rounds of `p50_ms`, `p95_ms`, `p99_ms` or `max_ms`."""
        return median(getattr(load, quantile) for load in self.store)

    def ratios_to(self, other: "Comparison") -> list[float]:
        """The store's requests per second as a share of the other's, one for each round, the lowest first."""
        return sorted(ours.per_second / theirs.per_second for ours, theirs in zip(self.store, other.store, strict=True))

    @property
    def failures(self) -> int:
        return sum(load.failures for load in (*self.store, *self.bare))


@dataclass(frozen=True)
class Pace:
    connections: int
    rounds: int = ROUNDS
    seconds: int = SECONDS
    """Of each round."""
    warm_up: int = WARM_UP_SECONDS
    part: int = 0
    """Which part of the cold requests this pace sends: paces that share a server must not send the same ones."""
    parts: int = 1
    """Into how many parts the cold requests are split."""


Turn = Callable[[int], Load]
"""One round of a scenario on one server, by its number."""


def compare(
    database: Database,
    *connections: int,
    workers: int = 1,
    scenarios: Sequence[Scenario] = ALL,
    rounds: int = ROUNDS,
    waits_for_disk: bool = False,
) -> list[list[Comparison]]:
    """A list for each number of connections. The servers take turns, and so do the numbers of connections.

    `waits_for_disk`: whether `bare.py` waits for the disk on SQLite too, as the store does. On PostgreSQL both do.
    """
    discard_mail(database)
    # Each process has a cache of its own, and chance decides which one answers: filling several takes longer.
    warm_up = WARM_UP_SECONDS if workers == 1 else 5 * WARM_UP_SECONDS
    paces = [
        Pace(each, rounds, warm_up=warm_up, part=part, parts=len(connections)) for part, each in enumerate(connections)
    ]
    with ExitStack() as running:
        ours = running.enter_context(store(database, workers=workers))
        bare_server = running.enter_context(bare(database, waits_for_disk=waits_for_disk))
        by_scenario = [_compare(each, Shop.of(database), ours, bare_server, paces) for each in scenarios]
    return [list(each) for each in zip(*by_scenario, strict=True)]


def _compare(
    scenario: Scenario, shop: Shop, ours: Server, bare_server: Server, paces: Sequence[Pace]
) -> list[Comparison]:
    servers = [ours, bare_server] if scenario.has_limit else [ours]
    turns = [wrk_turn(server, scenario, shop, pace) for pace in paces for server in servers]
    loads = take_turns(turns, paces[0].rounds, before=lambda: wait_until_idle(*servers))
    step = len(servers)
    return [
        Comparison(scenario, loads[place], loads[place + 1] if scenario.has_limit else ())
        for place in range(0, len(loads), step)
    ]


def compare_sizes(databases: Sequence[Database], *, rounds: int = ROUNDS) -> list[list[Comparison]]:
    """The store without the bare server, alternating between catalogues of several sizes: a list for each size."""
    pace = Pace(FEW, rounds)
    with ExitStack() as running:
        servers = [
            running.enter_context(store(database, port=port))
            for database, port in zip(databases, GROWTH_PORTS, strict=True)
        ]
        by_scenario = []
        for scenario in GROWING:
            turns = [
                wrk_turn(server, scenario, Shop.of(database), pace)
                for server, database in zip(servers, databases, strict=True)
            ]
            loads = take_turns(turns, rounds)
            by_scenario.append([Comparison(scenario, each, ()) for each in loads])
    return [list(each) for each in zip(*by_scenario, strict=True)]


def wrk_turn(server: Server, scenario: Scenario, shop: Shop, pace: Pace) -> Turn:
    """A turn that sends the scenario's requests with wrk. The server is warmed up first, unless the scenario is cold.

    Each round sends cold requests and writes of its own: a cold request that was sent before would be answered from a
    cache, and a used idempotency key places no order.
    """
    rng = random.Random(scenario.name)
    requests = scenario.requests(shop, rng)
    if not scenario.is_cold:
        wrk.run(server.url, requests, connections=pace.connections, seconds=pace.warm_up)

    def run(number: int) -> Load:
        sent = requests[number * pace.parts + pace.part :: pace.rounds * pace.parts] if scenario.is_cold else requests
        if scenario.is_write:
            sent = scenario.requests(shop, rng)
        seconds = max(pace.seconds, scenario.least_seconds)
        return wrk.run(server.url, sent, connections=pace.connections, seconds=seconds)

    return run


def take_turns(
    turns: Sequence[Turn], rounds: int, before: Callable[[], object] = lambda: None
) -> list[tuple[Load, ...]]:
    """The loads of each. Every other round goes from the last to the first. `before` is called before every turn."""
    loads: list[list[Load]] = [[] for _ in turns]
    for number in range(rounds):
        places = list(range(len(turns)))
        for place in places if number % 2 else places[::-1]:
            before()
            loads[place].append(turns[place](number))
    return [tuple(each) for each in loads]
