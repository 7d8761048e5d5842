"""Forged events: thousands, from users without permission, to every handler that their role may not call."""

import inspect
import itertools
import os
import random
import time
import uuid
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from reflex_base.registry import RegistrationContext

from marketplace_app import marketplace_app  # noqa: F401 - registers the handlers
from marketplace_app.auth.callers import Who
from marketplace_app.models import Permission
from marketplace_app.states.events.base import policy_of
from tests.e2e.conftest import Store
from tests.e2e.wire import cookie_of, tab
from tests.rows import Rows

pytestmark = [pytest.mark.browser, pytest.mark.attack("forged events")]

EVENTS = int(os.environ.get("FORGED_EVENTS", "1000"))
EVENTS_OF_A_TAB = 250
GUESSES: tuple[Any, ...] = (1, 2, 1001, "1", "", "delivered", "owner", True, None, [1], {"id": 1}, "2026-01-01")
VARS = ("is_staff", "email", "permissions", "count", "total")


def handlers_not_for(who: str) -> Iterator[tuple[str, list[str]]]:
    """Names of handlers on the socket, with the names of their arguments."""
    for name, registered in sorted(RegistrationContext.get().event_handlers.items()):
        handler: Any = registered.handler.fn
        policy = policy_of(handler)
        if policy is None or policy.who is Who.ANYONE:
            continue
        if who == "a guest" or isinstance(policy.who, Permission):
            yield name, list(inspect.signature(handler).parameters)[1:]


def forged(rng: random.Random, who: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Event names with arguments: handlers of other roles, setters, and methods that are not handlers."""
    known = list(handlers_not_for(who))
    assert len(known) > 60
    states = sorted({name.rpartition(".")[0] for name, _ in known})
    turns = itertools.cycle(known)
    for number in range(EVENTS):
        if number % 4 == 3:
            method = rng.choice(("setvar", "reset", "_load", "_refresh", "get_state"))
            yield (
                f"{rng.choice(states)}.{method}",
                {"var_name": rng.choice(VARS), "value": rng.choice(GUESSES)},
            )
        else:
            name, arguments = next(turns)
            yield name, {argument: rng.choice(GUESSES) for argument in arguments}


def rows_at_rest(store: Store) -> Rows:
    """Wait until all mail of earlier tests is sent."""
    deadline, rows = time.monotonic() + 20, store.rows()
    while any("('sent_at', None)" in row for row in rows["outbox"]):
        assert time.monotonic() < deadline
        time.sleep(0.2)
        rows = store.rows()
    return rows


@pytest.mark.parametrize("who", ["a guest", "a shopper"])
def test_thousands_of_forged_events_change_nothing(
    store: Store, who: str, record_property: Callable[[str, object], None]
) -> None:
    cookie = cookie_of(store.url, f"forger-{uuid.uuid4().hex[:8]}@example.org") if who == "a shopper" else None
    before, events = rows_at_rest(store), list(forged(random.Random(20_251_124), who))
    for start in range(0, EVENTS, EVENTS_OF_A_TAB):
        with tab(store.url, cookie=cookie) as attacker:
            for name, payload in events[start : start + EVENTS_OF_A_TAB]:
                attacker.send_event(name, payload, "/admin?tab=orders")
            seen = attacker.gather(1)
            assert not seen.get("viewer_state.is_staff")
            assert not [name for name, value in seen.items() if name.startswith("admin_") and value]
    after = store.rows()
    changed = [table for table in after if after[table] != before[table]]
    assert changed == []
    record_property("figures", f"{EVENTS} events of {who}: {len(changed)} tables changed")
