"""Bring the database to the newest migration."""

from pathlib import Path

from alembic.config import Config

from alembic import command

ROOT = Path(__file__).parents[2]


def migrate() -> None:
    command.upgrade(Config(str(ROOT / "alembic.ini")), "head")
