"""Full-text search with one interface: SQLite's FTS5 and PostgreSQL's tsvector give the same answers.

Words are folded here, in Python (case, accents, punctuation), so neither database needs an extension. A product
matches when every word of the query begins some word of its name, its kind (type, size, category, strain, brand,
effects, flavors, SKU) or its description. Two or three words of a name or a kind are also found written as one. A
`Lexicon` says what else a word may mean.
"""

import unicodedata
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from sqlalchemy import (
    BindParameter,
    ColumnElement,
    FromClause,
    Select,
    Text,
    bindparam,
    case,
    column,
    func,
    literal_column,
    select,
    table,
    text,
    true,
)
from sqlmodel import Session

from marketplace_app.adapters.lexicon import Lexicon, Reading, Word
from marketplace_app.adapters.spellings import forms_of_last_word, initials, joined_words, size_of
from marketplace_app.models import Product
from marketplace_app.models.base import table_of

SEARCH_TABLE = "product_search"
MAX_WORDS = 8
MAX_WORD_LENGTH = 40
WEIGHTS = {"name": "A", "kind": "B", "joined": "C", "body": "D"}
"""The parts of what a product is found by; `joined` are the words of its name written as one."""
_PARTS_OF = {"any": (), "name": ("name", "joined"), "kind": ("name", "joined", "kind")}
_EMPTY_LEXICON = Lexicon()
Values = Mapping[str, Any]
_NO_VALUES: Values = {}
_SQLITE_WORDS = text(
    f"SELECT {SEARCH_TABLE}.kind, {SEARCH_TABLE}.body FROM {SEARCH_TABLE}"
    f" JOIN products ON products.id = {SEARCH_TABLE}.rowid WHERE products.is_active"
)
_POSTGRESQL_WORDS = text(
    f"SELECT word, ndoc FROM ts_stat('SELECT document FROM {SEARCH_TABLE} JOIN products ON id = product_id"
    " WHERE is_active', :part)"
)

