"""Customers who order without a pause, and remember what they were answered."""

import random
import threading
import time
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field

import httpx

from tests.e2e.wire import cookie_of
from tools.cluster.control import Cluster

PRODUCTS = tuple(range(1, 11))
"""Of the demo catalogue: few, so that customers want the same ones."""
GIVE_UP_SECONDS = 60
TIMEOUT_SECONDS = 30


@dataclass
class History:
    acknowledged: dict[str, tuple[int, str]] = field(default_factory=dict)
    """By key of the request: the number and the total that were answered."""
    answered_at: list[float] = field(default_factory=list)
    failed_at: list[float] = field(default_factory=list)
    """When an attempt failed; it was made again with the same key."""
    sentences: set[str] = field(default_factory=set)
    """What customers were told then."""
    given_up: list[str] = field(default_factory=list)
    """Keys of orders that nobody acknowledged within a minute."""


class Customers:
    def __init__(self, cluster: Cluster, count: int) -> None:
        self._cluster = cluster
        self._cookies = [cookie_of(cluster.url, f"buyer-{number}@example.org") for number in range(count)]
        self._ending = threading.Event()
        self._threads: list[threading.Thread] = []
        self._lock = threading.Lock()
        self.history = History()

    def begin(self) -> None:
        self.history, self._ending = History(), threading.Event()
        self._threads = [threading.Thread(target=self._order_until_told, args=[each]) for each in self._cookies]
        for thread in self._threads:
            thread.start()

    def end(self) -> History:
        """After the order that each of them is at."""
        self._ending.set()
        for thread in self._threads:
            thread.join()
        return self.history

    def _order_until_told(self, cookie: str) -> None:
        context = self._cluster.authority()
        with httpx.Client(
            base_url=self._cluster.url, cookies={"__Host-session": cookie}, verify=context, timeout=TIMEOUT_SECONDS
        ) as client:
            client.post("/api/verify-age", json={"dateOfBirth": "1990-04-17"})
            while not self._ending.is_set():
                self._order(client)

    def _order(self, client: httpx.Client) -> None:
        """One order, with the same key again after every failure, as the screen does it."""
        key, draft = str(uuid.uuid4()), _draft(random.sample(PRODUCTS, 2))
        deadline = time.monotonic() + GIVE_UP_SECONDS
        while time.monotonic() < deadline:
            sentence = self._try(client, key, draft)
            if sentence is None:
                return
            with self._lock:
                self.history.failed_at.append(time.monotonic())
                self.history.sentences.add(sentence)
            time.sleep(0.2)
        with self._lock:
            self.history.given_up.append(key)

    def _try(self, client: httpx.Client, key: str, draft: object) -> str | None:
        """None once the order is acknowledged, else what the customer is told."""
        try:
            answer = client.post("/api/orders", json=draft, headers={"Idempotency-Key": key})
        except httpx.TransportError as error:
            return f"(connection: {type(error).__name__})"
        if answer.status_code == 201:
            placed = answer.json()
            with self._lock:
                self.history.acknowledged[key] = (placed["number"], placed["total"])
                self.history.answered_at.append(time.monotonic())
            return None
        is_json = answer.headers.get("content-type", "").startswith("application/json")
        return f"{answer.status_code} {answer.json()['message'] if is_json else '(by the proxy)'}"


def _draft(products: Sequence[int]) -> dict[str, object]:
    return {
        "items": [{"productId": number, "quantity": 3} for number in products],
        "deliveryAddress": "214 Larch Street, Portland, OR 97201",
        "contactPhone": "503 555 0142",
        "deliveryInstructions": "Side entrance, the green door.",
        "paymentInstructions": "Envelope under the mat.",
    }
