"""Notices of changes: published with the transaction that made them, received by every process with subscribers.

On SQLite there is one process, and it tells itself. On PostgreSQL the database carries the word, and each process
listens on a connection of its own.
"""

import logging
from collections.abc import Callable, Iterable
from threading import Event, Thread

import psycopg
from sqlalchemy.engine import make_url

CHANNEL = "store"
TOPICS = "topics"
"""Where a session keeps what its transaction will have to say."""
EVERYTHING = "*"
"""After a lost connection, what was published meanwhile is unknown."""
PATIENCE_SECONDS = 5.0

Listener = Callable[[frozenset[str]], None]
_listeners: list[Listener] = []
logger = logging.getLogger(__name__)


def person(user_id: int) -> str:
    """The topic of all that one person sees of their own: orders, credit, tickets, whether they may be here."""
    return f"person:{user_id}"


def cart(user_id: int) -> str:
    """The topic of one person's cart and hearts, which most of their pages show."""
    return f"cart:{user_id}"


STAFF = "staff"
"""The topic of what staff see: new orders and tickets."""

OUTBOX = "outbox"
"""The topic of mail that waits to be sent."""


def subscribe(listener: Listener) -> Callable[[], None]:
    """Call `listener` with the topics of each change, from any thread. Returns a function that stops it."""
    _listeners.append(listener)
    return lambda: _listeners.remove(listener)


def publish(topics: Iterable[str]) -> None:
    changed = frozenset(topics)
    for listener in list(_listeners) if changed else ():
        listener(changed)


def listen(database_url: str) -> Callable[[], None]:
    """Publish here what any process said through PostgreSQL; call what is returned to stop."""
    stopping = Event()
    address = make_url(database_url).set(drivername="postgresql").render_as_string(hide_password=False)
    thread = Thread(target=_listen, args=(address, stopping), name="live", daemon=True)
    thread.start()

    def stop() -> None:
        stopping.set()
        thread.join(PATIENCE_SECONDS + 1)

    return stop


def _listen(address: str, stopping: Event) -> None:
    while not stopping.is_set():
        try:
            with psycopg.connect(address, autocommit=True) as connection:
                connection.execute(f"LISTEN {CHANNEL}")
                publish([EVERYTHING])
                while not stopping.is_set():
                    for note in connection.notifies(timeout=1.0, stop_after=1):
                        publish([note.payload])
        except psycopg.OperationalError as error:
            logger.warning("no word of changes from the database: %s", type(error).__name__)
            stopping.wait(PATIENCE_SECONDS)