# Letters that Unicode does not decompose, and how people write them who do not have them on the keyboard.
_WHOLE_LETTERS = str.maketrans({"ø": "o", "æ": "ae", "œ": "oe", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i"})

_table = table_of(Product)
_products = _table.c
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
    """The folded words that were probably meant, if some word of the query seems to be a typo; else None."""
    words = lexicon.corrected(words_of(query))
    return " ".join(words) if words else None


class Match(NamedTuple):
    """How a statement finds products by words, which `parameters` turns into its values."""

    source: FromClause
    """The products, joined with those that are found; on SQLite nothing else may come first, or it reads them all."""
    condition: ColumnElement[bool]
    tier: ColumnElement[int]
    """How well a product matches, the best first: 0 the whole name; 1 the same but for spaces or a plural, or what it
    is a synonym for; 2 a name that begins with the words; 3 one that begins with the letters; 4 the same but for
    spaces; 5 all words in the name; 6 in name and kind; 7 in the description.
    """


@lru_cache(maxsize=2)
def match(dialect: str) -> Match:
    number = _products.id
    if dialect == "sqlite":
        found = ids(dialect).limit(literal_column("-1")).subquery("found")
        return Match(_table.join(found, found.c.id == number), true(), _tier(dialect))
    in_name, in_kind = _document_has("in_name"), _document_has("in_kind")
    return Match(_table.join(_fts, _fts.c.product_id == number), _document_has("in_any"), _make_tier(in_name, in_kind))


def parameters(dialect: str, query: str, lexicon: Lexicon = _EMPTY_LEXICON) -> dict[str, Any] | None:
    """Values for the statements made of `match` and `ids`. None when nothing in the query is a word."""
    words, asked = words_of(query), fold(query)
    if not words:
        return None
    expression = _sqlite_expression if dialect == "sqlite" else _postgresql_expression
    readings, abbreviated = lexicon.readings(words), lexicon.abbreviated(words)
    in_any, in_name, in_kind = (expression(readings, scope) for scope in ("any", "name", "kind"))
    if abbreviated:
        either, initials = (" OR " if dialect == "sqlite" else " | "), expression(abbreviated, "name")
        in_any, in_kind = f"{in_any}{either}{initials}", f"{in_kind}{either}{initials}"
    whole, begun = lexicon.vocabulary.names_of_letters(asked.replace(" ", ""))
    return {
        "in_any": in_any,
        "in_name": in_name,
        "in_kind": in_kind,
        "asked": asked,
        "same": [*whole, *forms_of_last_word(asked), *lexicon.equivalents(asked)],
        "words_begin": f"{asked} %",
        "letters_begin": f"{asked}%",
        "begun": begun,
    }


def ids(dialect: str, parameter: str = "in_any", values: Values = _NO_VALUES) -> Select[tuple[int]]:
    """The numbers of the products that are found, whether they are sold or not."""
    if dialect == "sqlite":
        has_words = literal_column(SEARCH_TABLE).op("MATCH")(_bound(parameter, values))
        return select(_fts.c.rowid.label("id")).where(has_words)
    return select(_fts.c.product_id.label("id")).where(_document_has(parameter, values))


def matching(dialect: str, query: str) -> tuple[ColumnElement[bool], ColumnElement[int]] | None:
    """The condition that every word matches, and the tier, for a statement with other conditions beside them."""
    values = parameters(dialect, query)
    if values is None:
        return None
    return _products.id.in_(ids(dialect, values=values)), _tier(dialect, values)


def _tier(dialect: str, values: Values = _NO_VALUES) -> ColumnElement[int]:
    in_name, in_kind = (_products.id.in_(ids(dialect, parameter, values)) for parameter in ("in_name", "in_kind"))
    return _make_tier(in_name, in_kind, values)


def _make_tier(
    in_name: ColumnElement[bool], in_kind: ColumnElement[bool], values: Values = _NO_VALUES
) -> ColumnElement[int]:
    name = _products.sort_name
    tiers = (
        (name == _bound("asked", values), 0),
        (name.in_(_bound("same", values, expanding=True)), 1),
        (name.like(_bound("words_begin", values)), 2),
        (name.like(_bound("letters_begin", values)), 3),
        (name.in_(_bound("begun", values, expanding=True)), 4),
        (in_name, 5),
        (in_kind, 6),
    )
    return case(*tiers, else_=7)


def _document_has(parameter: str, values: Values = _NO_VALUES) -> ColumnElement[bool]:
    return _fts.c.document.op("@@", is_comparison=True)(func.to_tsquery("simple", _bound(parameter, values)))


def _bound(parameter: str, values: Values, *, expanding: bool = False) -> BindParameter[Any]:
    """Without values a parameter takes them when the statement is executed."""
    if parameter in values:
        return bindparam(parameter, values[parameter], expanding=expanding)
    return bindparam(parameter, type_=Text, expanding=expanding)


def _expression(readings: Sequence[Reading], word: Callable[[Word], str], both: str, either: str) -> str:
    """Matches if, in some reading, every term is there in one of its alternatives, with all words of that."""

    def expression_of(reading: Reading) -> str:
        ways = ([both.join(map(word, way)) for way in term] for term in reading)
        return both.join(f"({either.join(f'({way})' for way in of_term)})" for of_term in ways)

    return either.join(f"({expression_of(reading)})" for reading in readings)


def _sqlite_expression(readings: Sequence[Reading], scope: str) -> str:
    columns = f"{{{' '.join(_PARTS_OF[scope])}}} : " if _PARTS_OF[scope] else ""

    def word(word: Word) -> str:
        return f'{columns}"{word.text}"{"" if word.is_whole else " *"}'

    return _expression(readings, word, " AND ", " OR ")


def _postgresql_expression(readings: Sequence[Reading], scope: str) -> str:
    weights = "".join(WEIGHTS[part] for part in _PARTS_OF[scope])

    def word(word: Word) -> str:
        *before, last = [f"'{each}':" for each in word.text.split()]
        words = [*(each + weights for each in before), f"{last}{'' if word.is_whole else '*'}{weights}"]
        return f"({' <-> '.join(each.rstrip(':') for each in words)})"

    return _expression(readings, word, " & ", " | ")


def read_words(session: Session) -> tuple[Counter[str], set[str]]:
    """The words of all active products: of their kinds, with how many products have each, and of their descriptions."""
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
    """The same for many at once: products, or objects with the same attributes, `id` included."""
    rows = [_row_of(product) for product in products]
    if session.get_bind().dialect.name == "sqlite":
        session.execute(text(f"DELETE FROM {SEARCH_TABLE} WHERE rowid = :id"), rows)
        session.execute(
            text(
                f"INSERT INTO {SEARCH_TABLE} (rowid, name, joined, kind, body)"
                " VALUES (:id, :name, :joined, :kind, :body)"
            ),
            rows,
        )
    else:
        document = " || ".join(
            f"setweight(to_tsvector('simple', :{part}), '{weight}')" for part, weight in WEIGHTS.items()
        )
        statement = text(
            f"INSERT INTO {SEARCH_TABLE} (product_id, document) VALUES (:id, {document})"
            " ON CONFLICT (product_id) DO UPDATE SET document = excluded.document"
        ).bindparams(*(bindparam(part, type_=Text) for part in WEIGHTS))
        session.execute(statement, rows)


def _row_of(product: Any) -> dict[str, Any]:
    name, body = fold(product.name), fold(product.description)
    return {"id": product.id, "name": name, "joined": joined_words([name]), "kind": _kind(product, name), "body": body}


def _kind(product: Any, name: str) -> str:
    type, _, _ = product.type.partition(" (")
    facts = [type, product.category, product.strain or "", product.brand, *product.effects, *product.flavors]
    phrases = [fold(phrase) for phrase in (*facts, product.sku)]
    size = "" if product.thc_mg else size_of(product.type, product.net_weight_grams)
    return " ".join([*phrases, fold(product.type), joined_words(phrases), size, initials(name)])
