"""Counts searches that found nothing, by day and words; who searched is never recorded.

A search only reads the database, so the words of one that found nothing wait in this process's memory until a
background task writes them, many at once. A new search by the same visitor replaces the one that is waiting: of 'w',
'we', 'wed' only the last is recorded, and no visitor can fill the table alone. Words are shown from the second day on
which they were searched, so that something typed in the wrong place once is never seen.
"""

from collections import Counter
from collections.abc import Hashable, Mapping
from datetime import date, timedelta
from threading import Lock
from time import monotonic
from unicodedata import normalize

from sqlalchemy import delete, func, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlmodel import Session, col

from marketplace_app import clock
from marketplace_app.adapters.search import fold
from marketplace_app.config import get_settings
from marketplace_app.limits import (
    MAX_LISTED_MISSES,
    MAX_MISSES_A_DAY,
    MAX_SEARCH,
    MIN_MISS_DAYS,
    SEARCH_MISS_DAYS,
)
from marketplace_app.models import Permission, SearchMiss, Synonym, User
from marketplace_app.schemas.products.products import ProductQuery
from marketplace_app.schemas.search.searches import MissView
from marketplace_app.services.accounts import require

MAX_WAITING = 500
"""Visitors whose last search waits to be written; searches of more visitors are not recorded."""
SETTLED_AFTER_SECONDS = 10.0
"""A visitor who has typed nothing for this long has finished typing."""
_waiting: dict[Hashable, tuple[str, float]] = {}
_lock = Lock()


def record(query: ProductQuery, total: int, visitor: Hashable) -> None:
    """Record a search if its `total` is 0; otherwise drop the visitor's shorter search that waits to be written.

    A search with filters says nothing about its words, and is ignored.
    """
    if query.is_unfiltered_search():
        record_unfiltered(query.search, total, visitor)


def record_unfiltered(text: str, total: int, visitor: Hashable) -> None:
    if total:
        forget_shorter_search(text, visitor)
    else:
        record_miss(text, visitor)


def record_miss(text: str, visitor: Hashable) -> None:
    """Keep a search that found nothing in memory until it is written. Any thread may call it; it does no I/O.

    `visitor` tells visitors apart until then, such as the session's token or the IP address. It is never written.
    """
    words = _recordable_words(text)
    with _lock:
        if not words:
            _waiting.pop(visitor, None)
        elif visitor in _waiting or len(_waiting) < MAX_WAITING:
            _waiting[visitor] = words, monotonic()


def forget_shorter_search(text: str, visitor: Hashable) -> None:
    """The visitor found something: drop a waiting text that is the beginning of this one. They were still typing."""
    with _lock:
        if visitor in _waiting and fold(text).startswith(_waiting[visitor][0]):
            del _waiting[visitor]


def take_settled(at: float | None = None) -> Mapping[str, int]:
    """The searches to be written, with their counts; who searched is forgotten. `at` is a time of `monotonic`."""
    latest = (monotonic() if at is None else at) - SETTLED_AFTER_SECONDS
    with _lock:
        settled = [visitor for visitor, (_, noted_at) in _waiting.items() if noted_at <= latest]
        return Counter(_waiting.pop(visitor)[0] for visitor in settled)


def save_counts(session: Session, counted: Mapping[str, int]) -> None:
    """Add to today's counts, and delete old days. A day has a limited number of words; further ones are dropped."""
    today = _today()
    session.execute(delete(SearchMiss).where(col(SearchMiss.day) <= today - timedelta(days=SEARCH_MISS_DAYS)))
    statement = select(col(SearchMiss.words)).where(col(SearchMiss.day) == today)
    known = set(session.execute(statement).scalars())
    capacity = MAX_MISSES_A_DAY - len(known)
    new = [words for words in counted if words not in known][: max(0, capacity)]
    for words in sorted([*new, *(words for words in counted if words in known)]):  # one order for all processes
        _add(session, today, words, counted[words])


def list_misses(session: Session, actor: User | None) -> tuple[MissView, ...]:
    """Words that found nothing on two days or more and have no synonym, the most searched first."""
    require(actor, Permission.SEE_PRODUCTS)
    total, days = func.sum(col(SearchMiss.count)), func.count()
    last = func.max(col(SearchMiss.day))
    statement = (
        select(col(SearchMiss.words), total, days, last)
        .where(col(SearchMiss.words).not_in(select(col(Synonym.folded_term))))
        .where(col(SearchMiss.day) > _today() - timedelta(days=SEARCH_MISS_DAYS))
        .group_by(col(SearchMiss.words))
        .having(days >= MIN_MISS_DAYS)
        .order_by(total.desc(), last.desc(), col(SearchMiss.words))
        .limit(MAX_LISTED_MISSES)
    )
    return tuple(
        MissView(words=words, count=count, days=n, last_day=day) for words, count, n, day in session.execute(statement)
    )


def _recordable_words(text: str) -> str:
    """The folded words; empty if the text may be an email or a phone number, or is too short or long."""
    plain = normalize("NFKC", text)
    if "@" in plain or sum(map(str.isnumeric, plain)) >= 5:
        return ""
    words = fold(text)
    return words if 2 <= len(words) <= MAX_SEARCH else ""


def _today() -> date:
    return clock.today(get_settings().timezone)


def _add(session: Session, day: date, words: str, count: int) -> None:
    insert = sqlite.insert if session.get_bind().dialect.name == "sqlite" else postgresql.insert
    added = insert(SearchMiss).values(day=day, words=words, count=count)
    session.execute(
        added.on_conflict_do_update(
            index_elements=["day", "words"], set_={"count": col(SearchMiss.count) + added.excluded.count}
        )
    )
