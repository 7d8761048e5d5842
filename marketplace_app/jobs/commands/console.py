"""What commands share: results go to stdout, progress to stderr, and the exit code is one of three."""

import sys
from pathlib import Path

from sqlalchemy.engine import make_url

from marketplace_app import db
from marketplace_app.api.health import current_revision, newest_revision
from marketplace_app.config import get_settings

OK, FAILURE, USAGE = 0, 1, 2


class Failed(Exception):
    """A command cannot do its work; the message is a sentence for the terminal."""


def say(text: str) -> None:
    print(text)


def progress(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def sqlite_file() -> Path | None:
    """The database, where it is a file."""
    url = make_url(get_settings().database_url)
    return Path(url.database or "") if url.get_backend_name() == "sqlite" else None


def require_database() -> None:
    """Raises Failed unless the database exists and has every migration. Opening a missing file would create it."""
    file = sqlite_file()
    if file is not None and not file.is_file():
        raise Failed(f"There is no database at {file}. `make run` or `python -m marketplace_app seed` creates one.")
    if (found := db.read(current_revision)) != newest_revision():
        raise Failed(f"The database is at migration {found}, the code at {newest_revision()}: run `make migrate`.")
