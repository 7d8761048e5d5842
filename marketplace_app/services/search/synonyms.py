"""Synonyms in searches. Staff edit them; triggers in the database then raise the versions that searches depend on."""

from collections import defaultdict, deque
from collections.abc import Iterable, Mapping
from types import MappingProxyType

from sqlalchemy import func, select
from sqlmodel import Session, col

from marketplace_app import clock
from marketplace_app.adapters import live
from marketplace_app.adapters.search import fold
from marketplace_app.adapters.versioned_cache import VersionedCache
from marketplace_app.errors import Conflict, InvalidInput, NotFound
from marketplace_app.limits import MAX_REPLACEMENTS, MAX_SYNONYM_LENGTH, MAX_SYNONYM_WORDS, MAX_SYNONYMS
from marketplace_app.messages import SYNONYM_NOT_FOUND
from marketplace_app.models import Permission, Synonym, User
from marketplace_app.schemas.search.searches import SynonymForm, SynonymView
from marketplace_app.services.accounts import require
from marketplace_app.services.records import announcements, audit_log, counters

Replacements = Mapping[str, tuple[str, ...]]
_CURRENT: VersionedCache[Replacements] = VersionedCache(max_size=1)
_PAIRS = select(col(Synonym.folded_term), col(Synonym.folded_replacement)).order_by(col(Synonym.id))


class TooManySynonyms(Conflict):
    code = "too_many_synonyms"
    message = f"There can be at most {MAX_SYNONYMS} synonyms. Please remove one first."


class SynonymChanged(Conflict):
    code = "synonym_changed"
    message = "Someone else has changed this synonym. Please check it and try again."


def current(session: Session) -> Replacements:
    """By folded term, its folded replacements, direct ones first, at most MAX_REPLACEMENTS, never the term itself.

    Terms and replacements may have several words. The replacements of replacements are included, so a search need only
    look up its own words. For transactions that only read: cached until the version of the words changes.
    """
    return _CURRENT.get("synonyms", counters.read(session, counters.SEARCH_WORDS), lambda: _read(session))


def list_all(session: Session, actor: User | None) -> tuple[SynonymView, ...]:
    """By term."""
    require(actor, Permission.SEE_PRODUCTS)
    rows = select(Synonym).order_by(col(Synonym.folded_term), col(Synonym.folded_replacement))
    return tuple(_view(row) for row in session.execute(rows).scalars())


def add(session: Session, actor: User | None, form: SynonymForm) -> SynonymView:
    """Raises InvalidInput for a duplicate or a loop, and TooManySynonyms."""
    staff = require(actor, Permission.EDIT_PRODUCTS)
    counters.lock(session, counters.CATALOGUE)
    if session.execute(select(func.count()).select_from(Synonym)).scalar_one() >= MAX_SYNONYMS:
        raise TooManySynonyms()
    row = _filled_in(Synonym(term="", replacement="", folded_term="", folded_replacement=""), form)
    _require_valid(session, row)
    session.add(row)
    session.flush()
    audit_log.append(session, staff, "synonym.added", f"synonym:{row.id}", synonym=_words(row))
    announcements.publish(session, live.STAFF)
    return _view(row)


def change(
    session: Session,
    actor: User | None,
    synonym_id: int,
    form: SynonymForm,
    *,
    seen: tuple[str, str] | None = None,
) -> SynonymView:
    """The same words change nothing. `seen` are the term and replacement that a form was filled with.

    Raises NotFound, InvalidInput, and SynonymChanged if somebody else has changed it since.
    """
    staff = require(actor, Permission.EDIT_PRODUCTS)
    row = _lock(session, synonym_id)
    if seen not in (None, (row.term, row.replacement)):
        raise SynonymChanged()
    if (row.term, row.replacement) == (form.term, form.replacement):
        return _view(row)
    before = _words(row)
    with session.no_autoflush:
        _require_valid(session, _filled_in(row, form))
    session.add(row)
    session.flush()
    details = {"from": before, "to": _words(row)}
    audit_log.append(session, staff, "synonym.changed", f"synonym:{row.id}", **details)
    announcements.publish(session, live.STAFF)
    return _view(row)


