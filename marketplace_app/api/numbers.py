"""Row numbers in paths: whatever cannot be one is not found, rather than an invalid request."""

from typing import Annotated

from fastapi import Depends, Request

from marketplace_app.errors import NotFound


def row_id(request: Request) -> int:
    text = str(next(iter(request.path_params.values()), ""))
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise NotFound()
    return int(text)


RowId = Annotated[int, Depends(row_id)]
