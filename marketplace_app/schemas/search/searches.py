"""Synonyms, and searches that found nothing."""

from collections.abc import Mapping
from datetime import date
from typing import Annotated, Any, ClassVar

from pydantic import AfterValidator, Field

from marketplace_app.limits import MAX_SEARCH, MAX_SYNONYM_LENGTH
from marketplace_app.schemas.base import Form, MomentText, RowId, View
from marketplace_app.schemas.texts import one_line, one_line_without_nul

_LENGTH_MESSAGE = f"Enter 1 to {MAX_SYNONYM_LENGTH} characters."
SynonymText = Annotated[str, Field(min_length=1, max_length=MAX_SYNONYM_LENGTH), AfterValidator(one_line)]


class SynonymForm(Form):
    """A search for `term` also finds what a search for `replacement` finds: the term itself is still searched for."""

    EXAMPLE: ClassVar[Mapping[str, Any]] = {"term": "joint", "replacement": "Pre-Roll"}
    MESSAGES: ClassVar[Mapping[str, str]] = {"term": _LENGTH_MESSAGE, "replacement": _LENGTH_MESSAGE}

    term: SynonymText
    replacement: SynonymText


class SynonymRef(Form):
    id: RowId


class SearchedWords(Form):
    """Words from the list of searches that found nothing."""

    words: Annotated[str, Field(max_length=MAX_SEARCH), AfterValidator(one_line_without_nul)]


class SynonymView(View):
    id: int
    term: str = Field(examples=["joint"])
    replacement: str = Field(examples=["Pre-Roll"])
    updated_at: MomentText = Field(examples=["2026-11-20T11:40:00Z"])


# Words that found nothing on two days or more.
class MissView(View):
    words: str = Field(examples=["moon rocks"])
    count: int = Field(examples=[7])
    days: int = Field(examples=[3])
    last_day: date = Field(examples=["2026-11-20"])
