"""Row ids in paths. Anything else in their place is answered 404 by `failures`, not 422: there is no such row."""

from typing import Annotated

from fastapi import Path

from marketplace_app.schemas.base import RowId

RowIdPath = Annotated[RowId, Path()]
