"""Contract with Reflex: it opens a span for every event, in which the store's filter and the handler run."""

import asyncio
from typing import Any

from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from reflex.app_mixins.middleware import MiddlewareMixin
from reflex_base import otel
from reflex_base.event import Event
from reflex_base.event.processor import BaseStateEventProcessor

from marketplace_app.framework.events import EventFilter, Verdict, event_name
from marketplace_app.framework.spans import events_traced
from marketplace_app.states.unexpected import UnexpectedFailureState

NAME = event_name(UnexpectedFailureState.say_too_busy())


class Notes(EventFilter):
    def __init__(self) -> None:
        self.current: list[int] = []

    async def judge(self, root: Any, event: Event) -> Verdict:
        self.current.append(trace.get_current_span().get_span_context().span_id)
        return Verdict.RUN


async def handle(notes: Notes) -> None:
    middleware = MiddlewareMixin()
    middleware.add_middleware(notes)
    async with BaseStateEventProcessor(middleware=middleware).configure() as processor:
        await (await processor.enqueue("tab", Event(name=NAME, payload={})))


def test_every_event_has_a_span_named_by_its_handler_that_is_current_in_the_filter() -> None:
    exporter, notes = InMemorySpanExporter(), Notes()
    provider = TracerProvider(shutdown_on_exit=False)
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    with events_traced(provider):
        asyncio.run(handle(notes))
    (span,) = [each for each in exporter.get_finished_spans() if each.name == NAME]
    assert (span.attributes or {})["code.function.name"] == (
        "marketplace_app.states.unexpected.UnexpectedFailureState.say_too_busy"
    )
    assert notes.current == [span.context.span_id]
    assert not otel.enabled
    asyncio.run(handle(notes))
    assert notes.current[-1] == 0
