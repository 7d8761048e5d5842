"""Answers requests for the public catalogue ahead of the REST application.

FastAPI's own work for a request (to match the route, read the query and call the function) would take several times as
long as sending a cached answer, and as long as finding the products for one that is not cached.
"""

from fastapi import FastAPI
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from marketplace_app.api import failures
from marketplace_app.api.catalogue_answers import BY_QUERY, Cache, answer, key_of, maker_of, respond
from marketplace_app.api.deps import limit_reads


class CatalogueAnswers:
    """Answers what is cached or has a valid query. The rest goes on to its route, which says if a query is wrong."""

    def __init__(self, app: FastAPI) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        response = None
        if scope["type"] == "http" and scope["method"] == "GET":
            try:
                response = await self._answer(scope)
            except Exception as error:
                response = failures.answer_any(scope, error)
        await (response or self.app)(scope, receive, send)

    async def _answer(self, scope: Scope) -> Response | None:
        cache: Cache = self.app.state.catalogue_cache
        is_cached = key_of(scope) in cache
        if not is_cached and scope["path"] not in BY_QUERY:
            return None
        await limit_reads(scope)
        if is_cached and (content := await cache.find(key_of(scope))):
            return respond(scope, content)
        maker = maker_of(scope)
        return await answer(cache, scope, maker) if maker else None
