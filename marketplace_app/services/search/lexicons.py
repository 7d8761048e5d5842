"""The current lexicon: the catalogue's words and synonyms, read once for each version of the words."""

from sqlalchemy import select
from sqlmodel import Session, col

from marketplace_app.adapters import search
from marketplace_app.adapters.lexicon import Lexicon
from marketplace_app.adapters.spellings import other_forms
from marketplace_app.adapters.versioned_cache import VersionedCache
from marketplace_app.adapters.vocabulary import Vocabulary
from marketplace_app.models import Product
from marketplace_app.services.records import counters
from marketplace_app.services.search import synonyms

_CURRENT: VersionedCache[Lexicon] = VersionedCache(max_size=4)
_NAMES = select(col(Product.sort_name)).where(col(Product.is_active).is_(True))


def current(session: Session) -> Lexicon:
    """For transactions that only read: cached until the version of the words changes."""
    database = str(session.get_bind().engine.url)
    return _CURRENT.get(database, counters.read(session, counters.SEARCH_WORDS), lambda: _read(session))


def _read(session: Session) -> Lexicon:
    replacements = synonyms.current(session)
    kind_words, description_words = search.read_words(session)
    # A word that has a synonym is a known word, so it is not corrected.
    terms = [term for term in replacements if " " not in term]
    kind_words.update(terms + [form for term in terms for form in other_forms(term)])
    return Lexicon(replacements, Vocabulary(session.execute(_NAMES).scalars(), kind_words, description_words))
