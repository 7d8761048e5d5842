"""Spans of requests and statements, and what is noted on the spans of events.

Reflex opens the spans of events (`framework/spans.py`).

This module needs only the API of OpenTelemetry, which FastAPI imports anyway. The code that records and sends spans
(`trace_export.py`) is imported only if `TRACES_ENDPOINT` is set. Otherwise `note_failure` is the only function called,
and it has no span to write to.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from opentelemetry import trace
from opentelemetry.context import Context
from opentelemetry.trace import Span, SpanKind, StatusCode, TracerProvider
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator
from sqlalchemy import Connection, Engine, ExceptionContext, event

from marketplace_app.config import get_settings
from marketplace_app.errors import StoreError

# Names of attributes, as OpenTelemetry's conventions have them.
ERROR, ROUTE, METHOD, STATUS = "error.type", "http.route", "http.request.method", "http.response.status_code"
SYSTEM, STATEMENT = "db.system.name", "db.query.text"
MAX_STATEMENT = 2_000
_PARENT = b"traceparent"
_W3C = TraceContextTextMapPropagator()
_tracer: trace.Tracer = trace.NoOpTracer()


def record_with(provider: TracerProvider) -> None:
    global _tracer
    _tracer = provider.get_tracer("store")


@contextmanager
def request(scope: Mapping[str, Any], method: str, route: str) -> Iterator[Span]:
    """The span of one request, current inside the `with` block."""
    with _tracer.start_as_current_span(
        f"{method} {route}",
        context=_parent(scope),
        kind=SpanKind.SERVER,
        attributes={METHOD: method, ROUTE: route},
        record_exception=False,
        set_status_on_exception=False,
    ) as span:
        yield span


def _parent(scope: Mapping[str, Any]) -> Context:
    """The proxy's span, read from the header. Empty unless the settings say that the proxy sets it and it came once."""
    given = [value for name, value in scope.get("headers", ()) if name == _PARENT]
    if len(given) != 1 or not get_settings().traces_from_proxy:
        return Context()
    return _W3C.extract({_PARENT.decode(): given[0].decode("latin-1")}, context=Context())


def end_request(span: Span, status: int) -> None:
    span.set_attribute(STATUS, status)
    if status >= 500:
        span.set_status(StatusCode.ERROR)


def note_failure(error: Exception, code: str) -> None:
    """Put the error's code on the span of the current event. Except for a `StoreError`, mark it as failed too."""
    span = trace.get_current_span()
    span.set_attribute(ERROR, code)
    if not isinstance(error, StoreError):
        span.set_status(StatusCode.ERROR)


def install(engine: Engine) -> None:
    """Open a span for each statement that a request or event waits for. Its text has no values: they are parameters."""
    event.listen(engine, "before_cursor_execute", _begin_statement)
    event.listen(engine, "after_cursor_execute", _end_statement)
    event.listen(engine, "handle_error", _fail_statement)


def _begin_statement(
    connection: Connection, _cursor: object, statement: str, _parameters: object, context: Any, _many: bool
) -> None:
    if context is None or not trace.get_current_span().is_recording():
        return
    attributes = {SYSTEM: connection.dialect.name, STATEMENT: statement[:MAX_STATEMENT]}
    operation = next(iter(statement.split(maxsplit=1)), "").upper()
    context.store_span = _tracer.start_span(operation, kind=SpanKind.CLIENT, attributes=attributes)


def _end_statement(
    _connection: Connection, _cursor: object, _statement: str, _parameters: object, context: Any, _many: bool
) -> None:
    if (span := getattr(context, "store_span", None)) is not None:
        span.end()


def _fail_statement(failure: ExceptionContext) -> None:
    """If only fetching the rows fails, the statement's span has ended already and stays as it is."""
    span = getattr(failure.execution_context, "store_span", None)
    if span is not None and span.is_recording():
        span.set_attribute(ERROR, type(failure.original_exception).__name__)
        span.set_status(StatusCode.ERROR)
        span.end()
