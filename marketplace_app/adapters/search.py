"""Full-text search with one interface: SQLite's FTS5 and PostgreSQL's tsvector give the same answers.

Words are folded here, in Python (case, accents, punctuation), so neither database needs an extension. A product
matches when every word of the query is the beginning of a word of its name, its kind (type, size, category, strain,
brand, effects, flavors, SKU, initials of the name) or its description. Words that are adjacent in a name or in one of
these facts also match when they are typed without a space between them: any two or three, or all of them. A `Lexicon`
says what else a word may mean.
"""

import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import orjson
from sqlalchemy import (
    BindParameter,
    ColumnElement,
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
)
from sqlmodel import Session

from marketplace_app.adapters.lexicon import Interpretation, Lexicon, Word
from marketplace_app.adapters.spellings import forms_of_last_word, initials, joined_words, size_of
from marketplace_app.models import Product
from marketplace_app.models.base import table_of

SEARCH_TABLE = "product_search"
MAX_WORDS = 8
MAX_WORD_LENGTH = 40
WEIGHTS = {"name": "A", "kind": "B", "joined": "C", "body": "D"}
"""The indexed parts of a product and their weights in PostgreSQL. `joined`: adjacent words of its name, as one word."""
_PARTS_OF_SCOPE = {"any": (), "name": ("name", "joined"), "kind": ("name", "joined", "kind")}
"""By scope, the parts that are searched. An empty tuple stands for all of them."""
_EMPTY_LEXICON = Lexicon()
_SQLITE_WORDS = text(
    f"SELECT {SEARCH_TABLE}.kind, {SEARCH_TABLE}.body FROM {SEARCH_TABLE}"
    f" JOIN products ON products.id = {SEARCH_TABLE}.rowid WHERE products.is_active"
)
_POSTGRESQL_WORDS = text(
    f"SELECT word, ndoc FROM ts_stat('SELECT document FROM {SEARCH_TABLE} JOIN products ON id = product_id"
    " WHERE is_active', :part)"
)

