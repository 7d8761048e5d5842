"""Indexes and a search text for finding, sorting and adding up orders.

The text that orders are searched by is made in Python (`services.search.order_search`); existing orders get theirs
here, in the same way.
"""

import unicodedata
from collections.abc import Iterator, Mapping
from typing import Any

import sqlalchemy as sa

from alembic import op

revision = "0009"
down_revision = "0008"

INDEXES = {
    "ix_orders_placed": ["created_at", "number", "status", "total_cents", "user_id", "id", "deleted_at"],
    "ix_orders_status": ["status", "created_at", "number", "total_cents", "deleted_at"],
    "ix_orders_total": ["total_cents", "number", "status", "created_at", "deleted_at"],
    "ix_orders_search_text": ["search_text", "number", "status", "created_at", "total_cents", "deleted_at"],
    "ix_orders_user_id_created_at": ["user_id", "created_at", "status", "total_cents", "deleted_at"],
    "ix_orders_id_start": [sa.text("substr(id, 1, 8)")],
    "ix_orders_id_end": [sa.text("substr(id, 29)")],
}
BEFORE = {"ix_orders_created_at": ["created_at"], "ix_orders_user_id_created_at": ["user_id", "created_at"]}
BATCH_SIZE = 1_000
FOLDED = sa.String().with_variant(sa.String(collation="C"), "postgresql")


def upgrade() -> None:
    op.add_column("orders", sa.Column("search_text", FOLDED, nullable=False, server_default=""))
    _fill()
    _replace(BEFORE, INDEXES)


def downgrade() -> None:
    _replace(INDEXES, BEFORE)
    op.drop_column("orders", "search_text")


def _replace(old: Mapping[str, list[Any]], new: Mapping[str, list[Any]]) -> None:
    for name in old:
        op.drop_index(name, "orders")
    for name, columns in new.items():
        op.create_index(name, "orders", columns)


def _fill() -> None:
    database = op.get_bind()
    update = sa.text("UPDATE orders SET search_text = :search_text WHERE number = :number")
    for rows in _batches(database):
        database.execute(update, [{"number": row.number, "search_text": _text(row)} for row in rows])


def _batches(database: sa.Connection) -> Iterator[list[sa.Row[tuple[int, str, str, str]]]]:
    after = 0
    page = sa.text(
        "SELECT number, customer_name, customer_email, contact_phone FROM orders"
        f" WHERE number > :after ORDER BY number LIMIT {BATCH_SIZE}"
    )
    while rows := list(database.execute(page, {"after": after})):
        yield rows
        after = rows[-1].number


def _text(row: sa.Row[tuple[int, str, str, str]]) -> str:
    digits = "".join(character for character in row.contact_phone if character in "0123456789")
    return "\n".join([_fold(row.customer_name), _fold(row.customer_email), digits])[:600]


def _fold(words: str) -> str:
    bare = "".join(c for c in unicodedata.normalize("NFKD", words) if not unicodedata.combining(c))
    return " ".join("".join(c if c.isalnum() else " " for c in bare.casefold()).split())
