"""What the store counts for Prometheus.

With `METRICS_PORT=0` (the default) nothing is served; requests and the lag of the event loop are then not measured.
Labels have few values (routes as templates, methods, statuses, handlers, codes of errors), and never a path, a person
or an id. Each worker process answers for itself, on a port of its own.
"""

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter, sleep

from prometheus_client import CollectorRegistry, Counter, Histogram, ProcessCollector, start_http_server
from sqlmodel import Session

from marketplace_app.config import Settings, get_settings
from marketplace_app.errors import StoreError

REGISTRY = CollectorRegistry()
TRY_AGAIN_SECONDS = 2.0
_ORDER_PLACED = "order_placed"
"""Key in `session.info`: this transaction places an order, which is counted once it is committed."""
_SECONDS = (0.001, 0.005, 0.02, 0.1, 0.5, 2.0, 10.0)
logger = logging.getLogger(__name__)

ProcessCollector(registry=REGISTRY)
REQUESTS = Histogram(
    "store_request_seconds", "Requests by outcome", ("method", "route", "status"), buckets=_SECONDS, registry=REGISTRY
)
EVENTS = Histogram(
    "store_event_seconds", "Events of pages by outcome", ("handler", "outcome"), buckets=_SECONDS, registry=REGISTRY
)
REFUSALS = Counter(
    "store_refusals", "Refused requests and events, by the code of the error", ("code",), registry=REGISTRY
)
LIMITS_HIT = Counter(
    "store_limits_hit", "Uses beyond a rate limit, and sockets beyond those allowed", ("limit",), registry=REGISTRY
)
ORDERS = Counter("store_orders_placed", "Orders that were committed", registry=REGISTRY)
POOL_WAITS = Histogram(
    "store_database_pool_wait_seconds", "Waiting for a connection to the database", buckets=_SECONDS, registry=REGISTRY
)
TURN_WAITS = Histogram(
    "store_database_turn_wait_seconds", "Waiting for the turn to write (SQLite)", buckets=_SECONDS, registry=REGISTRY
)
LOST_RACES = Counter(
    "store_database_lost_races", "Transactions tried again: lock timeouts, deadlocks, busy", registry=REGISTRY
)
LOOP_LAG = Histogram("store_event_loop_lag_seconds", "How late the event loop is", buckets=_SECONDS, registry=REGISTRY)


@contextmanager
def count_event(handler: str) -> Iterator[None]:
    """Count and time one event, by how its handler ends: ok, refused, failed or cancelled.

    Reflex cancels a handler when the visitor leaves the page that it loads, and when the server stops.
    """
    began, outcome = perf_counter(), "cancelled"
    try:
        yield
        outcome = "ok"
    except StoreError:
        outcome = "refused"
        raise
    except Exception:
        outcome = "failed"
        raise
    finally:
        EVENTS.labels(handler, outcome).observe(perf_counter() - began)


def note_order(session: Session) -> None:
    """Count the order that this transaction places, but only once it is committed."""
    session.info[_ORDER_PLACED] = True


def count_noted_order(session: Session) -> None:
    if session.info.get(_ORDER_PLACED):
        ORDERS.inc()


def serve() -> None:
    """If `METRICS_PORT` is set, serve metrics on that port or, if other workers have it, on the next free one."""
    settings = get_settings()
    if settings.metrics_port:
        threading.Thread(target=_serve, args=(settings,), name="metrics", daemon=True).start()


def _serve(settings: Settings) -> None:
    """On the first free port. If there is none, try again later: a worker that is being replaced may still have it."""
    ports = range(settings.metrics_port, settings.metrics_port + settings.workers)
    while True:
        for port in ports:
            try:
                start_http_server(port, addr=settings.metrics_host, registry=REGISTRY)
            except OSError as error:
                problem = error
                continue
            return
        logger.warning("metrics cannot be served on ports %d to %d (%s); trying again", ports[0], ports[-1], problem)
        sleep(TRY_AGAIN_SECONDS)