# Letters that Unicode does not decompose, with what people type instead of them.
_WHOLE_LETTERS = str.maketrans({"ø": "o", "æ": "ae", "œ": "oe", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i"})

_products = table_of(Product).c
# `rowid` on SQLite; `product_id` and `document` on PostgreSQL.
_search = table(SEARCH_TABLE, column("rowid"), column("product_id"), column("document"))


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


class ParsedSearch(NamedTuple):
    """The full-text expressions for a query, and the folded names that it may stand for."""

    in_any: str
    """Finds products with all words anywhere."""
    in_name: str
    """Finds products with all words in the name."""
    in_kind: str
    """Finds products with all words in the name or the kind."""
    folded: str
    equal_names: list[str]
    """Names that differ from the query in spaces or a plural only, or for which it is a synonym."""
    longer_names: list[str]
    """Names that begin with the query once spaces are removed from both."""


def parse_search(dialect: str, query: str, lexicon: Lexicon = _EMPTY_LEXICON) -> ParsedSearch | None:
    """None when nothing in the query is a word."""
    words, folded = words_of(query), fold(query)
    if not words:
        return None
    expression = _sqlite_expression if dialect == "sqlite" else _postgresql_expression
    interpretations, as_initials = lexicon.interpretations(words), lexicon.as_initials(words)
    in_any, in_name, in_kind = (expression(interpretations, scope) for scope in ("any", "name", "kind"))
    if as_initials:
        either, has_initials = (" OR " if dialect == "sqlite" else " | "), expression(as_initials, "name")
        in_any, in_kind = f"{in_any}{either}{has_initials}", f"{in_kind}{either}{has_initials}"
    whole_names, longer_names = lexicon.vocabulary.names_by_letters(folded.replace(" ", ""))
    equal_names = [*whole_names, *forms_of_last_word(folded), *lexicon.equivalents(folded)]
    return ParsedSearch(in_any, in_name, in_kind, folded, equal_names, longer_names)


def find_ids(session: Session, expression: str) -> list[int]:
    """The ids of all products with these words, archived ones included.

    The database returns them as one JSON text: reading thousands of rows would take five times as long.
    """
    listed: str = session.execute(
        _ids_as_json(session.get_bind().dialect.name), {"expression": expression}
    ).scalar_one()
    ids: list[int] = orjson.loads(listed)
    return ids


@lru_cache(maxsize=2)
def _ids_as_json(dialect: str) -> Select[tuple[str]]:
    ids = _ids(dialect, bindparam("expression", type_=Text)).subquery()
    if dialect == "sqlite":
        return select(func.json_group_array(ids.c.id))
    return select(func.array_to_json(func.array(select(ids.c.id).scalar_subquery())).cast(Text))


def _ids(dialect: str, expression: BindParameter[str]) -> Select[tuple[int]]:
    if dialect == "sqlite":
        return select(_search.c.rowid.label("id")).where(literal_column(SEARCH_TABLE).op("MATCH")(expression))
    has_words = _search.c.document.op("@@", is_comparison=True)(func.to_tsquery("simple", expression))
    return select(_search.c.product_id.label("id")).where(has_words)


def matching(
    dialect: str, query: str, lexicon: Lexicon = _EMPTY_LEXICON
) -> tuple[ColumnElement[bool], ColumnElement[int]] | None:
    """The condition that every word matches, and the tier of a match, to be used in a larger statement.

    Tiers rank the matches, best first:

    0. the query is the name;
    1. it is the name except for spaces or a plural, or a synonym of the name;
    2. the name begins with the query;
    3. the same, with the last word unfinished;
    4. the name begins with the query except for spaces;
    5. all words are in the name;
    6. all words are in the name or the kind;
    7. some word is only in the description.
    """
    parsed = parse_search(dialect, query, lexicon)
    if parsed is None:
        return None
    expressions = (bindparam(None, each, type_=Text) for each in (parsed.in_any, parsed.in_name, parsed.in_kind))
    in_any, in_name, in_kind = (_products.id.in_(_ids(dialect, each)) for each in expressions)
    name = _products.sort_name
    tiers = (
        (name == parsed.folded, 0),
        (name.in_(parsed.equal_names), 1),
        (name.like(f"{parsed.folded} %"), 2),
        (name.like(f"{parsed.folded}%"), 3),
        (name.in_(parsed.longer_names), 4),
        (in_name, 5),
        (in_kind, 6),
    )
    return in_any, case(*tiers, else_=7)


def _expression(
    interpretations: Sequence[Interpretation], expression_of_word: Callable[[Word], str], and_: str, or_: str
) -> str:
    """An OR of interpretations, each an AND of terms, each an OR of alternatives, each an AND of words."""

    def expression_of(interpretation: Interpretation) -> str:
        terms = ([and_.join(map(expression_of_word, alternative)) for alternative in term] for term in interpretation)
        return and_.join(f"({or_.join(f'({each})' for each in alternatives)})" for alternatives in terms)

    return or_.join(f"({expression_of(each)})" for each in interpretations)


def _sqlite_expression(interpretations: Sequence[Interpretation], scope: str) -> str:
    columns = f"{{{' '.join(_PARTS_OF_SCOPE[scope])}}} : " if _PARTS_OF_SCOPE[scope] else ""

    def expression_of_word(word: Word) -> str:
        return f'{columns}"{word.text}"{"" if word.is_whole else " *"}'

    return _expression(interpretations, expression_of_word, " AND ", " OR ")


def _postgresql_expression(interpretations: Sequence[Interpretation], scope: str) -> str:
    weights = "".join(WEIGHTS[part] for part in _PARTS_OF_SCOPE[scope])

    def expression_of_word(word: Word) -> str:
        # `'thin':A <-> 'mint':*A`. A word without a `*` or weights has no colon.
        *before, last = [f"'{each}':" for each in word.text.split()]
        words = [*(each + weights for each in before), f"{last}{'' if word.is_whole else '*'}{weights}"]
        return f"({' <-> '.join(each.rstrip(':') for each in words)})"

    return _expression(interpretations, expression_of_word, " & ", " | ")


def read_words(session: Session) -> tuple[Counter[str], set[str]]:
    """All words of active products: those of their kinds, counted by product, and those of their descriptions."""
    if session.get_bind().dialect.name == "sqlite":
        rows = session.execute(_SQLITE_WORDS).all()
        kinds = Counter(word for kind, _ in rows for word in {*kind.split()})
        return kinds, set(" ".join(body for _, body in rows).split())
    kinds = Counter({row.word: row.ndoc for row in session.execute(_POSTGRESQL_WORDS, {"part": WEIGHTS["kind"]})})
    return kinds, {row.word for row in session.execute(_POSTGRESQL_WORDS, {"part": WEIGHTS["body"]})}


def index(session: Session, product: Product) -> None:
    """Update a product in the search index. Called whenever one is created or changed."""
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
