"""The log of a running store: nothing private in it, even under attack, and an id for every event."""

import re
import uuid
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

from tests.e2e.conftest import Store
from tests.e2e.wire import STATES, cookie_of, tab
from tests.web.test_logs import PRIVATE

pytestmark = pytest.mark.browser

MAX_BYTES = 200_000


def text_added_to(log: Path, since_byte: int) -> str:
    with log.open(encoding="utf-8", errors="replace") as file:
        file.seek(since_byte)
        return file.read()


@pytest.mark.attack("private things in the log")
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
    added, size = text_added_to(store.log, before), store.log.stat().st_size - before
    for secret in (cookie, token, "logged@shop.test", *PRIVATE.values()):
        assert secret not in added
    assert size < MAX_BYTES
    record_property("figures", f"602 attempts: {size} bytes of log, no cookie, token, email or address in them")


def test_the_id_of_a_logged_event_begins_with_the_id_of_its_connection(store: Store) -> None:
    before = store.log.stat().st_size
    with tab(store.url) as mine:
        for number in range(2):
            mine.send(f"{STATES}buying___cart____cart_state.add", wrong=number)
        mine.gather()
    # The connection's id was made by the store or, if Caddy is in front of it, by Caddy, whose ids are longer.
    ids = re.findall(r"\[([0-9a-f-]{16,36})-([0-9a-f]{12})\] refused event", text_added_to(store.log, before))
    assert len({connection for connection, _ in ids}) == 1
    assert len({event for _, event in ids}) == 2
