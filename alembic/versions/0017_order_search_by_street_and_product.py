"""Orders are searched by street and products too.

The text that is searched is made in Python (`services.search.order_search`); existing orders get theirs here, in the
same way. Orders of erased accounts have no such text and get none.
"""

import unicodedata
from collections.abc import Callable, Iterator
from typing import Any

import sqlalchemy as sa

from alembic import op

revision = "0017"
down_revision = "0016"

# Letters that Unicode does not decompose, as people without these keys write them.
WHOLE_LETTERS = str.maketrans({"ø": "o", "æ": "ae", "œ": "oe", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i"})
BATCH_SIZE = 1_000
ORDERS = sa.text(
    "SELECT id, number, customer_name, customer_email, contact_phone, delivery_address FROM orders"
    f" WHERE number > :after AND search_text <> '' ORDER BY number LIMIT {BATCH_SIZE}"
)
PRODUCTS = sa.text(
    "SELECT orders.id, order_lines.name FROM order_lines JOIN orders ON orders.id = order_lines.order_id"
    " WHERE orders.number BETWEEN :first AND :last ORDER BY orders.number, order_lines.position"
)
UPDATE = sa.text("UPDATE orders SET search_text = :search_text WHERE number = :number")


def upgrade() -> None:
    _fill(_search_text)


def downgrade() -> None:
    _fill(lambda row, _products: _customer_text(row))


def _fill(text_of: Callable[[Any, list[str]], str]) -> None:
    database = op.get_bind()
    for rows in _batches(database):
        products: dict[str, list[str]] = {}
        span = {"first": rows[0].number, "last": rows[-1].number}
        for order_id, name in database.execute(PRODUCTS, span):
            products.setdefault(order_id, []).append(name)
        texts = [{"number": row.number, "search_text": text_of(row, products.get(row.id, []))[:600]} for row in rows]
        database.execute(UPDATE, texts)


def _batches(database: sa.Connection) -> Iterator[list[sa.Row[Any]]]:
    after = 0
    while rows := list(database.execute(ORDERS, {"after": after})):
        yield rows
        after = rows[-1].number


def _search_text(row: sa.Row[Any], products: list[str]) -> str:
    return "\n".join([_customer_text(row), _fold(row.delivery_address), *dict.fromkeys(map(_fold, products))])


def _customer_text(row: sa.Row[Any]) -> str:
    digits = "".join(character for character in row.contact_phone if character in "0123456789")
    return "\n".join([_fold(row.customer_name), _fold(row.customer_email), digits])


def _fold(words: str) -> str:
    bare = "".join(c for c in unicodedata.normalize("NFKD", words) if not unicodedata.combining(c))
    return " ".join("".join(c if c.isalnum() else " " for c in bare.casefold().translate(WHOLE_LETTERS)).split())
