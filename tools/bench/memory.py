"""What a tab costs that somebody left open (signed in, the catalogue on it, nothing happening), and what stays."""

import time
from contextlib import ExitStack
from pathlib import Path

from tests.e2e.wire import STATES, Tab, cookie_of, tab
from tools.bench.servers import Server
from tools.bench.table import Row, show

COUNTS = (1, 100, 500)
WARM_UP = 10
HYDRATE = "reflex___state____state.hydrate"
QUIET_SECONDS, SETTLE_SECONDS, GIVEN_BACK_SECONDS = 0.1, 2, 60


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
            each = show(taken / count * 1000, "kB") if count > 1 else ""
            rows.append(Row(f"{count} open tabs", f"+{show(taken, 'MB')}", each and f"{each} each", "<= 150 kB each"))
    time.sleep(GIVEN_BACK_SECONDS)
    stays = _resident_megabytes(store.process) - before
    rows.append(Row(f"a minute after they closed ({COUNTS[-1]})", f"+{show(stays, 'MB')}", "", "about +0 MB"))
    return rows


def _look(mine: Tab) -> None:
    mine.send(HYDRATE)
    mine.gather(QUIET_SECONDS)
    for handler in ("cart____cart_state.load", "catalogue____catalogue_state.load"):
        mine.send(STATES + handler)
    seen = mine.gather(QUIET_SECONDS)
    assert seen["catalogue_state.products"], "the catalogue did not come"


def _resident_megabytes(process: int) -> float:
    status = Path(f"/proc/{process}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0]) / 1000
