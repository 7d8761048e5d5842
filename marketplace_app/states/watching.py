"""Which tabs watch what, and whose they are.

A tab watches one thing for its page, and one for what stands beside it, until it opens another page.
"""

from collections.abc import Container, Iterator
from dataclasses import dataclass
from typing import Protocol

import reflex as rx

from marketplace_app.adapters.live import EVERYTHING, person


class Watching(Protocol):
    """A state that can show its page anew."""

    async def _look_again(self) -> None: ...


@dataclass(frozen=True)
class Watch:
    topic: str
    state_class: type[rx.State]


_WATCHES: dict[str, Watch] = {}
"""By the tab's token. Only tabs connected to this process: a tab that moves to another one opens its page there."""
_BESIDE: dict[str, Watch] = {}
"""The same for what stands beside the page: the desk's rail."""
_OWNERS: dict[str, int] = {}
"""Who is signed in, by the tab's token: a ban or a sign-out elsewhere concerns every page of theirs."""


def watch(state: rx.State, topic: str) -> None:
    """From now on this tab's state is asked to look again whenever the topic changes."""
    _WATCHES[state.router.session.client_token] = Watch(topic, type(state))


def watch_beside(state: rx.State, topic: str) -> None:
    """Like `watch`, for a state that several pages have beside their own."""
    _BESIDE[state.router.session.client_token] = Watch(topic, type(state))


def watch_oneself(state: rx.State) -> None:
    """Watch what concerns who is signed in. Before the page is read: what changes in between is then seen too."""
    user_id = _OWNERS.get(state.router.session.client_token)
    if user_id is not None:
        watch(state, person(user_id))


def forget(token: str) -> None:
    for known in (_WATCHES, _BESIDE):
        known.pop(token, None)


def belongs_to(token: str, user_id: int | None) -> None:
    """Whose tab this is now; nobody's when they are signed out."""
    if user_id is None:
        _OWNERS.pop(token, None)
    else:
        _OWNERS[token] = user_id


def keep_only(connected: Container[str]) -> None:
    for known in (_WATCHES, _BESIDE, _OWNERS):
        for token in [token for token in known if token not in connected]:
            del known[token]


def watchers(topics: frozenset[str]) -> Iterator[tuple[str, Watch]]:
    """A tab that watches for its page and beside it comes twice."""
    for token, each in [*_WATCHES.items(), *_BESIDE.items()]:
        if each.topic in topics or EVERYTHING in topics:
            yield token, each


def tabs_of_those(topics: frozenset[str]) -> list[str]:
    """Every tab of the people these topics are about, whatever it shows."""
    return [token for token, user_id in _OWNERS.items() if EVERYTHING in topics or person(user_id) in topics]