def remove(session: Session, actor: User | None, synonym_id: int) -> SynonymView:
    """Returns what was removed, so that it can be added again. Raises NotFound."""
    staff = require(actor, Permission.EDIT_PRODUCTS)
    row = _lock(session, synonym_id)
    session.delete(row)
    session.flush()
    audit_log.append(session, staff, "synonym.removed", f"synonym:{row.id}", synonym=_words(row))
    announcements.publish(session, live.STAFF)
    return _view(row)


def _lock(session: Session, synonym_id: int) -> Synonym:
    """The row, with all synonyms locked until the transaction ends."""
    counters.lock(session, counters.CATALOGUE)
    row = session.get(Synonym, synonym_id, populate_existing=True)
    if row is None:
        raise NotFound(SYNONYM_NOT_FOUND)
    return row


def _filled_in(row: Synonym, form: SynonymForm) -> Synonym:
    row.term, row.replacement, row.updated_at = form.term, form.replacement, clock.now()
    row.folded_term, row.folded_replacement = _folded("term", form.term), _folded("replacement", form.replacement)
    return row


def _folded(field: str, text: str) -> str:
    words = fold(text)
    if not words:
        raise InvalidInput({field: "Use at least one letter or digit."})
    if len(words.split()) > MAX_SYNONYM_WORDS or len(words) > MAX_SYNONYM_LENGTH:
        raise InvalidInput({field: f"Use at most {MAX_SYNONYM_WORDS} words."})
    return words


def _require_valid(session: Session, row: Synonym) -> None:
    """Raises InvalidInput for a duplicate, a loop, or a term that replaces itself."""
    term, replacement = row.folded_term, row.folded_replacement
    if term == replacement:
        raise InvalidInput({"replacement": "This is the same word as the term."})
    others = select(col(Synonym.folded_term), col(Synonym.folded_replacement)).where(col(Synonym.id) != (row.id or 0))
    pairs = [(one, other) for one, other in session.execute(others)]
    if (term, replacement) in pairs:
        raise InvalidInput({"replacement": f"'{row.term}' already stands for '{row.replacement}'."})
    if path := _path(pairs, replacement, term):
        raise InvalidInput({"replacement": f"These synonyms would form a loop: {' → '.join((term, *path))}."})


def _path(pairs: Iterable[tuple[str, str]], start: str, goal: str) -> tuple[str, ...]:
    """The terms from `start` to `goal`, both included; empty if there is no path."""
    paths: dict[str, tuple[str, ...]] = {start: (start,)}
    queue = deque([start])
    replacements = _grouped(pairs)
    while queue:
        here = queue.popleft()
        if here == goal:
            return paths[here]
        for word in replacements.get(here, ()):
            if word not in paths:
                paths[word] = (*paths[here], word)
                queue.append(word)
    return ()


def _read(session: Session) -> Replacements:
    direct = _grouped((term, replacement) for term, replacement in session.execute(_PAIRS))
    return MappingProxyType({term: _reached(direct, term) for term in direct})


def _grouped(pairs: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    grouped: defaultdict[str, list[str]] = defaultdict(list)
    for term, replacement in pairs:
        grouped[term].append(replacement)
    return dict(grouped)


def _reached(direct: Mapping[str, list[str]], term: str) -> tuple[str, ...]:
    """Breadth first, so that direct replacements come before indirect ones."""
    found, queue = {term: None}, deque([term])  # keys in the order in which they were found; the values are not used
    while queue and len(found) <= MAX_REPLACEMENTS:
        new = [word for word in direct.get(queue.popleft(), ()) if word not in found]
        found |= dict.fromkeys(new)
        queue.extend(new)
    return tuple(found)[1 : MAX_REPLACEMENTS + 1]


def _words(row: Synonym) -> str:
    return f"{row.term} → {row.replacement}"


def _view(row: Synonym) -> SynonymView:
    return SynonymView.of(row)
