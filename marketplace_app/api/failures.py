"""Turns every failure into JSON (RULE wire-errors)."""

import logging

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from redis.exceptions import RedisError
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.types import Scope

from marketplace_app.adapters.metrics import REFUSALS
from marketplace_app.api import access
from marketplace_app.api.responses import Json
from marketplace_app.auth import acting, callers, cookies
from marketplace_app.errors import InvalidInput, MethodNotAllowed, NotFound, StoreError, TooLarge, Unavailable
from marketplace_app.schemas.base import INVALID_JSON, explain

logger = logging.getLogger(__name__)


def answer(error: StoreError) -> Json:
    """The failure as a response, which is counted in the metrics."""
    REFUSALS.labels(error.code).inc()
    return Json(error.body(), error.status, headers=error.headers())


def _on_invalid_request(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    if refused := _access_refusal(request):
        return answer(refused)
    if any(each["loc"][0] == "path" for each in error.errors()):  # such as an id that is no number
        return answer(NotFound())
    body = getattr(request.scope.get("route"), "body_field", None)
    form = body.field_info.annotation if body is not None else None
    return answer(InvalidInput(explain(error.errors(), form)))


def _access_refusal(request: Request) -> StoreError | None:
    """Access comes first: callers who may not use a route are not told what was wrong with the request."""
    required = access.required_for(request.method, request.url.path)
    if required is access.ANYONE:
        return None
    try:
        user = acting.actor_of(cookies.session_token(request.headers.get("cookie")))
    except StoreError as error:
        return error
    return callers.refusal(required, user)


def _on_http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    # FastAPI reads the body before the caller is looked up: 400 for one that cannot be read.
    if error.status_code == 400 and (refused := _access_refusal(request)):
        return answer(refused)
    known: dict[int, StoreError] = {
        400: InvalidInput({"body": INVALID_JSON}),
        404: NotFound(),
        405: MethodNotAllowed((error.headers or {}).get("Allow", "").split(", ")),
        413: TooLarge(),
    }
    if failure := known.get(error.status_code):
        return answer(failure)
    return Json({"message": str(error.detail), "code": "http_error"}, error.status_code)


def answer_any(scope: Scope, error: Exception) -> Response:
    """The response to any exception, as the REST application answers it; also for layers that answer ahead of it."""
    if isinstance(error, StoreError):
        return answer(error)
    if isinstance(error, RedisError):
        logger.warning("Redis failed in %s %s: %s", scope["method"], scope["path"], type(error).__name__)
        return answer(Unavailable())
    logger.error("unexpected failure in %s %s", scope["method"], scope["path"], exc_info=error)
    return answer(StoreError())


def _on_error(request: Request, error: Exception) -> Response:
    return answer_any(request.scope, error)


def install(app: FastAPI) -> None:
    app.add_exception_handler(StoreError, _on_error)
    app.add_exception_handler(RequestValidationError, _on_invalid_request)
    app.add_exception_handler(HTTPException, _on_http_error)
    app.add_exception_handler(RedisError, _on_error)
    app.add_exception_handler(Exception, _on_error)
