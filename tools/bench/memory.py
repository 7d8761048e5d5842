"""How much memory an idle tab takes (signed in, showing the catalogue), and how much is left once all are closed."""

import math
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path

from tests.e2e.wire import Tab, cookie_of, tab
from tools.bench.servers import Server
from tools.bench.table import Goal, Row, show
from tools.bench.tabs import open_catalogue

COUNTS = (1, 100, 500)
WARM_UP = 10
TABS_EACH = 25
GOAL, LEFT_GOAL = Goal(150), Goal(0.1)
SETTLE_SECONDS, RELEASE_SECONDS = 2, 60


def measure(
    store: Server, counts: Sequence[int] = COUNTS, while_open: Callable[[Sequence[Tab]], object] = lambda _: None
) -> list[Row]:
    """The first `WARM_UP` tabs are not counted: they load code and fill caches that all later tabs share.

    Once all counted tabs are open, `while_open` is called with them.
    """
    people = math.ceil(counts[-1] / TABS_EACH)
    cookies = [cookie_of(store.url, f"idle{number}@example.org") for number in range(people)]

    def open_tab(stack: ExitStack, number: int) -> Tab:
        """Several people with several tabs each, since neither an address nor a session may hold so many."""
        person = number % people
        opened = stack.enter_context(tab(store.url, cookie=cookies[person], address=f"127.0.6.{person + 1}"))
        open_catalogue(opened)
        return opened

    with ExitStack() as stack:
        for number in range(WARM_UP):
            open_tab(stack, number)
    time.sleep(SETTLE_SECONDS)
    before = _resident_megabytes(store.process_id)
    rows = [Row("process without tabs", before, "MB")]
    with ExitStack() as stack:
        tabs: list[Tab] = []
        for count in counts:
            tabs += [open_tab(stack, number) for number in range(len(tabs), count)]
            time.sleep(SETTLE_SECONDS)
            taken = _resident_megabytes(store.process_id) - before
            name = f"each of {count:,} open tabs" if count > 1 else "one open tab"
            rows.append(Row(name, taken / count * 1000, "kB", f"+{show(taken, 'MB')} in all", GOAL))
        while_open(tabs)
    time.sleep(RELEASE_SECONDS)
    left = _resident_megabytes(store.process_id) - before
    share = left / taken if taken > 0 else 0.0
    name = "share that stays a minute after all closed"
    rows.append(Row(name, share, "", f"+{show(left, 'MB')}", LEFT_GOAL))
    return rows


def _resident_megabytes(process_id: int) -> float:
    """Megabytes of a million bytes. The kernel's "kB" is 1,024 bytes."""
    status = Path(f"/proc/{process_id}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0]) * 1024 / 1e6
