"""Each toast and redirect is newer for the browser than the last (docs/decisions/0005-signals.md)."""

import asyncio
import time

import pytest
from reflex.state import State

from marketplace_app.messages import Notice
from marketplace_app.states.events.signal import SignalState

SAVED = Notice("Saved", "All of it.")


def at(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    monkeypatch.setattr(time, "time", lambda: seconds)


async def new_signal() -> SignalState:
    return await State().get_state(SignalState)


def test_the_same_toast_twice_within_a_millisecond_is_shown_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    at(monkeypatch, 1_000.0)

    async def toast() -> list[int]:
        signal = await new_signal()
        shown = []
        for _ in range(3):
            signal._toast("success", SAVED)
            shown.append(signal.toast_at)
        return shown

    first, *more = asyncio.run(toast())
    assert more == [first + 1, first + 2]


def test_a_clock_that_was_set_back_hides_no_toast_and_stops_no_redirect(monkeypatch: pytest.MonkeyPatch) -> None:
    async def signal_at_both_times() -> tuple[bool, bool]:
        signal = await new_signal()
        at(monkeypatch, 2_000.0)
        signal._toast("success", SAVED)
        signal._navigate("/")
        toast_at, leave_at = signal.toast_at, signal.leave_at
        at(monkeypatch, 1_000.0)
        signal._toast("error", SAVED)
        signal._navigate("/")
        return signal.toast_at > toast_at, signal.leave_at > leave_at

    assert asyncio.run(signal_at_both_times()) == (True, True)


def test_the_first_toast_after_the_state_was_lost_is_newer_than_those_before(monkeypatch: pytest.MonkeyPatch) -> None:
    """A counter would begin again."""

    async def lose_the_state() -> bool:
        before, after = await new_signal(), await new_signal()
        at(monkeypatch, 1_000.0)
        for _ in range(5):
            before._toast("success", SAVED)
        at(monkeypatch, 1_001.0)
        after._toast("success", SAVED)
        return after.toast_at > before.toast_at

    assert asyncio.run(lose_the_state())
