"""What is sent by controls that are on many pages."""

import re
from typing import Annotated

from pydantic import Field

from marketplace_app.schemas.base import FIRST_DAY, MAX_ROW_ID, Form, PageOfList


class OpenToggle(Form):
    """A dialog was opened or closed."""

    is_open: bool


class TextInput(Form):
    text: Annotated[str, Field(max_length=100_000)]


class PageNumber(Form):
    page: PageOfList


class SearchText(Form):
    text: Annotated[str, Field(max_length=200)]


def row_id(text: str) -> int:
    """The id of a row in the text of a URL or a control: 12 for `12`, 0 for text that is no id."""
    number = int(text) if text.isascii() and text.isdigit() and len(text) < 11 else 0
    return number if number <= MAX_ROW_ID else 0


def is_unfinished_day(text: str) -> bool:
    """Whether the year of a date is still being typed: a browser sends `0002-11-20` at the first digit of 2026."""
    return re.fullmatch("[0-9]{4}-[0-9]{2}-[0-9]{2}", text) is not None and text < FIRST_DAY.isoformat()


def integer_or_text(text: str) -> int | str:
    """The number in `+12`, `-3` or `−3`, with a typographic minus. Other text is passed on for the form to refuse."""
    number = text.strip().replace("−", "-")
    return int(number) if re.fullmatch("[+-]?[0-9]{1,15}", number) else text
