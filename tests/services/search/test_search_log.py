"""Searches that found nothing: only words, day and count, without private data, in a limited number of rows."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from time import monotonic
from typing import Any

import pytest
from sqlalchemy import select, text
from sqlalchemy.exc import DBAPIError
from sqlmodel import Session

from marketplace_app import clock, db
from marketplace_app.limits import MAX_MISSES_A_DAY, SEARCH_MISS_DAYS
from marketplace_app.models import SearchMiss, Synonym
from marketplace_app.services.search import search_log
from tests.conftest import Cast

NOON = datetime(2026, 11, 20, 20, tzinfo=UTC)
"""Noon at the store."""


@pytest.fixture(autouse=True)
def nothing_waits() -> Iterator[None]:
    search_log._waiting.clear()
    yield
    search_log._waiting.clear()


def save_counts() -> None:
    counted = search_log.take_settled(monotonic() + search_log.SETTLED_AFTER_SECONDS)
    db.write(lambda session: search_log.save_counts(session, counted))


def note(*searches: str) -> None:
    for visitor, each in enumerate(searches):
        search_log.record_miss(each, visitor)
    save_counts()


def stored(session: Session) -> list[tuple[date, str, int]]:
    session.expire_all()
    rows = session.execute(select(SearchMiss).order_by(text("day, words"))).scalars()
    found = [(row.day, row.words, row.count) for row in rows]
    session.commit()
    return found


def shown(cast: Cast) -> list[dict[str, Any]]:
    return [miss.wire() for miss in db.read(lambda session: search_log.list_misses(session, cast.ada))]


def set_day(monkeypatch: pytest.MonkeyPatch, days: int) -> None:
    monkeypatch.setattr(clock, "now", lambda: NOON + timedelta(days=days))


def test_words_are_counted_by_day(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    set_day(monkeypatch, 0)
    note("Moon  Rocks!", "moon rocks", "kief")
    note("moon rocks")
    set_day(monkeypatch, 1)
    note("moon rocks")
    first, second = date(2026, 11, 20), date(2026, 11, 21)
    assert stored(session) == [(first, "kief", 1), (first, "moon rocks", 3), (second, "moon rocks", 1)]


def test_words_are_shown_from_the_second_day_on(session: Session, cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    set_day(monkeypatch, 0)
    note("moon rocks", "moon rocks", "my secret")
    assert shown(cast) == []
    set_day(monkeypatch, 1)
    assert shown(cast) == []  # a day later, but still searched on one day only
    note("moon rocks")
    assert shown(cast) == [{"words": "moon rocks", "count": 3, "days": 2, "lastDay": "2026-11-21"}]


def test_words_that_have_a_synonym_now_are_not_shown(
    session: Session, cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    for day in (0, 1):
        set_day(monkeypatch, day)
        note("moon rocks")
    row = {"term": "Moon Rocks", "folded_term": "moon rocks", "replacement": "hash", "folded_replacement": "hash"}
    session.add(Synonym(**row))
    session.commit()
    assert shown(cast) == []


@pytest.mark.parametrize(
    "private",
    ["someone@example.org", "someone＠example", "503 555 0142", "12345", "4a1b1c1d1", "١٢٣٤٥", "x", "!!", "w" * 81, ""],
)
def test_searches_that_may_be_private_are_not_stored(session: Session, private: str) -> None:
    note(private)
    assert stored(session) == []


@pytest.mark.parametrize("strange", ["\x00kush", "k\ud800ush", "кекс", "🍃 kush", "x'; DROP TABLE users; --"])
def test_unusual_searches_are_counted(session: Session, strange: str) -> None:
    note(strange)
    assert len(stored(session)) == 1


def test_only_the_last_of_successive_searches_is_counted(session: Session) -> None:
    for typed in ("mo", "moon", "moon ro", "moon rocks"):
        search_log.record_miss(typed, "alice")
    search_log.record_miss("kief", "bob")
    search_log.forget_shorter_search("kief hash", "bob")
    search_log.forget_shorter_search("something else", "alice")
    assert search_log.take_settled() == {}  # they may be typing still
    save_counts()
    assert [words for _, words, _ in stored(session)] == ["moon rocks"]


def test_a_private_search_replaces_its_prefixes(session: Session) -> None:
    for typed in ("someone", "someone@", "someone@example"):
        search_log.record_miss(typed, "alice")
    save_counts()
    assert stored(session) == []


def test_a_flood_fills_neither_memory_nor_table(session: Session) -> None:
    for number in range(search_log.MAX_WAITING * 3):
        search_log.record_miss(f"flood {number:x}".translate(str.maketrans("0123456789", "ghijklmnop")), number)
    assert len(search_log._waiting) == search_log.MAX_WAITING
    save_counts()
    note("after the flood")
    assert len(stored(session)) == MAX_MISSES_A_DAY
    one = stored(session)[0][1]
    note(one)
    assert (len(stored(session)), stored(session)[0][2]) == (MAX_MISSES_A_DAY, 2)


def test_old_days_are_deleted(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    set_day(monkeypatch, 0)
    note("moon rocks")
    set_day(monkeypatch, SEARCH_MISS_DAYS)
    note("kief")
    assert [words for _, words, _ in stored(session)] == ["kief"]


@pytest.mark.parametrize("row", [("a@b", 1), ("", 1), ("w" * 81, 1), ("words", 0)])
def test_the_database_refuses_invalid_search_log_rows(session: Session, row: tuple[str, int]) -> None:
    with pytest.raises(DBAPIError):
        session.add(SearchMiss(day=NOON.date(), words=row[0], count=row[1]))
        session.flush()
