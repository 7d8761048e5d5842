"""Products are searched by effects, SKU and size too, and by joined words of their names and kinds.

The index is made in Python (`adapters.search`); existing products are indexed again here, in the same way.
"""

import json
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import sqlalchemy as sa

from alembic import op

revision = "0018"
down_revision = "0017"

# Letters that Unicode does not decompose, as people without these keys write them.
WHOLE_LETTERS = str.maketrans({"ø": "o", "æ": "ae", "œ": "oe", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i"})
WEIGHT_IN_TYPE = re.compile(r"\((\d+(?:\.\d+)?)g\)")
SIZES = {3.5: "eighth", 7.0: "quarter", 14.0: "half oz", 28.0: "full oz ounce"}
BATCH_SIZE = 500
WEIGHTS = {"name": "A", "kind": "B", "joined": "C", "body": "D"}
PRODUCTS = sa.text(
    "SELECT id, sku, name, description, category, type, strain, brand, net_weight_grams, thc_mg, effects, flavors"
    f" FROM products WHERE id > :after ORDER BY id LIMIT {BATCH_SIZE}"
)


def upgrade() -> None:
    _rebuild(("name", "kind", "joined", "body"), _line)


def downgrade() -> None:
    _rebuild(("name", "kind", "body"), _line_before)


def _rebuild(parts: tuple[str, ...], line_of: Callable[[Any], dict[str, Any]]) -> None:
    database = op.get_bind()
    columns, values = ", ".join(parts), ", ".join(f":{part}" for part in parts)
    if database.dialect.name == "sqlite":
        op.execute("DROP TABLE product_search")
        op.execute(f"CREATE VIRTUAL TABLE product_search USING fts5({columns}, tokenize = 'unicode61', prefix = '2 3')")
        insert = sa.text(f"INSERT INTO product_search (rowid, {columns}) VALUES (:id, {values})")
    else:
        op.execute("DELETE FROM product_search")
        document = " || ".join(f"setweight(to_tsvector('simple', :{part}), '{WEIGHTS[part]}')" for part in parts)
        insert = sa.text(f"INSERT INTO product_search (product_id, document) VALUES (:id, {document})").bindparams(
            *(sa.bindparam(part, type_=sa.Text) for part in parts)
        )
    for rows in _batches(database):
        database.execute(insert, [{"id": row.id} | line_of(row) for row in rows])


def _batches(database: sa.Connection) -> Iterator[list[sa.Row[Any]]]:
    after = 0
    while rows := list(database.execute(PRODUCTS, {"after": after})):
        yield rows
        after = rows[-1].id


def _line(row: sa.Row[Any]) -> dict[str, Any]:
    name, plain_type = _fold(row.name), row.type.partition(" (")[0]
    facts = [plain_type, row.category, row.strain or "", row.brand, *_list(row.effects), *_list(row.flavors), row.sku]
    phrases = [_fold(fact) for fact in facts]
    kind = [*phrases, _fold(row.type), _joined(phrases), _size(row), _initials(name)]
    return {"name": name, "joined": _joined([name]), "kind": " ".join(kind), "body": _fold(row.description)}


def _line_before(row: sa.Row[Any]) -> dict[str, Any]:
    kind = " ".join([row.type, row.category, row.strain or "", row.brand, *_list(row.flavors)])
    return {"name": _fold(row.name), "kind": _fold(kind), "body": _fold(row.description)}


def _list(value: Any) -> list[str]:
    return list(json.loads(value) if isinstance(value, str) else value)


def _joined(phrases: Iterable[str]) -> str:
    """Two or three words in a row, and whole phrases, written as one word. None begins with the possessive `s` of
    `jack s dream`, unless the phrase itself does."""
    found: dict[str, None] = {}
    for phrase in phrases:
        words = phrase.split()
        for length in sorted({2, 3, len(words)} - {0, 1}):
            starts = [at for at in range(len(words) - length + 1) if at == 0 or words[at] != "s"]
            found |= dict.fromkeys("".join(words[at : at + length]) for at in starts)
    return " ".join(found)


def _initials(name: str) -> str:
    words = name.split()
    return "".join(word[0] for word in words) if 3 <= len(words) <= 5 else ""


def _size(row: sa.Row[Any]) -> str:
    if row.thc_mg:
        return ""
    named = WEIGHT_IN_TYPE.search(row.type)
    weight = float(named[1]) if named and not row.net_weight_grams else row.net_weight_grams
    return SIZES.get(weight, "") if weight else ""


def _fold(words: str) -> str:
    bare = "".join(c for c in unicodedata.normalize("NFKD", words) if not unicodedata.combining(c))
    return " ".join("".join(c if c.isalnum() else " " for c in bare.casefold().translate(WHOLE_LETTERS)).split())
