"""The report of a product import, as the admin page receives it."""

from typing import Annotated

from pydantic import Field

from marketplace_app.schemas.admin.product_csv import MAX_ERRORS
from marketplace_app.schemas.base import Form

MAX_ROWS = 100
"""As in `assets/upload.js`, which leaves out the rest."""


class ImportErrorForm(Form):
    line: int
    column: Annotated[str, Field(max_length=80)]
    message: Annotated[str, Field(max_length=1_000)]


class ImportChangeForm(Form):
    line: int
    sku: Annotated[str, Field(max_length=80)]
    column: Annotated[str, Field(max_length=80)]
    before: Annotated[str, Field(max_length=300)]
    after: Annotated[str, Field(max_length=300)]


class ImportReportForm(Form):
    """The answer of an import, shortened by `assets/upload.js`, which passes it on."""

    is_applied: bool
    check: Annotated[int, Field(ge=0)]
    """The number of the tab's last dry run, from 1, by which the script finds the file to apply."""
    file: Annotated[str, Field(max_length=255)]
    created: Annotated[int, Field(ge=0)]
    updated: Annotated[int, Field(ge=0)]
    unchanged: Annotated[int, Field(ge=0)]
    changes: Annotated[list[ImportChangeForm], Field(max_length=MAX_ROWS)]
    has_more_changes: bool
    errors: Annotated[list[ImportErrorForm], Field(max_length=MAX_ROWS)]
    error_count: Annotated[int, Field(ge=0, le=MAX_ERRORS)]
    warning: Annotated[str, Field(max_length=1_000)]
    """The first of the warnings; empty if there is none."""
    warning_count: Annotated[int, Field(ge=0, le=MAX_ERRORS)]
