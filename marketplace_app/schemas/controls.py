"""What controls that many pages have send."""

from typing import Annotated

from pydantic import Field

from marketplace_app.schemas.base import Form


class OpenToggle(Form):
    """A dialog was opened or closed."""

    is_open: bool


class TextInput(Form):
    text: Annotated[str, Field(max_length=100_000)]


class PageNumber(Form):
    page: Annotated[int, Field(ge=1, le=10_000)]


class SearchText(Form):
    text: Annotated[str, Field(max_length=200)]


def row_number(text: str) -> int:
    """The number of a row in an address or a select: 12 for `12`, 0 for whatever is none."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 11 else 0
