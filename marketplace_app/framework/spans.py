"""Has Reflex open a span for every event. If a handler chains another event, the span of that one is inside its own.

Relies on `reflex_base.otel`: on `enable(tracer_provider=, meter_provider=)` and `disable()`, on the attribute
`code.function.name` of the span, and on the span being the current one from before the state is loaded until the
handler has ended.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from opentelemetry.metrics import NoOpMeterProvider
from opentelemetry.trace import TracerProvider
from reflex_base import otel


@contextmanager
def events_traced(provider: TracerProvider) -> Iterator[None]:
    """Inside the `with` block Reflex records spans, but no metrics: the store has its own."""
    otel.enable(tracer_provider=provider, meter_provider=NoOpMeterProvider())
    try:
        yield
    finally:
        otel.disable()
