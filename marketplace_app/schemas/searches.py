"""Synonyms as they are written and shown, and searches that found nothing."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Annotated, Any, ClassVar

from pydantic import AfterValidator, Field

from marketplace_app import clock
from marketplace_app.limits import MAX_SEARCH, MAX_SYNONYM
from marketplace_app.schemas.base import Answer, Form
from marketplace_app.schemas.texts import one_line, plain

_SENTENCE = f"Write 1 to {MAX_SYNONYM} characters."
Words = Annotated[str, Field(min_length=1, max_length=MAX_SYNONYM), AfterValidator(one_line)]


class SynonymForm(Form):
    """A search for `term` shall also find what a search for `replacement` finds."""

    EXAMPLE: ClassVar[Mapping[str, Any]] = {"term": "joint", "replacement": "Pre-Roll"}
    SENTENCES: ClassVar[Mapping[str, str]] = {"term": _SENTENCE, "replacement": _SENTENCE}

    term: Words
    replacement: Words


class SynonymRef(Form):
    id: Annotated[int, Field(ge=1, le=2**31 - 1)]


class SearchedWords(Form):
    """Words of the list of those that found nothing."""

    words: Annotated[str, Field(max_length=MAX_SEARCH), AfterValidator(plain)]


@dataclass(frozen=True)
class SynonymView:
    id: int
    term: str
    replacement: str
    updated_at: datetime

    def wire(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "term": self.term,
            "replacement": self.replacement,
            "updatedAt": clock.iso(self.updated_at),
        }


@dataclass(frozen=True)
class MissView:
    """Words that found nothing on two days or more."""

    words: str
    count: int
    days: int
    last_day: date

    def wire(self) -> dict[str, Any]:
        return {"words": self.words, "count": self.count, "days": self.days, "lastDay": self.last_day.isoformat()}


class SynonymAnswer(Answer):
    id: int
    term: str = Field(examples=["joint"])
    replacement: str = Field(examples=["Pre-Roll"])
    updated_at: str = Field(examples=["2026-11-20T11:40:00Z"])


class MissAnswer(Answer):
    words: str = Field(examples=["moon rocks"])
    count: int = Field(examples=[7])
    days: int = Field(examples=[3])
    last_day: date = Field(examples=["2026-11-20"])
