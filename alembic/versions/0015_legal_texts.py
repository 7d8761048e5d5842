"""The shop's own legal texts, in append-only versions."""

import sqlalchemy as sa

from alembic import op

revision = "0015"
down_revision = "0014"

PAGES = "'terms', 'privacy', 'compliance', 'returns'"
SQLITE_ONLY = tuple(
    f"""CREATE TRIGGER legal_texts_keep_{act} BEFORE {act} ON legal_texts
        BEGIN SELECT RAISE(ABORT, 'legal texts are append-only'); END"""
    for act in ("update", "delete")
)
POSTGRESQL_ONLY = (
    """CREATE FUNCTION keep_legal_texts() RETURNS trigger LANGUAGE plpgsql AS
       $$ BEGIN RAISE EXCEPTION 'legal texts are append-only'; END $$""",
    """CREATE TRIGGER legal_texts_keep BEFORE UPDATE OR DELETE OR TRUNCATE ON legal_texts
       FOR EACH STATEMENT EXECUTE FUNCTION keep_legal_texts()""",
)


def upgrade() -> None:
    op.create_table(
        "legal_texts",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("page", sa.String(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("body", sa.String(), nullable=False),
        sa.Column("author_id", sa.Integer(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint(f"page IN ({PAGES})", name=op.f("ck_legal_texts_page_known")),
        sa.CheckConstraint("version >= 1", name=op.f("ck_legal_texts_version_from_one")),
        sa.CheckConstraint("length(body) BETWEEN 1 AND 40000", name=op.f("ck_legal_texts_body_length")),
        sa.ForeignKeyConstraint(["author_id"], ["users.id"], name=op.f("fk_legal_texts_author_id_users")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_legal_texts")),
        sa.UniqueConstraint("page", "version", name=op.f("uq_legal_texts_page_version")),
    )
    for statement in SQLITE_ONLY if op.get_bind().dialect.name == "sqlite" else POSTGRESQL_ONLY:
        op.execute(statement)


def downgrade() -> None:
    op.drop_table("legal_texts")
    if op.get_bind().dialect.name != "sqlite":
        op.execute("DROP FUNCTION keep_legal_texts")
