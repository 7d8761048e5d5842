"""A span for every event, with those of the events that it chains inside it: Reflex opens them if it is told to.

Relies on `reflex_base.otel`: `enable(tracer_provider=, meter_provider=)`, `disable()`, the attribute
`code.function.name` of the span, and that the span is current from before the state is loaded until the handler has
ended.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from opentelemetry.metrics import NoOpMeterProvider
from opentelemetry.trace import TracerProvider
from reflex_base import otel


@contextmanager
def events_traced(provider: TracerProvider) -> Iterator[None]:
    """Its metrics stay off: the store has its own."""
    otel.enable(tracer_provider=provider, meter_provider=NoOpMeterProvider())
    try:
        yield
    finally:
        otel.disable()
