"""Which tabs watch what. A tab watches one thing at a time and is forgotten when it opens another page."""

from collections.abc import Container, Iterator
from dataclasses import dataclass
from typing import Protocol

import reflex as rx

from marketplace_app.adapters.live import EVERYTHING


class Watching(Protocol):
    """A state that can show its page anew."""

    async def _look_again(self) -> None: ...


@dataclass(frozen=True)
class Watch:
    topic: str
    state_class: type[rx.State]


_WATCHES: dict[str, Watch] = {}
"""By the tab's token. Only tabs connected to this process: a tab that moves to another one opens its page there."""


def watch(state: rx.State, topic: str) -> None:
    """From now on this tab's state is asked to look again whenever the topic changes."""
    _WATCHES[state.router.session.client_token] = Watch(topic, type(state))


def forget(token: str) -> None:
    _WATCHES.pop(token, None)


def keep_only(connected: Container[str]) -> None:
    for token in [token for token in _WATCHES if token not in connected]:
        forget(token)


def watchers(topics: frozenset[str]) -> Iterator[tuple[str, Watch]]:
    for token, each in list(_WATCHES.items()):
        if each.topic in topics or EVERYTHING in topics:
            yield token, each
