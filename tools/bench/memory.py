"""What a tab costs that somebody left open (signed in, the catalogue on it, nothing happening), and what stays."""

import time
from contextlib import ExitStack
from pathlib import Path

from tests.e2e.wire import STATES, Tab, cookie_of, tab
from tools.bench.servers import Server
from tools.bench.table import Row, show

COUNTS = (1, 100, 500)
WARM_UP = 10
GOAL = "<= 150 kB each"
HYDRATE = "reflex___state____state.hydrate"
SETTLE_SECONDS, GIVEN_BACK_SECONDS = 2, 60
PRODUCTS = "catalogue_state.products"


def measure(store: Server) -> list[Row]:
    """The first few tabs load code and fill caches that all others share: they are not counted."""
    cookie = cookie_of(store.url, "idle@example.org")
    with ExitStack() as stack:
        for _ in range(WARM_UP):
            _look(stack.enter_context(tab(store.url, cookie=cookie)))
    time.sleep(SETTLE_SECONDS)
    before = _resident_megabytes(store.process)
    rows = [Row("process without tabs", show(before, "MB"))]
    with ExitStack() as stack:
        opened = 0
        for count in COUNTS:
            for _ in range(count - opened):
                _look(stack.enter_context(tab(store.url, cookie=cookie)))
            opened = count
            time.sleep(SETTLE_SECONDS)
            taken = _resident_megabytes(store.process) - before
            each = f"{show(taken / count * 1000, 'kB')} each"
            rows.append(Row(f"{count} open {'tabs' if count > 1 else 'tab'}", f"+{show(taken, 'MB')}", each, GOAL))
    time.sleep(GIVEN_BACK_SECONDS)
    stays = _resident_megabytes(store.process) - before
    rows.append(Row(f"a minute after they closed ({COUNTS[-1]})", f"+{show(stays, 'MB')}", "", "about +0 MB"))
    return rows


def _look(mine: Tab) -> None:
    """Waits for the products themselves: waiting until the socket is quiet took minutes for 500 tabs."""
    mine.send(HYDRATE)
    mine.until(lambda seen: PRODUCTS in seen)
    for handler in ("cart____cart_state.load", "catalogue____catalogue_state.load"):
        mine.send(STATES + handler)
    mine.until(lambda seen: seen.get(PRODUCTS))


def _resident_megabytes(process: int) -> float:
    status = Path(f"/proc/{process}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0]) / 1000
