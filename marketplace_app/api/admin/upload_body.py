"""The one file of a request: a form's `file`, or the body itself."""

from typing import Annotated, Any

from fastapi import Depends, Request
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException

from marketplace_app.adapters import storage
from marketplace_app.errors import InvalidInput

NO_FILE = "A file is required: a form with the field `file`, or the file itself as the body."


async def _content(request: Request) -> bytes:
    """Runs after `refuse_without` or another dependency of the route, so a refused upload is never read."""
    if not request.headers.get("content-type", "").lower().startswith("multipart/form-data"):
        return _required(await request.body())
    try:
        with storage.reporting_disk_errors():  # a large upload is spooled to a temporary file
            async with request.form(max_files=1, max_fields=4) as form:
                file = form.get("file")
                return _required(await file.read() if isinstance(file, UploadFile) else b"")
    except HTTPException:  # what Starlette raises for a form that it cannot parse, or with more files or fields
        raise InvalidInput({"file": NO_FILE}) from None


def _required(content: bytes) -> bytes:
    if not content:
        raise InvalidInput({"file": NO_FILE})
    return content


ContentDep = Annotated[bytes, Depends(_content)]


def accepts(*types: str) -> dict[str, Any]:
    """For OpenAPI: the route reads its body itself."""
    file = {"type": "string", "format": "binary"}
    form = {"type": "object", "required": ["file"], "properties": {"file": file}}
    content = {"multipart/form-data": {"schema": form}} | {kind: {"schema": file} for kind in types}
    return {"requestBody": {"required": True, "content": content}}
