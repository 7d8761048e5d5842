"""Changes are received after their commit, from any process, and never without a commit."""

from collections.abc import Callable, Iterator
from queue import Empty, Queue

import pytest
from sqlalchemy import Engine
from sqlmodel import Session

from marketplace_app import db
from marketplace_app.adapters import live
from marketplace_app.models import Counter
from marketplace_app.services.records import announcements
from tests import pgbouncer

WITHIN_SECONDS = 5


@pytest.fixture
def received(engine: Engine) -> Iterator[Queue[frozenset[str]]]:
    """The topics that this process receives; on PostgreSQL through the database."""
    topics: Queue[frozenset[str]] = Queue()
    unsubscribe = live.subscribe(topics.put)
    stop: Callable[[], None] = lambda: None  # noqa: E731
    if engine.dialect.name == "postgresql":
        stop = live.listen(pgbouncer.direct_url(engine))
        assert topics.get(timeout=WITHIN_SECONDS) == {live.ALL_TOPICS}
    yield topics
    stop()
    unsubscribe()


def publish(session: Session, *topics: str) -> None:
    for topic in topics:
        announcements.publish(session, topic)


def test_a_change_is_received_once_it_is_committed(received: Queue[frozenset[str]]) -> None:
    def work(session: Session) -> None:
        publish(session, live.user(7), live.user(7))
        session.add(Counter(name="seen", value=1))

    db.write(work)
    assert received.get(timeout=WITHIN_SECONDS) == {"person:7"}
    assert db.read(lambda session: session.get(Counter, "seen")) is not None
    with pytest.raises(Empty):
        received.get(timeout=0.2)


def test_announcements_to_thousands_of_people_all_arrive(received: Queue[frozenset[str]]) -> None:
    people = {live.user(number) for number in range(5_000)}
    db.write(lambda session: publish(session, *people))
    heard: set[str] = set()
    while heard != people:
        heard |= received.get(timeout=WITHIN_SECONDS)


def test_a_change_that_is_rolled_back_is_not_received(received: Queue[frozenset[str]]) -> None:
    def work(session: Session) -> None:
        publish(session, "staff")
        raise LookupError

    with pytest.raises(LookupError):
        db.write(work)
    db.write(lambda session: publish(session, "after"))
    assert received.get(timeout=WITHIN_SECONDS) == {"after"}


def test_a_stopped_listener_receives_nothing() -> None:
    topics: list[frozenset[str]] = []
    unsubscribe = live.subscribe(topics.append)
    live.call_listeners(["one"])
    unsubscribe()
    live.call_listeners(["two"])
    assert topics == [{"one"}]
