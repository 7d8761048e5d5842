"""Synonyms, and searches that found nothing."""

from datetime import date, datetime

from sqlalchemy import CheckConstraint, Index, UniqueConstraint
from sqlmodel import Field, SQLModel

from marketplace_app.clock import now
from marketplace_app.limits import MAX_SEARCH, MAX_SYNONYM_LENGTH
from marketplace_app.models.base import Folded, UtcDateTime


class Synonym(SQLModel, table=True):
    """A search for `term` also finds what a search for `replacement` finds. Changes raise the catalogue's version.

    Both are stored twice: as an owner typed them, and folded like a search (`adapters.search.fold`).
    """

    __tablename__ = "synonyms"
    __table_args__ = (
        CheckConstraint(f"length(term) BETWEEN 1 AND {MAX_SYNONYM_LENGTH}", name="term_length"),
        CheckConstraint(f"length(replacement) BETWEEN 1 AND {MAX_SYNONYM_LENGTH}", name="replacement_length"),
        CheckConstraint("folded_term <> '' AND folded_replacement <> ''", name="words_given"),
        CheckConstraint("folded_term <> folded_replacement", name="not_itself"),
        UniqueConstraint("folded_term", "folded_replacement"),
    )

    id: int = Field(default=None, primary_key=True)
    term: str
    replacement: str
    folded_term: str = Field(sa_type=Folded)
    folded_replacement: str = Field(sa_type=Folded)
    updated_at: datetime = Field(default_factory=now, sa_type=UtcDateTime)


class SearchMiss(SQLModel, table=True):
    """Words that found nothing, and how often they were searched on one day. Who searched is never stored."""

    __tablename__ = "search_misses"
    __table_args__ = (
        CheckConstraint(f"length(words) BETWEEN 1 AND {MAX_SEARCH}", name="words_length"),
        CheckConstraint("words NOT LIKE '%@%'", name="no_address"),
        CheckConstraint("count >= 1", name="count_from_one"),
        Index("ix_search_misses_words", "words", "day"),
    )

    day: date = Field(primary_key=True)
    """In the store's time zone."""
    words: str = Field(primary_key=True, sa_type=Folded)
    count: int = 1
