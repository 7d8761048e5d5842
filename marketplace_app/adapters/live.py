"""Announcements of changes: published by the transaction that made them, received by every process that listens.

On SQLite one process serves the store, and calls its listeners directly. On PostgreSQL announcements go through the
database (`NOTIFY`), and each process listens on a connection of its own.
"""

import logging
from collections.abc import Callable, Iterable
from threading import Event, Thread

import psycopg
from sqlalchemy.engine import make_url

from marketplace_app.adapters.postgresql import IF_THE_SERVER_VANISHES

CHANNEL = "store"
APPLICATION_NAME = "store live updates"
"""Of the connection on which a process listens: there is one for each worker process."""
TOPICS = "topics"
"""Key in `session.info` of the topics that are published when the transaction is committed."""
ALL_TOPICS = "*"
"""Announced whenever a process begins to listen: after a lost connection it may have missed announcements."""
RECONNECT_SECONDS = 5.0

Listener = Callable[[frozenset[str]], None]
_listeners: list[Listener] = []
logger = logging.getLogger(__name__)


def user(user_id: int) -> str:
    """The topic of everything that belongs to one user: orders, credit, tickets, whether they are banned."""
    # Processes of the previous release may be listening, so the text of a topic must stay as it is.
    return f"person:{user_id}"


def cart(user_id: int) -> str:
    """The topic of one user's cart and saved products, which most of their pages show."""
    return f"cart:{user_id}"


def product(product_id: int) -> str:
    """The topic of one product: staff changed its facts, picture, lab report or stock. Orders do not announce it."""
    return f"product:{product_id}"


STAFF = "staff"
"""The topic of everything that admin pages show, such as orders, tickets and settings."""

OUTBOX = "outbox"
"""The topic of mail that waits to be sent."""


def subscribe(listener: Listener) -> Callable[[], None]:
    """Call `listener` with the topics of each change, from any thread. Returns a function that stops it."""
    _listeners.append(listener)
    return lambda: _listeners.remove(listener)


def call_listeners(topics: Iterable[str]) -> None:
    """Call the listeners of this process. Services announce with `services.records.announcements.publish`."""
    changed = frozenset(topics)
    if not changed:
        return
    for listener in list(_listeners):
        listener(changed)


def listen(database_url: str) -> Callable[[], None]:
    """Call the listeners for what any process publishes through PostgreSQL. Returns a function that stops it.

    `database_url` must not lead to a pooler, which would give the listening connection to other clients.
    """
    stopping = Event()
    dsn = make_url(database_url).set(drivername="postgresql").render_as_string(hide_password=False)
    thread = Thread(target=_listen, args=(dsn, stopping), name="live", daemon=True)
    thread.start()

    def stop() -> None:
        stopping.set()
        thread.join(RECONNECT_SECONDS + 1)

    return stop


def _listen(dsn: str, stopping: Event) -> None:
    while not stopping.is_set():
        try:
            with psycopg.connect(
                dsn, autocommit=True, application_name=APPLICATION_NAME, **IF_THE_SERVER_VANISHES
            ) as connection:
                connection.execute(f"LISTEN {CHANNEL}")
                call_listeners([ALL_TOPICS])
                while not stopping.is_set():
                    # One call for all that have arrived together: a recall announces to each of its buyers.
                    call_listeners(note.payload for note in connection.notifies(timeout=1.0, stop_after=1))
        except psycopg.OperationalError as error:
            logger.warning("announcements of changes cannot be received from the database: %s", type(error).__name__)
            stopping.wait(RECONNECT_SECONDS)
