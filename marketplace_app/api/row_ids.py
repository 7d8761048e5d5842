"""Row ids in paths. Anything else in their place is answered 404 by `failures`, not 422: there is no such row."""

from typing import Annotated

from fastapi import Path

RowId = Annotated[int, Path(ge=1, le=2**31 - 1)]
