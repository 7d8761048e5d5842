"""The app: pages, REST, the guard of events and the ASGI layers put together."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial

import reflex as rx
from anyio import to_thread
from starlette.types import ASGIApp

from marketplace_app import end_startup, pages
from marketplace_app.api.app import make_api
from marketplace_app.components.shell.connection import connection_overlay
from marketplace_app.components.shell.crash import page_boundary
from marketplace_app.components.shell.layout import head
from marketplace_app.components.shell.toaster import toaster
from marketplace_app.config import get_settings
from marketplace_app.db import POOL_SIZE
from marketplace_app.framework.components import app_wraps, make_no_refs_of_varying_ids
from marketplace_app.framework.events import event_name
from marketplace_app.jobs.measuring import measuring
from marketplace_app.jobs.outbox_worker import outbox_worker
from marketplace_app.jobs.search_log import search_log_worker
from marketplace_app.jobs.timetable import timetable_worker
from marketplace_app.jobs.tracing import tracing
from marketplace_app.states.events import connections
from marketplace_app.states.events.base import answer_unexpected_with
from marketplace_app.states.events.guard import Guard
from marketplace_app.states.events.live import live_tabs
from marketplace_app.states.unexpected import UnexpectedFailureState, on_unexpected_failure
from marketplace_app.web import logs
from marketplace_app.web.api_first import ApiFirst
from marketplace_app.web.catalogue_answers import CatalogueAnswers
from marketplace_app.web.completed_pages import PageCompleter
from marketplace_app.web.direct_calls import DirectCalls
from marketplace_app.web.first_pictures import CATALOGUE_PAGE
from marketplace_app.web.headers import SecurityHeaders
from marketplace_app.web.landing_page import LANDING_PAGE
from marketplace_app.web.open_sockets import OpenSockets
from marketplace_app.web.product_pages import PRODUCT_PAGES
from marketplace_app.web.request_filter import RequestFilter
from marketplace_app.web.request_ids import RequestIds
from marketplace_app.web.request_metrics import RequestMetrics
from marketplace_app.web.request_traces import RequestTraces


@asynccontextmanager
async def lifespan() -> AsyncIterator[None]:
    logs.install()
    end_startup()
    # As many worker threads as database connections, so that no thread waits in vain for a connection.
    to_thread.current_default_thread_limiter().total_tokens = POOL_SIZE
    async with tracing(), live_tabs(app), outbox_worker(), search_log_worker(), timetable_worker(), measuring():
        yield


make_no_refs_of_varying_ids()
api = make_api()
complete_pages = partial(PageCompleter, pages=(LANDING_PAGE, CATALOGUE_PAGE, PRODUCT_PAGES))
app = rx.App(
    api_transformer=[api, complete_pages, OpenSockets, RequestFilter, SecurityHeaders, RequestIds],
    backend_exception_handler=on_unexpected_failure,
    head_components=head(),
    html_lang="en",
    reset_style=False,
    toaster=toaster(),
    extra_app_wraps=app_wraps(error_boundary=page_boundary, overlay=connection_overlay),
)
answer_unexpected_with(on_unexpected_failure)
app.add_middleware(Guard(), index=0)
connections.install(
    app,
    too_busy=event_name(UnexpectedFailureState.say_too_busy()),
    outdated=event_name(UnexpectedFailureState.say_outdated()),
)
app.register_lifespan_task(lifespan)
pages.register(app)


def make_asgi() -> ASGIApp:
    """The whole store, ready to be served."""
    reflex_app = app()
    store: ASGIApp = ApiFirst(
        RequestIds(SecurityHeaders(RequestFilter(DirectCalls(CatalogueAnswers(api))))), reflex_app
    )
    settings = get_settings()
    if settings.traces_endpoint:
        store = RequestTraces(store)
    return RequestMetrics(store) if settings.metrics_port else store
