"""Honest people, each from an address of their own: shoppers who browse, buyers who order, staff."""

import random
import threading
import time
import uuid
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from tests.e2e.acts import OWNER
from tools.cluster.control import Cluster
from tools.faults.clients import PRODUCTS, History, Person, draft
from tools.load.acts import Acts
from tools.load.tabs import LATE_SECONDS, OpenTab

SHOPPER_PAUSE, BUYER_PAUSE, STAFF_PAUSE = (2, 6), (7, 13), (2, 5)
"""Seconds between two acts: at least the first number, and a random time of up to the second number more. That keeps a
buyer within the ten orders a minute that one person may place."""
SEARCHES = ("haze", "gummies", "sleep", "indica", "berry", "cbd")
ORDERS_AT_ONCE = 10


class People:
    def __init__(self, cluster: Cluster, acts: Acts, *, shoppers: int, buyers: int, staff: int) -> None:
        self.history = History()
        self._acts, self._ending, self._lock = acts, threading.Event(), threading.Lock()
        self.shoppers = [Person(cluster, "", address(1, each)) for each in range(shoppers)]
        self.buyers = [Person(cluster, f"buyer-{each}@example.org", address(2, each)) for each in range(buyers)]
        self.staff = [Person(cluster, OWNER, address(3, each)) for each in range(staff)]
        with ThreadPoolExecutor(4) as threads:
            for refusal in threads.map(Person.sign_in, self.buyers + self.staff):
                if refusal:
                    raise SystemExit(f"Somebody could not sign in: {refusal}")
        self._threads: list[threading.Thread] = []

    def begin(self, tabs: list[OpenTab]) -> None:
        """Start all threads. The first tabs must be the buyers'."""
        for person in self.shoppers:
            self._repeat(SHOPPER_PAUSE, partial(self._browse, person))
        for person, tab in zip(self.buyers, tabs, strict=False):
            self._repeat(BUYER_PAUSE, partial(self._buy, person, tab))
        for number, person in enumerate(self.staff):
            self._repeat(STAFF_PAUSE, partial(self._work, person, number))

    def end(self) -> None:
        """Stop everyone after their current act."""
        self._ending.set()
        for thread in self._threads:
            thread.join()
        for person in (*self.shoppers, *self.buyers, *self.staff):
            person.client.close()

    def _repeat(self, pause: tuple[int, int], act: Callable[[], None]) -> None:
        def repeat() -> None:
            while not self._ending.wait(random.uniform(0, pause[1])):
                act()
                self._ending.wait(pause[0])

        thread = threading.Thread(target=repeat)
        self._threads.append(thread)
        thread.start()

    def _browse(self, person: Person) -> None:
        client, product = person.client, random.choice(PRODUCTS)
        choice = random.randrange(4)
        if choice == 0:
            self._acts.request("the front page", lambda: client.get("/"))
        elif choice == 1:
            self._acts.request("the catalogue", lambda: client.get("/api/products"))
        elif choice == 2:
            words = {"search": random.choice(SEARCHES)}
            self._acts.request("a search", lambda: client.get("/api/products", params=words))
        else:
            self._acts.request("a product", lambda: client.get(f"/api/products/{product}"))

    def _buy(self, person: Person, tab: OpenTab) -> None:
        products = random.sample(PRODUCTS, 2)
        line = {"productId": products[0], "quantity": 1}
        was_subscribed = tab.is_settled
        tab.expect_change()
        added = self._acts.request("adding to the cart", lambda: person.client.post("/api/cart", json=line), 201)
        if added is not None and was_subscribed:
            self._wait_for(tab)  # ordering empties the cart again, so later there may be no change to see
        key = str(uuid.uuid4())
        send = partial(person.order, key, draft(products))
        placed = self._acts.request("placing an order", send, 201) or self._acts.request("ordering again", send, 201)
        with self._lock:
            if placed is None:
                self.history.given_up.append(key)
            else:
                answer = placed.json()
                self.history.acknowledged[key] = (answer["number"], answer["total"])
                self.history.answered_at.append(time.monotonic())

    def _wait_for(self, tab: OpenTab) -> None:
        """Measure how long the tab takes to hear of the change, from the answer to the buyer's request."""
        started = time.perf_counter()
        if tab.wait_for_change():
            self._acts.record_time("a tab hears of the cart", time.perf_counter() - started)
        else:
            self._acts.record_error("a tab hears of the cart", f"not within {LATE_SECONDS} s")

    def _work(self, person: Person, number: int) -> None:
        """Confirm pending orders whose numbers leave this remainder, so that no two of the staff take the same."""
        pending: dict[str, str | int] = {"status": "pending", "limit": 100}
        found = self._acts.request(
            "staff: the order list", lambda: person.client.get("/api/admin/orders", params=pending)
        )
        if found is None:
            return
        mine = [order["id"] for order in found.json() if order["number"] % len(self.staff) == number][-ORDERS_AT_ONCE:]
        if mine:
            form = {"ids": mine, "status": "confirmed"}
            send = partial(person.client.post, "/api/admin/orders/status", json=form)
            self._acts.request("staff: setting statuses", send)


def address(group: int, number: int) -> str:
    """An address of one person, since rates are counted by address. All of 127.0.0.0/8 is this machine."""
    return f"127.0.{group}.{number + 1}"
