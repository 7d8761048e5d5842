"""Full-text search behind one door: SQLite's FTS5 and PostgreSQL's tsvector give the same answers.

Words are folded here, in Python (case, accents, punctuation), so neither database needs an extension. A product
matches when every word of the query begins some word of its name, its kind (type, size, category, strain, brand,
effects, flavors, SKU) or its description. Two or three words of a name or a kind are also found written as one. What
else a word is taken for is up to a `Lexicon`.
"""

import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Select,
    Text,
    bindparam,
    case,
    column,
    func,
    literal_column,
    or_,
    select,
    table,
    text,
)
from sqlmodel import Session, col

from marketplace_app.adapters.lexicon import Lexicon, Reading, Word
from marketplace_app.adapters.words import initials, joined_words, size_of
from marketplace_app.models import Product

SEARCH_TABLE = "product_search"
MAX_WORDS = 8
MAX_WORD_LENGTH = 40
WEIGHTS = {"name": "A", "kind": "B", "joined": "C", "body": "D"}
"""The parts of what a product is found by; `joined` are the words of its name written as one."""
_PARTS_OF = {"any": (), "name": ("name", "joined"), "kind": ("name", "joined", "kind")}
_WORDS_ALONE = Lexicon()
_SQLITE_WORDS = text(
    f"SELECT {SEARCH_TABLE}.kind, {SEARCH_TABLE}.body FROM {SEARCH_TABLE}"
    f" JOIN products ON products.id = {SEARCH_TABLE}.rowid WHERE products.is_active"
)
_POSTGRESQL_WORDS = text(
    f"SELECT word, ndoc FROM ts_stat('SELECT document FROM {SEARCH_TABLE} JOIN products ON id = product_id"
    " WHERE is_active', :part)"
)

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


def corrected(query: str, lexicon: Lexicon) -> str | None:
    """The folded words that were probably meant, when some word of the query is a slip for another; else None."""
    words = lexicon.corrected(words_of(query))
    return " ".join(words) if words else None


def matching(
    dialect: str, query: str, lexicon: Lexicon = _WORDS_ALONE
) -> tuple[ColumnElement[bool], ColumnElement[int]] | None:
    """The condition that every word matches, and the tier of the match; None when nothing in the query is a word.

    Tiers: 0 the whole name; 1 the same but for spaces, or what it is a synonym for; 2 a name that begins with the
    words; 3 one that begins with the letters; 4 the same but for spaces; 5 all words in the name; 6 in name and kind;
    7 in the description.
    """
    words, asked = words_of(query), fold(query)
    if not words:
        return None
    readings = lexicon.readings(words)

    def found(readings: Sequence[Reading], scope: str) -> ColumnElement[bool]:
        ids = _sqlite_ids if dialect == "sqlite" else _postgresql_ids
        return col(Product.id).in_(ids(readings, scope))

    in_any, in_name, in_kind = (found(readings, scope) for scope in ("any", "name", "kind"))
    if abbreviated := lexicon.abbreviated(words):
        has_initials = found(abbreviated, "name")
        in_any, in_kind = or_(in_any, has_initials), or_(in_kind, has_initials)
    name = col(Product.sort_name)
    whole, begun = lexicon.vocabulary.names_of_letters(asked.replace(" ", ""))
    tiers = (
        (name == asked, 0),
        (name.in_([*whole, *lexicon.stands_for(asked)]), 1),
        (name.startswith(asked + " "), 2),
        (name.startswith(asked), 3),
        (name.in_(begun), 4),
        (in_name, 5),
        (in_kind, 6),
    )
    return in_any, case(*tiers, else_=7)


def _expression(readings: Sequence[Reading], word: Callable[[Word], str], both: str, either: str) -> str:
    """Some reading with every term, in one of its ways, with all words of that way."""

    def said(reading: Reading) -> str:
        ways = ([both.join(map(word, way)) for way in term] for term in reading)
        return both.join(f"({either.join(f'({way})' for way in of_term)})" for of_term in ways)

    return either.join(f"({said(reading)})" for reading in readings)


def _sqlite_ids(readings: Sequence[Reading], scope: str) -> Select[tuple[int]]:
    columns = f"{{{' '.join(_PARTS_OF[scope])}}} : " if _PARTS_OF[scope] else ""

    def word(word: Word) -> str:
        return f'{columns}"{word.text}"{"" if word.is_whole else " *"}'

    query = _expression(readings, word, " AND ", " OR ")
    return select(_fts.c.rowid).where(literal_column(SEARCH_TABLE).op("MATCH")(query))


def _postgresql_ids(readings: Sequence[Reading], scope: str) -> Select[tuple[int]]:
    weights = "".join(WEIGHTS[part] for part in _PARTS_OF[scope])

    def word(word: Word) -> str:
        *before, last = [f"'{each}':" for each in word.text.split()]
        words = [*(each + weights for each in before), f"{last}{'' if word.is_whole else '*'}{weights}"]
        return f"({' <-> '.join(each.rstrip(':') for each in words)})"

    query = _expression(readings, word, " & ", " | ")
    return select(_fts.c.product_id).where(_fts.c.document.op("@@")(func.to_tsquery("simple", query)))


def read_words(session: Session) -> tuple[Counter[str], set[str]]:
    """Of all products that are sold: the words of their kinds, with how many have each, and of their descriptions."""
    if session.get_bind().dialect.name == "sqlite":
        rows = session.execute(_SQLITE_WORDS).all()
        kinds = Counter(word for kind, _ in rows for word in {*kind.split()})
        return kinds, set(" ".join(body for _, body in rows).split())
    kinds = Counter({row.word: row.ndoc for row in session.execute(_POSTGRESQL_WORDS, {"part": WEIGHTS["kind"]})})
    return kinds, {row.word for row in session.execute(_POSTGRESQL_WORDS, {"part": WEIGHTS["body"]})}


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
            text(
                f"INSERT INTO {SEARCH_TABLE} (rowid, name, joined, kind, body)"
                " VALUES (:id, :name, :joined, :kind, :body)"
            ),
            lines,
        )
    else:
        document = " || ".join(
            f"setweight(to_tsvector('simple', :{part}), '{weight}')" for part, weight in WEIGHTS.items()
        )
        statement = text(
            f"INSERT INTO {SEARCH_TABLE} (product_id, document) VALUES (:id, {document})"
            " ON CONFLICT (product_id) DO UPDATE SET document = excluded.document"
        ).bindparams(*(bindparam(part, type_=Text) for part in WEIGHTS))
        session.execute(statement, lines)


def _line(product: Any) -> dict[str, Any]:
    name, body = fold(product.name), fold(product.description)
    return {"id": product.id, "name": name, "joined": joined_words([name]), "kind": _kind(product, name), "body": body}


def _kind(product: Any, name: str) -> str:
    type, _, _ = product.type.partition(" (")
    facts = [type, product.category, product.strain or "", product.brand, *product.effects, *product.flavors]
    phrases = [fold(phrase) for phrase in (*facts, product.sku)]
    size = "" if product.thc_mg else size_of(product.type, product.net_weight_grams)
    return " ".join([*phrases, fold(product.type), joined_words(phrases), size, initials(name)])
