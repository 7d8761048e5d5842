"""A search text and indexes for finding users and invitations.

The text that users are searched by is made in Python (`services.accounts`); existing users get theirs here, in the same
way.
"""

import unicodedata

import sqlalchemy as sa

from alembic import op

revision = "0011"
down_revision = "0010"

FOLDED = sa.String().with_variant(sa.String(collation="C"), "postgresql")


def upgrade() -> None:
    op.add_column("users", sa.Column("search_text", FOLDED, nullable=False, server_default=""))
    _fill()
    op.create_index("ix_users_search_text", "users", ["search_text", "id"])
    op.create_index("ix_users_created_at", "users", ["created_at", "id"])
    op.execute("UPDATE invitations SET email = lower(email)")
    op.create_index(op.f("ix_invitations_email"), "invitations", ["email"])
    op.execute("INSERT INTO counters (name, value, text_value) VALUES ('invitations', 0, '')")


def downgrade() -> None:
    op.execute("DELETE FROM counters WHERE name = 'invitations'")
    op.drop_index(op.f("ix_invitations_email"), "invitations")
    op.drop_index("ix_users_created_at", "users")
    op.drop_index("ix_users_search_text", "users")
    op.drop_column("users", "search_text")


def _fill() -> None:
    database = op.get_bind()
    people = database.execute(sa.text("SELECT id, first_name, last_name, email, verified_email FROM users")).all()
    update = sa.text("UPDATE users SET search_text = :search_text WHERE id = :id")
    for number, *words in people:
        database.execute(update, {"id": number, "search_text": _fold(" ".join(dict.fromkeys(words)))})


def _fold(words: str) -> str:
    bare = "".join(c for c in unicodedata.normalize("NFKD", words) if not unicodedata.combining(c))
    return " ".join("".join(c if c.isalnum() else " " for c in bare.casefold()).split())
