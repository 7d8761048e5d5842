"""Subscriptions of tabs to topics."""

import inspect
import re
from collections.abc import Iterator
from typing import Any

import pytest

from marketplace_app.adapters.live import ALL_TOPICS
from marketplace_app.marketplace_app import app  # noqa: F401 - makes the states known
from marketplace_app.states.account.account import AccountState
from marketplace_app.states.buying.cart import CartState
from marketplace_app.states.buying.order import OrderState
from marketplace_app.states.events import subscriptions
from marketplace_app.states.events.base import policy_of
from tests.states.events.test_guard import handlers, short


@pytest.fixture(autouse=True)
def nobody_is_subscribed() -> Iterator[None]:
    registries: tuple[dict[str, Any], ...] = (subscriptions._SUBSCRIPTIONS, subscriptions._USER_IDS)
    for registry in registries:
        registry.clear()
    yield
    for registry in registries:
        registry.clear()


def subscribe(token: str, topic: str, state_class: Any = OrderState) -> None:
    subscriptions._SUBSCRIPTIONS.setdefault(token, {})[state_class] = frozenset({topic})


def tokens_for(*topics: str) -> list[str]:
    return sorted(subscriptions.subscribers(frozenset(topics)))


def test_a_tab_is_refreshed_for_its_own_topic_only() -> None:
    subscribe("mine", "person:1")
    subscribe("theirs", "person:2", AccountState)
    assert tokens_for("person:1") == ["mine"]
    assert tokens_for("person:3") == []
    assert tokens_for() == []


def test_each_state_of_a_tab_is_refreshed_for_its_topic() -> None:
    subscribe("mine", "staff")
    subscribe("mine", "staff", AccountState)
    subscribe("mine", "cart:1", CartState)
    assert subscriptions.subscribers(frozenset({"staff"})) == {"mine": [OrderState, AccountState]}
    assert subscriptions.subscribers(frozenset({"cart:1", "cart:2"})) == {"mine": [CartState]}
    subscriptions.unsubscribe("mine")
    assert tokens_for("staff", "cart:1") == []


def test_after_a_lost_database_connection_every_subscription_is_refreshed() -> None:
    subscribe("mine", "person:1")
    subscribe("theirs", "person:2")
    assert tokens_for(ALL_TOPICS) == ["mine", "theirs"]


def test_closing_or_leaving_a_page_ends_its_subscriptions() -> None:
    for token in ("open", "closed", "elsewhere"):
        subscribe(token, "person:1")
    subscriptions.retain_connected({"open", "elsewhere"})
    subscriptions.unsubscribe("elsewhere")
    assert tokens_for("person:1") == ["open"]


def test_a_users_topic_reaches_all_their_tabs() -> None:
    subscriptions.set_tab_user("theirs", 1)
    subscriptions.set_tab_user("theirs too", 1)
    subscriptions.set_tab_user("somebody else's", 2)
    subscriptions.set_tab_user("signed out", 1)
    subscriptions.set_tab_user("signed out", None)
    assert subscriptions.tabs_of_users(frozenset({"person:1", "staff"})) == ["theirs", "theirs too"]
    assert subscriptions.tabs_of_users(frozenset({"staff"})) == []
    assert len(subscriptions.tabs_of_users(frozenset({ALL_TOPICS}))) == 3
    subscriptions.unsubscribe("theirs")
    subscriptions.retain_connected({"theirs", "somebody else's"})
    assert subscriptions.tabs_of_users(frozenset({ALL_TOPICS})) == ["theirs", "somebody else's"]


def test_a_state_subscribes_before_it_reads() -> None:
    """Otherwise a change between the two would not be shown."""
    sources = {short(name): inspect.getsource(inspect.unwrap(fn)) for name, fn in handlers().items() if policy_of(fn)}
    subscribing = {
        name: source for name, source in sources.items() if re.search(r"\bsubscribe(_to_(own|cart))?\(", source)
    }
    assert len(subscribing) > 20
    unsafe = re.compile(
        r"await (read|self\._(refresh|fetch|load|count|show)\w*)\(.*\bsubscribe(_to_(own|cart))?\(", re.DOTALL
    )
    wrong = [name for name, source in subscribing.items() if unsafe.search(source)]
    assert not wrong, f"Call `subscribe` first in {wrong}"
