"""The memory of an idle tab of a signed-in user with the catalogue open."""

import time
from contextlib import ExitStack
from pathlib import Path

from tests.e2e.wire import Tab, cookie_of, tab
from tools.bench.servers import Store
from tools.bench.table import Row, show

TABS, WARM_UP = 50, 10
HYDRATE = "reflex___state____state.hydrate"
SETTLE_SECONDS = 2


def measure(store: Store) -> Row:
    """The first few tabs load code and fill caches that all others share: they are not counted."""
    cookie = cookie_of(store.url, "idle@example.org")
    with ExitStack() as stack:
        for _ in range(WARM_UP):
            _open_catalogue(stack.enter_context(tab(store.url, cookie=cookie)))
        before = _resident_kilobytes(store.process)
        for _ in range(TABS):
            _open_catalogue(stack.enter_context(tab(store.url, cookie=cookie)))
        time.sleep(SETTLE_SECONDS)
        taken = (_resident_kilobytes(store.process) - before) / TABS
    return Row(f"memory of an idle tab ({TABS} open)", show(taken, "kB"), goal="<= 300 kB")


def _open_catalogue(mine: Tab) -> None:
    mine.send(HYDRATE)
    mine.gather(quiet_seconds=0.3)
    mine.call("cart____cart_state.load")
    seen = mine.call("catalogue____catalogue_state.load")
    assert seen["catalogue_state.products"], "the catalogue did not come"


def _resident_kilobytes(process: int) -> int:
    status = Path(f"/proc/{process}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0])
