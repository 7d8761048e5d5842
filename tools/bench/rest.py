"""The REST API under load, beside the bare limit on the same database, in turns."""

import random
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from statistics import median

from tools.bench import wrk
from tools.bench.scenarios import ALL, Scenario, Shop
from tools.bench.servers import Database, Server, bare, discard_mail, store
from tools.bench.wrk import Load, Request

ROUNDS, SECONDS, WARM_UP_SECONDS = 5, 2, 1


@dataclass(frozen=True)
class Comparison:
    scenario: Scenario
    store: tuple[Load, ...]
    bare: tuple[Load, ...]
    """Nothing for what the limit does not do."""

    @property
    def per_second(self) -> float:
        return median(load.per_second for load in self.store)

    @property
    def limit(self) -> float | None:
        return median(load.per_second for load in self.bare) if self.bare else None

    @property
    def ratios(self) -> list[float]:
        """Of one turn each, the least first."""
        return sorted(ours.per_second / limit.per_second for ours, limit in zip(self.store, self.bare, strict=False))

    def latency(self, quantile: str) -> float:
        """The median over the rounds of `p50_ms`, `p95_ms`, `p99_ms` or `max_ms`."""
        return median(getattr(load, quantile) for load in self.store)

    @property
    def failures(self) -> int:
        return sum(load.failures for load in (*self.store, *self.bare))


def compare(
    database: Database, *, connections: int, workers: int = 1, scenarios: Sequence[Scenario] = ALL, rounds: int = ROUNDS
) -> list[Comparison]:
    shop = Shop(database.shoppers, database.owner, database.products)
    discard_mail(database)
    with ExitStack() as running:
        ours = running.enter_context(store(database, workers=workers))
        limit = running.enter_context(bare(database))
        return [_compare(each, shop, ours, limit, connections, rounds) for each in scenarios]


def _compare(scenario: Scenario, shop: Shop, ours: Server, limit: Server, connections: int, rounds: int) -> Comparison:
    chance = random.Random(scenario.name)
    requests = scenario.requests(shop, chance)
    servers = [ours, limit] if scenario.has_limit else [ours]
    loads: dict[str, list[Load]] = {ours.url: [], limit.url: []}
    if not scenario.is_cold:
        for server in servers:
            wrk.run(server.url, requests, connections=connections, seconds=WARM_UP_SECONDS)
    for number in range(rounds):
        part = _of_round(scenario, requests, number, rounds, shop, chance)
        for server in servers if number % 2 else servers[::-1]:
            loads[server.url].append(wrk.run(server.url, part, connections=connections, seconds=SECONDS))
    return Comparison(scenario, tuple(loads[ours.url]), tuple(loads[limit.url]))


def _of_round(
    scenario: Scenario, requests: list[Request], number: int, rounds: int, shop: Shop, chance: random.Random
) -> list[Request]:
    """Cold requests and orders are sent once: those of another round would be answered from before."""
    if scenario.is_cold:
        return requests[number::rounds]
    return scenario.requests(shop, chance) if scenario.is_write else requests
