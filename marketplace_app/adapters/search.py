"""Full-text search behind one door: SQLite's FTS5 and PostgreSQL's tsvector give the same answers.

Words are folded here, in Python (case, accents, punctuation), so neither database needs an extension. A product
matches when every word of the query begins some word of its name, its kind (type, category, brand, flavors) or its
description.
"""

import unicodedata
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from sqlalchemy import ColumnElement, Select, Text, bindparam, case, column, func, literal_column, select, table, text
from sqlmodel import Session, col

from marketplace_app.models import Product

SEARCH_TABLE = "product_search"
MAX_WORDS = 8
MAX_WORD_LENGTH = 40
MAX_TERM_WORDS = 5
"""Of a word or some in a row that stand for others."""

Term = list[list[str]]
"""Ways to say one thing, each of one word or several."""

# Letters of their own that people without them on the keyboard spell so; Unicode takes none of them apart.
_WHOLE_LETTERS = str.maketrans({"ø": "o", "æ": "ae", "œ": "oe", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i"})

_fts = table(SEARCH_TABLE, column("rowid"), column("product_id"), column("document"))


def is_search_table(name: str) -> bool:
    return name == SEARCH_TABLE or name.startswith(SEARCH_TABLE + "_")


def fold(words: str) -> str:
    """`Crème Brûlée!` -> `creme brulee`: lower case, without accents, letters and digits only."""
    bare = "".join(c for c in unicodedata.normalize("NFKD", words) if not unicodedata.combining(c))
    return " ".join("".join(c if c.isalnum() else " " for c in bare.casefold().translate(_WHOLE_LETTERS)).split())


def words_of(query: str) -> list[str]:
    return [word[:MAX_WORD_LENGTH] for word in fold(query).split()[:MAX_WORDS]]


def matching(
    dialect: str, query: str, synonyms: Mapping[str, tuple[str, ...]] = MappingProxyType({})
) -> tuple[ColumnElement[bool], ColumnElement[int]] | None:
    """The condition that every word matches, and the tier of the match; None when nothing in the query is a word.

    A word, or some in a row, also match what they stand for. Tiers: 0 the whole name, 1 a name that begins with the
    query, 2 all words in the name, 3 in name and kind, 4 in the description.
    """
    words, asked = _terms(words_of(query), synonyms), fold(query)
    if not words:
        return None
    ids = _sqlite_ids if dialect == "sqlite" else _postgresql_ids
    in_any, in_name, in_kind = (Product.id.in_(ids(words, scope)) for scope in ("any", "name", "kind"))  # type: ignore[union-attr]
    name = col(Product.sort_name)
    return in_any, case((name == asked, 0), (name.startswith(asked), 1), (in_name, 2), (in_kind, 3), else_=4)


def _terms(words: list[str], synonyms: Mapping[str, tuple[str, ...]]) -> list[Term]:
    """The query's words; those that stand for others, the longest runs first, with what they stand for."""
    terms: list[Term] = []
    at = 0
    while at < len(words):
        runs = (length for length in range(min(MAX_TERM_WORDS, len(words) - at), 1, -1))
        length = next((each for each in runs if " ".join(words[at : at + each]) in synonyms), 1)
        run = words[at : at + length]
        terms.append([run, *(replacement.split() for replacement in synonyms.get(" ".join(run), ()))])
        at += length
    return terms


def _expression(terms: list[Term], word: Callable[[str], str], both: str, either: str) -> str:
    """Every term, in one of its ways, with all words of that way."""
    ways = ([both.join(map(word, way)) for way in term] for term in terms)
    return both.join(f"({either.join(f'({way})' for way in of_term)})" for of_term in ways)


def _sqlite_ids(terms: list[Term], scope: str) -> Select[tuple[int]]:
    columns = {"any": "", "name": "{name} : ", "kind": "{name kind} : "}[scope]
    query = _expression(terms, lambda word: f'{columns}"{word}"*', " AND ", " OR ")
    return select(_fts.c.rowid).where(literal_column(SEARCH_TABLE).op("MATCH")(query))


def _postgresql_ids(terms: list[Term], scope: str) -> Select[tuple[int]]:
    weights = {"any": "", "name": "A", "kind": "AB"}[scope]
    query = _expression(terms, lambda word: f"'{word}':*{weights}", " & ", " | ")
    return select(_fts.c.product_id).where(_fts.c.document.op("@@")(func.to_tsquery("simple", query)))


def index(session: Session, product: Product) -> None:
    """Write what a product is found by. Called whenever one is created or changed."""
    session.flush()
    index_many(session, [product])


def index_many(session: Session, products: Sequence[Any]) -> None:
    """The same for many at once: products, or anything with their columns. Each has its number."""
    lines = [_line(product) for product in products]
    if session.get_bind().dialect.name == "sqlite":
        session.execute(text(f"DELETE FROM {SEARCH_TABLE} WHERE rowid = :id"), lines)
        session.execute(
            text(f"INSERT INTO {SEARCH_TABLE} (rowid, name, kind, body) VALUES (:id, :name, :kind, :body)"), lines
        )
    else:
        document = " || ".join(
            f"setweight(to_tsvector('simple', :{part}), '{weight}')"
            for part, weight in (("name", "A"), ("kind", "B"), ("body", "D"))
        )
        statement = text(
            f"INSERT INTO {SEARCH_TABLE} (product_id, document) VALUES (:id, {document})"
            " ON CONFLICT (product_id) DO UPDATE SET document = excluded.document"
        ).bindparams(*(bindparam(part, type_=Text) for part in ("name", "kind", "body")))
        session.execute(statement, lines)


def _line(product: Any) -> dict[str, Any]:
    kind = " ".join([product.type, product.category, product.strain or "", product.brand, *product.flavors])
    return {"id": product.id, "name": fold(product.name), "kind": fold(kind), "body": fold(product.description)}
