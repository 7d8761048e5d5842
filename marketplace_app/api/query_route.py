"""A route that reads its query itself."""

from collections.abc import Callable, Coroutine
from functools import lru_cache
from typing import Any, TypeVar, get_origin
from urllib.parse import parse_qsl

from fastapi import Request, Response
from fastapi.routing import APIRoute
from pydantic import ValidationError

from marketplace_app.api.deps import limit_reads
from marketplace_app.schemas.base import PageQuery

Q = TypeVar("Q", bound=PageQuery)


class QueryRoute(APIRoute):
    """For endpoints `(request, query)` that anyone may call, whose answer takes less time than the framework does.

    FastAPI collects a query's fields one by one and resolves the router's dependencies on every request. A query that
    is not valid still goes to FastAPI, which says why.
    """

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        by_framework = super().get_route_handler()
        query_class = self.dependant.query_params[0].field_info.annotation
        assert isinstance(query_class, type) and issubclass(query_class, PageQuery)

        async def handle(request: Request) -> Response:
            try:
                query = parse_query(query_class, request.scope["query_string"])
            except ValidationError:
                return await by_framework(request)
            await limit_reads(request.scope)
            answer: Response = await self.endpoint(request, query)
            return answer

        return handle


def parse_query(query_class: type[Q], query_string: bytes) -> Q:
    """As FastAPI reads it: of a parameter that is given several times a list takes all values, others the last."""
    values: dict[str, Any] = {}
    lists = _lists_of(query_class)
    for name, value in parse_qsl(query_string.decode("latin-1"), keep_blank_values=True):
        if name in lists:
            values.setdefault(name, []).append(value)
        else:
            values[name] = value
    return query_class.model_validate(values)


@lru_cache
def _lists_of(query_class: type[PageQuery]) -> frozenset[str]:
    fields = query_class.model_fields.values()
    return frozenset(str(field.alias) for field in fields if get_origin(field.annotation) is list)
