"""What routes respond with: JSON, and the failures that their documentation lists."""

from typing import Any

import orjson
from starlette.responses import Response

from marketplace_app.errors import (
    Conflict,
    InvalidInput,
    NotAllowed,
    NotFound,
    NotSignedIn,
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
    """A PDF to view, or to download under this name. It contains personal data, so no cache may store it."""
    headers = {"Content-Disposition": f'inline; filename="{name}"', "Cache-Control": "no-store"}
    return Response(content, media_type="application/pdf", headers=headers)


CSV_TYPE = "text/csv; charset=utf-8"


def csv_answer(description: str) -> dict[int | str, dict[str, Any]]:
    return {200: {"description": description, "content": {"text/csv": {}}}}


def csv_headers(name: str) -> dict[str, str]:
    """The headers of a CSV file to download under this name, which no cache may store."""
    return {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}


def problem(*failures: int | type[StoreError], **models: type[ProblemAnswer]) -> dict[int | str, dict[str, Any]]:
    """The failures that a route documents, each given as a status or as an error class, which then is the example shown
    for its status.

    A failure whose body has more than message and code has a model: `problem(404, 409, on_409=OrderConflictAnswer)`.
    """
    examples = [_FAILURES[each][1] if isinstance(each, int) else each for each in failures]
    return {each.status: _documented(each, models.get(f"on_{each.status}", ProblemAnswer)) for each in examples}


def invalid_input() -> dict[str, Any]:
    """As `problem(422)`, for the finished OpenAPI document, where models are references."""
    described = _documented(InvalidInput, ProblemAnswer)
    del described["model"]
    described["content"]["application/json"]["schema"] = {"$ref": "#/components/schemas/ProblemAnswer"}
    return described


def _documented(example: type[StoreError], model: type[ProblemAnswer]) -> dict[str, Any]:
    body: dict[str, Any] = {"message": example.message, "code": example.code}
    if example is InvalidInput:
        body["fields"] = {"quantity": "A whole number is expected"}
    description, _ = _FAILURES[example.status]
    return {"description": description, "model": model, "content": {"application/json": {"example": body}}}


_FAILURES: dict[int, tuple[str, type[StoreError]]] = {
    401: ("Not signed in", NotSignedIn),
    403: ("Not allowed", NotAllowed),
    404: ("Not found", NotFound),
    409: ("Conflict; `code` says which", Conflict),
    413: ("Too large", TooLarge),
    415: ("Wrong file type", UnsupportedMedia),
    422: ("Invalid input; `fields` names what to correct", InvalidInput),
    429: ("Too many requests", TooManyRequests),
}
