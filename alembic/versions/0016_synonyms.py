"""Synonyms, with some that are true in any shop, and counts of searches that found nothing.

What a search finds depends on synonyms, so they raise the catalogue's version (0002) too.
"""

from datetime import UTC, datetime

import sqlalchemy as sa

from alembic import op

revision = "0016"
down_revision = "0015"

EVENTS = {"made": "INSERT", "deleted": "DELETE", "changed": "UPDATE"}
ACTION = {
    "sqlite": "BEGIN UPDATE counters SET value = value + 1 WHERE name = 'catalogue'; END",
    "postgresql": "EXECUTE FUNCTION bump_catalogue()",
}
# Term, replacement, and both in lower case without punctuation.
FIRST = (
    ("joint", "Pre-Roll", "joint", "pre roll"),
    ("doobie", "Pre-Roll", "doobie", "pre roll"),
    ("weed", "flower", "weed", "flower"),
    ("bud", "flower", "bud", "flower"),
    ("nugs", "flower", "nugs", "flower"),
    ("gummy", "gummies", "gummy", "gummies"),
    ("gummy", "edible", "gummy", "edible"),
    ("sweets", "candy", "sweets", "candy"),
    ("candy", "edible", "candy", "edible"),
    ("cart", "vape", "cart", "vape"),
    ("cartridge", "vape", "cartridge", "vape"),
    ("vape pen", "vape", "vape pen", "vape"),
    ("vaporizer", "vape", "vaporizer", "vape"),
    ("dab", "concentrate", "dab", "concentrate"),
    ("wax", "concentrate", "wax", "concentrate"),
    ("extract", "concentrate", "extract", "concentrate"),
    ("1/8", "eighth", "1 8", "eighth"),
    ("1/4", "quarter", "1 4", "quarter"),
    ("half ounce", "Half Oz", "half ounce", "half oz"),
    ("ounce", "Full Oz", "ounce", "full oz"),
    ("drowsy", "sleepy", "drowsy", "sleepy"),
    ("bedtime", "sleepy", "bedtime", "sleepy"),
    ("relaxing", "relaxed", "relaxing", "relaxed"),
    ("energy", "energetic", "energy", "energetic"),
    ("munchies", "hungry", "munchies", "hungry"),
)


def upgrade() -> None:
    folded = sa.String().with_variant(sa.String(collation="C"), "postgresql")
    synonyms = op.create_table(
        "synonyms",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("term", sa.String(), nullable=False),
        sa.Column("replacement", sa.String(), nullable=False),
        sa.Column("folded_term", folded, nullable=False),
        sa.Column("folded_replacement", folded, nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("length(term) BETWEEN 1 AND 40", name=op.f("ck_synonyms_term_length")),
        sa.CheckConstraint("length(replacement) BETWEEN 1 AND 40", name=op.f("ck_synonyms_replacement_length")),
        sa.CheckConstraint("folded_term <> '' AND folded_replacement <> ''", name=op.f("ck_synonyms_words_given")),
        sa.CheckConstraint("folded_term <> folded_replacement", name=op.f("ck_synonyms_not_itself")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_synonyms")),
        sa.UniqueConstraint(
            "folded_term", "folded_replacement", name=op.f("uq_synonyms_folded_term_folded_replacement")
        ),
    )
    op.create_table(
        "search_misses",
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("words", folded, nullable=False),
        sa.Column("count", sa.Integer(), nullable=False),
        sa.CheckConstraint("length(words) BETWEEN 1 AND 80", name=op.f("ck_search_misses_words_length")),
        sa.CheckConstraint("words NOT LIKE '%@%'", name=op.f("ck_search_misses_no_address")),
        sa.CheckConstraint("count >= 1", name=op.f("ck_search_misses_count_from_one")),
        sa.PrimaryKeyConstraint("day", "words", name=op.f("pk_search_misses")),
    )
    op.create_index("ix_search_misses_words", "search_misses", ["words", "day"])
    names = ("term", "replacement", "folded_term", "folded_replacement")
    written = {"updated_at": datetime.now(UTC)}
    op.bulk_insert(synonyms, [dict(zip(names, words, strict=True)) | written for words in FIRST])
    for name, event in EVENTS.items():
        action = ACTION[op.get_bind().dialect.name]
        op.execute(f"CREATE TRIGGER catalogue_synonyms_{name} AFTER {event} ON synonyms FOR EACH ROW {action}")


def downgrade() -> None:
    op.drop_table("search_misses")
    op.drop_table("synonyms")
