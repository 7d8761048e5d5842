"""What routes respond with: JSON, and the failures that their documentation lists."""

from typing import Any

import orjson
from starlette.responses import Response

from marketplace_app.errors import (
    InvalidInput,
    NotAllowed,
    NotFound,
    NotSignedIn,
    QuoteChanged,
    StoreError,
    TooLarge,
    TooManyRequests,
    UnsupportedMedia,
)
from marketplace_app.schemas.base import ProblemAnswer


class Json(Response):
    """JSON by orjson. Below `/api` it is never cached unless a route says so."""

    media_type = "application/json"

    def render(self, content: object) -> bytes:
        return orjson.dumps(content)


PDF_ANSWER: dict[int | str, dict[str, Any]] = {200: {"description": "The PDF", "content": {"application/pdf": {}}}}


def pdf(content: bytes, name: str) -> Response:
    """To be looked at or downloaded by this name. It has personal data, so nothing keeps it on the way."""
    headers = {"Content-Disposition": f'inline; filename="{name}"', "Cache-Control": "no-store"}
    return Response(content, media_type="application/pdf", headers=headers)


def problem(*statuses: int, **models: type[ProblemAnswer]) -> dict[int | str, dict[str, Any]]:
    """The failures a route documents, each with a common example.

    A failure that says more than its sentence and code has a model: `problem(404, 409, on_409=OrderConflictAnswer)`.
    """
    return {status: _documented(status, models.get(f"on_{status}", ProblemAnswer)) for status in statuses}


def invalid_input() -> dict[str, Any]:
    """As `problem(422)`, for the finished OpenAPI document, where models are references."""
    described = _documented(422, ProblemAnswer)
    del described["model"]
    described["content"]["application/json"]["schema"] = {"$ref": "#/components/schemas/ProblemAnswer"}
    return described


def _documented(status: int, model: type[ProblemAnswer]) -> dict[str, Any]:
    description, failure = _FAILURES[status]
    body: dict[str, Any] = {"message": failure.message, "code": failure.code}
    if failure is InvalidInput:
        body["fields"] = {"quantity": "A whole number is expected"}
    return {"description": description, "model": model, "content": {"application/json": {"example": body}}}


_FAILURES: dict[int, tuple[str, type[StoreError]]] = {
    401: ("Not signed in", NotSignedIn),
    403: ("Not allowed", NotAllowed),
    404: ("Not found", NotFound),
    409: ("Conflict: stock, price or the minimum changed", QuoteChanged),
    413: ("Too large", TooLarge),
    415: ("Wrong file type", UnsupportedMedia),
    422: ("Invalid input; `fields` names what to correct", InvalidInput),
    429: ("Too many requests", TooManyRequests),
}
