"""The log of a store under attack has nothing private in it and stays small."""

import re
import uuid
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

from tests.e2e.conftest import Store
from tests.e2e.wire import STATES, cookie_of, tab
from tests.web.test_logs import PRIVATE

pytestmark = [pytest.mark.browser, pytest.mark.attack("private things in the log")]

MAX_BYTES = 200_000


def added_lines(log: Path, before: int) -> str:
    with log.open(encoding="utf-8", errors="replace") as lines:
        lines.seek(before)
        return lines.read()


def test_an_attack_leaves_nothing_private_in_the_log(
    store: Store, record_property: Callable[[str, object], None]
) -> None:
    before = store.log.stat().st_size
    cookie, token = cookie_of(store.url, "logged@shop.test"), str(uuid.uuid4())
    path = f"/invite/{PRIVATE['invitation']}"
    with tab(store.url, cookie=cookie, token=token) as mine:
        for number in range(300):
            mine.send(f"no.such.state{number}.{PRIVATE['email']}", path=path, email=PRIVATE["email"])
            mine.send(f"{STATES}buying___cart____cart_state.add", path=path, product_id={"street": PRIVATE["street"]})
        mine.gather()
    httpx.post(f"{store.url}/api/orders", json={"email": PRIVATE["email"]}, cookies={"session": cookie})
    httpx.get(f"{store.url}/api/callback?code={cookie}&state={cookie}")
    added = added_lines(store.log, before)
    for secret in (cookie, token, "logged@shop.test", *PRIVATE.values()):
        assert secret not in added
    assert len(added) < MAX_BYTES
    record_property("figures", f"602 attempts: {len(added)} bytes of log, no cookie, token, email or address in them")


def test_every_event_has_an_id_in_the_log_that_begins_with_that_of_its_connection(store: Store) -> None:
    before = store.log.stat().st_size
    with tab(store.url) as mine:
        for number in range(2):
            mine.send(f"{STATES}buying___cart____cart_state.add", wrong=number)
        mine.gather()
    # The first part is the store's own, or Caddy's, which is longer.
    ids = re.findall(r"\[([0-9a-f-]{16,36})-([0-9a-f]{12})\] refused event", added_lines(store.log, before))
    assert len({connection for connection, _ in ids}) == 1
    assert len({event for _, event in ids}) == 2
