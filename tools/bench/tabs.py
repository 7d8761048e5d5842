"""Tabs of signed-in shoppers as the server sees them: sockets without a browser."""

import random
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

from tests.e2e.wire import STATES, Tab, tab
from tools.bench.servers import Server
from tools.bench.wrk import CLIENT_CORE, pinned_to

HYDRATE = "reflex___state____state.hydrate"
PRODUCTS = "catalogue_state.products"
LOAD_CART = STATES + "buying___cart____cart_state.load"
LOAD_CATALOGUE = STATES + "products___catalogue____catalogue_state.load"
ADD = STATES + "buying___cart____cart_state.add"
PAGES = 100
PAUSE_SECONDS = 1.0
"""From one answer until the same shopper's next click."""
ANSWER_SECONDS = 20
"""A slow machine with many busy tabs may take seconds to answer."""
SECONDS_BETWEEN_PONGS = 30
"""How often pings are answered. The server pings each open tab every 25 seconds, and closes it after two minutes
without an answer."""


def open_catalogue(mine: Tab) -> None:
    """Wait for the products themselves: waiting until the socket is quiet would take minutes for 500 tabs."""
    mine.send(HYDRATE)
    mine.until(lambda seen: PRODUCTS in seen)
    mine.send(LOAD_CART)
    mine.send(LOAD_CATALOGUE)
    mine.until(lambda seen: seen.get(PRODUCTS))


@contextmanager
def kept_open(tabs: Sequence[Tab]) -> Iterator[None]:
    """Answer the server's pings for these tabs until the end; otherwise the server would close them."""
    is_over = threading.Event()

    def answer() -> None:
        while not is_over.wait(SECONDS_BETWEEN_PONGS):
            for each in tabs:
                each.gather(quiet_seconds=0.001)

    with ThreadPoolExecutor(1) as threads:
        answering = threads.submit(answer)
        try:
            yield
        finally:
            is_over.set()
        answering.result()


@contextmanager
def busy_tabs(store: Server, cookies: Sequence[str], products: int) -> Iterator[None]:
    """A tab for each of these session cookies. Until the end, each adds a product, turns the page, and so on."""
    is_over = threading.Event()
    are_open = threading.Semaphore(0)

    def click(number: int) -> None:
        rng = random.Random(number)
        with tab(store.url, cookie=cookies[number], address=f"127.0.6.{number % 200 + 1}") as mine:
            open_catalogue(mine)
            are_open.release()
            is_over.wait(rng.uniform(0, PAUSE_SECONDS))
            while not is_over.is_set():
                mine.send(ADD, product_id=rng.randint(1, products))
                assert mine.gather(PAUSE_SECONDS, ANSWER_SECONDS), "an added product changed nothing"
                mine.send(LOAD_CATALOGUE, f"/?page={rng.randint(1, PAGES)}")
                assert mine.gather(PAUSE_SECONDS, ANSWER_SECONDS), "another page changed nothing"

    with pinned_to(CLIENT_CORE), ThreadPoolExecutor(len(cookies)) as threads:
        clicking = [threads.submit(click, number) for number in range(len(cookies))]
        try:
            for _ in cookies:
                are_open.acquire(timeout=60)
            yield
        finally:
            is_over.set()
        for each in clicking:
            each.result()
