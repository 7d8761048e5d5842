"""What a tab costs that somebody left open (signed in, the catalogue on it, nothing happening), and what stays."""

import time
from contextlib import ExitStack
from pathlib import Path

from tests.e2e.wire import cookie_of, tab
from tools.bench.servers import Server
from tools.bench.table import Row, show
from tools.bench.tabs import open_catalogue

COUNTS = (1, 100, 500)
WARM_UP = 10
PEOPLE = 20
GOAL = "<= 150 kB each"
SETTLE_SECONDS, GIVEN_BACK_SECONDS = 2, 60


def measure(store: Server) -> list[Row]:
    """The first few tabs load code and fill caches that all others share: they are not counted."""
    cookies = [cookie_of(store.url, f"idle{number}@example.org") for number in range(PEOPLE)]

    def open_tab(stack: ExitStack, number: int) -> None:
        """Several people with several tabs each, since neither an address nor a session may hold so many."""
        person = number % PEOPLE
        open_catalogue(stack.enter_context(tab(store.url, cookie=cookies[person], address=f"127.0.6.{person + 1}")))

    with ExitStack() as stack:
        for number in range(WARM_UP):
            open_tab(stack, number)
    time.sleep(SETTLE_SECONDS)
    before = _resident_megabytes(store.process_id)
    rows = [Row("process without tabs", show(before, "MB"))]
    with ExitStack() as stack:
        opened = 0
        for count in COUNTS:
            for number in range(opened, count):
                open_tab(stack, number)
            opened = count
            time.sleep(SETTLE_SECONDS)
            taken = _resident_megabytes(store.process_id) - before
            each = f"{show(taken / count * 1000, 'kB')} each"
            rows.append(Row(f"{count} open {'tabs' if count > 1 else 'tab'}", f"+{show(taken, 'MB')}", each, GOAL))
    time.sleep(GIVEN_BACK_SECONDS)
    stays = _resident_megabytes(store.process_id) - before
    rows.append(Row(f"a minute after they closed ({COUNTS[-1]})", f"+{show(stays, 'MB')}", "", "about +0 MB"))
    return rows


def _resident_megabytes(process_id: int) -> float:
    status = Path(f"/proc/{process_id}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0]) / 1000
