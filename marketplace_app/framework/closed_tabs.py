"""States of closed tabs, packed until the tab comes back or its state expires.

Reflex keeps the state of a tab in memory for an hour after its last event, because a phone that was locked reconnects.
That takes a tenth of a megabyte for each closed tab. Packed, a state takes nine kilobytes, and a tab that comes back
finds everything as it was.

Relies on `StateManagerMemory.states`, a dict with the tab's token as the key, with which Reflex does no more than read,
set and pop items; on `_states_locks`, which has the same keys; and on states that pickle without their parent and
substates. With Redis, states are kept there, and none of this applies.
"""

import asyncio
import ctypes
import pickle
import zlib
from collections.abc import Callable, Container
from typing import Any

from reflex.istate.manager.memory import StateManagerMemory
from reflex.state import BaseState

PACK_AFTER_SECONDS, TRIM_AFTER_SECONDS = 30.0, 5.0
RETRY_SECONDS = 5.0
"""When to try again, if an event of the tab is being handled."""


class PackedStates(dict[str, Any]):
    """States by token. A packed state is unpacked when it is read."""

    def __getitem__(self, token: str) -> Any:
        state = super().__getitem__(token)
        if isinstance(state, bytes):
            state = self[token] = _unpack(state)
        return state

    def pop(self, token: str, default: Any = None) -> Any:
        """A packed state is dropped without unpacking it: Reflex pops states only to free them."""
        state = super().pop(token, default)
        return default if isinstance(state, bytes) else state

    def pack(self, token: str) -> None:
        state = self.get(token)
        if isinstance(state, BaseState):
            self[token] = _pack(state)


def _pack(root: BaseState) -> bytes:
    states = _tree(root)
    packed = zlib.compress(pickle.dumps(states), 1)
    for state in states:
        state.substates.clear()  # breaks the cycles with `parent_state`: all are freed without the garbage collector
    return packed


def _tree(state: BaseState) -> list[BaseState]:
    """The state and all below it, parents before their substates."""
    return [state, *(each for substate in state.substates.values() for each in _tree(substate))]


def _unpack(packed: bytes) -> BaseState:
    states: list[BaseState] = pickle.loads(zlib.decompress(packed))  # noqa: S301 - packed by this process
    by_name = {state.get_full_name(): state for state in states}
    for name, state in by_name.items():
        parent, _, own_name = name.rpartition(".")
        if parent:
            state.parent_state = by_name[parent]
            by_name[parent].substates[own_name] = state
    return states[0]


class ClosedTabs:
    """Packs the state of each tab that has had no connection for a while."""

    def __init__(self, manager: StateManagerMemory, connected: Container[str]) -> None:
        self._manager, self._connected = manager, connected
        self._states = manager.states = PackedStates(manager.states)
        self._is_trim_planned = False

    def pack_later(self, token: str) -> None:
        asyncio.get_running_loop().call_later(PACK_AFTER_SECONDS, self._pack, token)

    def _pack(self, token: str) -> None:
        if token in self._connected:
            return
        lock, loop = self._manager._states_locks.get(token), asyncio.get_running_loop()
        if lock is not None and lock.locked():
            loop.call_later(RETRY_SECONDS, self._pack, token)
            return
        self._states.pack(token)
        if not self._is_trim_planned:
            self._is_trim_planned = True
            loop.call_later(TRIM_AFTER_SECONDS, self._trim_memory)

    def _trim_memory(self) -> None:
        self._is_trim_planned = False
        asyncio.get_running_loop().run_in_executor(None, _trim)


def make(manager: Any, connected: Container[str]) -> Callable[[str], None]:
    """What to call with the token of a tab whose connection has closed."""
    if isinstance(manager, StateManagerMemory):
        return ClosedTabs(manager, connected).pack_later
    return lambda _token: None


def _trim() -> None:
    """Give freed memory back to the system. glibc keeps it for later by default; other systems have no such call."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)
