"""Another shop that the store is compared with: how it runs, and how it is asked for the same things."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import httpx

from tools.bench.peers.checkouts import CheckOut
from tools.bench.scenarios import CART, COLD_LIST, LIST, PRODUCT, SEARCH, Scenario, Shop
from tools.bench.servers import Server
from tools.bench.wrk import Request

BROWSING = (LIST, COLD_LIST, PRODUCT, SEARCH, CART)
EMPTY_BYTES = 200
"""An answer no longer than this contains no product."""

MakeRequests = Callable[[Shop, random.Random], list[Request]]


@dataclass(frozen=True)
class Peer:
    name: str
    server: Server
    scenarios: Sequence[Scenario]
    """`BROWSING` with its own requests."""
    check_out: CheckOut

    def verify(self, shop: Shop) -> None:
        """End the run if a request is not answered with products. GraphQL reports failures with status 200."""
        with httpx.Client(base_url=self.server.url) as client:
            for scenario in self.scenarios:
                first = scenario.requests(shop, random.Random(scenario.name))[0]
                answer = client.request(first.method, first.path, headers=dict(first.headers), content=first.body)
                is_failure = answer.is_error or '"errors"' in answer.text or '"errorCode"' in answer.text
                if is_failure or len(answer.content) <= EMPTY_BYTES:
                    raise SystemExit(f"{self.name}, {scenario.name}: {answer.status_code} {answer.text[:500]}")


def with_requests(*makers: MakeRequests) -> list[Scenario]:
    """One scenario for each of `BROWSING`, with these requests.

    None is marked as a write: a write gets new requests in each round, and these carts are created only once.
    """
    return [replace(scenario, requests=make, is_write=False) for scenario, make in zip(BROWSING, makers, strict=True)]
