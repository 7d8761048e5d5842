"""Which tabs watch what."""

from collections.abc import Iterator
from typing import Any

import pytest

from marketplace_app.adapters.live import EVERYTHING
from marketplace_app.states import watching
from marketplace_app.states.account import AccountState
from marketplace_app.states.order import OrderState


@pytest.fixture(autouse=True)
def nobody_watches() -> Iterator[None]:
    everything: tuple[dict[str, Any], ...] = (watching._WATCHES, watching._BESIDE, watching._OWNERS)
    for known in everything:
        known.clear()
    yield
    for known in everything:
        known.clear()


def watch(token: str, topic: str, state_class: Any = OrderState) -> None:
    watching._WATCHES[token] = watching.Watch(topic, state_class)


def told(*topics: str) -> list[str]:
    return sorted(token for token, _ in watching.watchers(frozenset(topics)))


def test_a_tab_hears_of_its_own_topic_alone() -> None:
    watch("mine", "person:1")
    watch("theirs", "person:2", AccountState)
    assert told("person:1") == ["mine"]
    assert told("person:3") == []
    assert told() == []


def test_a_tab_hears_for_its_page_and_for_what_stands_beside_it() -> None:
    watch("mine", "staff")
    watching._BESIDE["mine"] = watching.Watch("staff", AccountState)
    assert [each.state_class for _, each in watching.watchers(frozenset({"staff"}))] == [OrderState, AccountState]
    watching.forget("mine")
    assert told("staff") == []


def test_after_a_broken_line_everybody_looks_again() -> None:
    watch("mine", "person:1")
    watch("theirs", "person:2")
    assert told(EVERYTHING) == ["mine", "theirs"]


def test_a_tab_that_closed_or_went_elsewhere_is_forgotten() -> None:
    for token in ("open", "closed", "elsewhere"):
        watch(token, "person:1")
    watching.keep_only({"open", "elsewhere"})
    watching.forget("elsewhere")
    assert told("person:1") == ["open"]


def test_what_is_said_of_a_person_reaches_every_tab_of_theirs() -> None:
    watching.belongs_to("theirs", 1)
    watching.belongs_to("theirs too", 1)
    watching.belongs_to("somebody else's", 2)
    watching.belongs_to("signed out", 1)
    watching.belongs_to("signed out", None)
    assert watching.tabs_of_those(frozenset({"person:1", "staff"})) == ["theirs", "theirs too"]
    assert watching.tabs_of_those(frozenset({"staff"})) == []
    assert len(watching.tabs_of_those(frozenset({EVERYTHING}))) == 3
    watching.forget("theirs")
    watching.keep_only({"theirs", "somebody else's"})
    assert watching.tabs_of_those(frozenset({EVERYTHING})) == ["theirs", "somebody else's"]
