"""Records and sends spans for as long as the server runs, if `TRACES_ENDPOINT` is set."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from anyio import to_thread

from marketplace_app.config import get_settings
from marketplace_app.framework.spans import events_traced


@asynccontextmanager
async def tracing() -> AsyncIterator[None]:
    settings = get_settings()
    if not settings.traces_endpoint:
        yield
        return
    from marketplace_app.adapters import trace_export

    provider = trace_export.start(settings)
    try:
        with events_traced(provider):
            yield
    finally:
        await to_thread.run_sync(trace_export.stop, provider)
