"""What the search box suggests while typing."""

from collections.abc import Iterable, Iterator

from sqlalchemy import select
from sqlmodel import Session, col

from marketplace_app.adapters.search import fold
from marketplace_app.adapters.spellings import other_forms
from marketplace_app.adapters.versioned_cache import VersionedCache
from marketplace_app.limits import SUGGESTED_NAMES, SUGGESTED_PRODUCTS
from marketplace_app.models import Product, User
from marketplace_app.schemas.products.products import ProductQuery
from marketplace_app.schemas.search.suggestions import SuggestedProductAnswer, SuggestionsAnswer
from marketplace_app.services.products import products
from marketplace_app.services.search.product_index import IS_ACTIVE

_BRANDS: VersionedCache[tuple[str, ...]] = VersionedCache(max_size=4)


def suggest(session: Session, actor: User | None, text: str) -> SuggestionsAnswer:
    """The best products for the typed text, and the categories and brands with a word that begins with it.

    Typos are corrected for all of them.
    """
    if not fold(text):
        return SuggestionsAnswer(corrected=None, products=(), categories=(), brands=())
    categories = (each.name for each in products.list_categories(session, actor) if each.is_active)
    found = products.list_products(session, actor, ProductQuery(search=text, limit=SUGGESTED_PRODUCTS))
    return SuggestionsAnswer(
        products=tuple(map(SuggestedProductAnswer.of, found.items)),
        categories=_beginning_with(found.corrected or text, categories),
        brands=_beginning_with(found.corrected or text, _brands(session, actor)),
        corrected=found.corrected,
    )


def _brands(session: Session, actor: User | None) -> tuple[str, ...]:
    def read() -> tuple[str, ...]:
        statement = select(col(Product.brand)).where(IS_ACTIVE, col(Product.brand) != "").distinct()
        return tuple(sorted(session.execute(statement).scalars()))

    return _BRANDS.get(str(session.get_bind().engine.url), products.version(session, actor), read)


def _beginning_with(text: str, names: Iterable[str]) -> tuple[str, ...]:
    """The names with the text at the start of a word. Spaces do not matter, nor whether the text ends in a plural.

    `preroll` and `pre roll` find `Pre-Rolls`, and `flowers` finds `THC Flower`.
    """
    words = fold(text).split()
    prefixes = tuple("".join([*words[:-1], last]) for last in (words[-1], *other_forms(words[-1])))
    found = [name for name in names if any(suffix.startswith(prefixes) for suffix in _suffixes(fold(name).split()))]
    return tuple(found[:SUGGESTED_NAMES])


def _suffixes(words: list[str]) -> Iterator[str]:
    """`thc flower` -> `thcflower`, `flower`."""
    return ("".join(words[at:]) for at in range(len(words)))
