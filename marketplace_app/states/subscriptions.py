"""Which tabs are subscribed to which topics, and whose tabs they are.

Until it opens another page, a tab has one subscription for the page and one for the navigation beside it.
"""

from collections.abc import Container, Iterator
from dataclasses import dataclass
from typing import Protocol

import reflex as rx

from marketplace_app.adapters.live import EVERYTHING, person


class Refreshable(Protocol):
    """A state that can load its page again."""

    async def _refresh(self) -> None: ...


@dataclass(frozen=True)
class Subscription:
    topic: str
    state_class: type[rx.State]


_SUBSCRIPTIONS: dict[str, Subscription] = {}
"""By the tab's token. Only tabs connected to this process: a tab that moves to another one opens its page there."""
_NAVIGATION: dict[str, Subscription] = {}
"""The same for the admin navigation, which counts what waits."""
_OWNERS: dict[str, int] = {}
"""Who is signed in, by the tab's token: a ban or a sign-out elsewhere concerns every page of theirs."""


def subscribe(state: rx.State, topic: str) -> None:
    """From now on this tab's state is refreshed whenever the topic changes."""
    _SUBSCRIPTIONS[state.router.session.client_token] = Subscription(topic, type(state))


def subscribe_navigation(state: rx.State, topic: str) -> None:
    """Like `subscribe`, for the state of the navigation that several pages share."""
    _NAVIGATION[state.router.session.client_token] = Subscription(topic, type(state))


def subscribe_to_own(state: rx.State) -> None:
    """Subscribe to what concerns the signed-in user. Call it before reading: what changes in between is then seen."""
    user_id = _OWNERS.get(state.router.session.client_token)
    if user_id is not None:
        subscribe(state, person(user_id))


def unsubscribe(token: str) -> None:
    for known in (_SUBSCRIPTIONS, _NAVIGATION):
        known.pop(token, None)


def set_owner(token: str, user_id: int | None) -> None:
    """Whose tab this is now; nobody's when they are signed out."""
    if user_id is None:
        _OWNERS.pop(token, None)
    else:
        _OWNERS[token] = user_id


def retain_connected(connected: Container[str]) -> None:
    for known in (_SUBSCRIPTIONS, _NAVIGATION, _OWNERS):
        for token in [token for token in known if token not in connected]:
            del known[token]


def subscribers(topics: frozenset[str]) -> Iterator[tuple[str, Subscription]]:
    """A tab that watches for its page and beside it comes twice."""
    for token, each in [*_SUBSCRIPTIONS.items(), *_NAVIGATION.items()]:
        if each.topic in topics or EVERYTHING in topics:
            yield token, each


def tabs_of_people(topics: frozenset[str]) -> list[str]:
    """Every tab of the people these topics are about, whatever it shows."""
    return [token for token, user_id in _OWNERS.items() if EVERYTHING in topics or person(user_id) in topics]
