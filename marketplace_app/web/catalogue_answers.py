"""Answers to the public catalogue's questions that were asked before, given ahead of the REST application.

Matching the route, reading the query and making a response object cost several times what the kept answer does.
"""

from fastapi import FastAPI
from starlette.types import Receive, Scope, Send

from marketplace_app.adapters.versioned_cache import AsyncVersionedCache
from marketplace_app.api.deps import limit_reads
from marketplace_app.api.failures import answer
from marketplace_app.api.products import Content, question_of, respond
from marketplace_app.errors import StoreError


class CatalogueAnswers:
    """A question that is new, or whose answer no longer holds, goes on to its route, which keeps the answer."""

    def __init__(self, app: FastAPI) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        cache: AsyncVersionedCache[Content] = self.app.state.response_cache
        if scope["type"] != "http" or scope["method"] != "GET" or question_of(scope) not in cache:
            await self.app(scope, receive, send)
            return
        try:
            await limit_reads(scope)
            content = await cache.find(question_of(scope))
        except StoreError as error:
            await answer(error)(scope, receive, send)
            return
        await (respond(scope, content) if content else self.app)(scope, receive, send)
