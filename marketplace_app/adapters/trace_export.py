"""Sends spans to the collector at `TRACES_ENDPOINT`. Imported only if that is set: it needs requirements-traces.txt.

Spans wait in a queue of bounded length, and a separate thread sends them: no request waits for a collector. While it
is slow or cannot be reached, the oldest spans are lost.
"""

import logging
import threading

from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import SERVICE_NAME, Resource
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace.status import Status

from marketplace_app.adapters import request_ids, traces
from marketplace_app.config import Settings

MAX_QUEUED_SPANS, MAX_BATCH_SPANS = 2_048, 512
SEND_EVERY_MS = 2_000
EXPORT_SECONDS = 5.0
"""How long sending one batch may take, with all attempts."""
STOP_SECONDS = 3.0
"""How long the store, when it stops, may wait for the collector."""
FUNCTION, REQUEST_ID = "code.function.name", "request.id"
SENT_ATTRIBUTES = frozenset(
    {traces.ERROR, traces.ROUTE, traces.METHOD, traces.STATUS, traces.SYSTEM, traces.STATEMENT, FUNCTION, REQUEST_ID}
)
"""All that is sent of a span besides its name, times and outcome (RULE traces)."""
_LOST_SPANS_LOGGER = "opentelemetry.sdk._shared_internal"


class _RedactingProcessor(BatchSpanProcessor):
    """Sends a copy of each span, with no attributes but SENT_ATTRIBUTES and without its events.

    Reflex adds the id of the tab, and an exception its text and traceback: these may contain personal data.
    """

    def on_end(self, span: ReadableSpan) -> None:
        attributes = {name: value for name, value in (span.attributes or {}).items() if name in SENT_ATTRIBUTES}
        if request_id := request_ids.current():
            attributes[REQUEST_ID] = request_id
        handler = attributes.get(FUNCTION)
        super().on_end(
            ReadableSpan(
                name=".".join(str(handler).split(".")[-2:]) if handler else span.name,
                context=span.context,
                parent=span.parent,
                resource=span.resource,
                attributes=attributes,
                kind=span.kind,
                status=Status(span.status.status_code),
                start_time=span.start_time,
                end_time=span.end_time,
                instrumentation_scope=span.instrumentation_scope,
            )
        )


def start(settings: Settings) -> TracerProvider:
    """Record spans from now on. The SDK reads variables `OTEL_...`: headers for the collector, the sampling rate."""
    # No warning for each lost span: logging one takes longer than recording the span.
    logging.getLogger(_LOST_SPANS_LOGGER).setLevel(logging.ERROR)
    provider = TracerProvider(resource=Resource.create({SERVICE_NAME: settings.store_name}), shutdown_on_exit=False)
    exporter = OTLPSpanExporter(endpoint=settings.traces_endpoint, timeout=EXPORT_SECONDS)
    provider.add_span_processor(
        _RedactingProcessor(
            exporter,
            max_queue_size=MAX_QUEUED_SPANS,
            max_export_batch_size=MAX_BATCH_SPANS,
            schedule_delay_millis=SEND_EVERY_MS,
        )
    )
    traces.record_with(provider)
    return provider


def stop(provider: TracerProvider) -> None:
    """Send the spans that are still queued, unless the collector takes longer than STOP_SECONDS."""
    sender = threading.Thread(target=provider.shutdown, name="last spans", daemon=True)
    sender.start()
    sender.join(STOP_SECONDS)
