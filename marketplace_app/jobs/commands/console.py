"""What commands share: results, such as the mistakes in a file, go to stdout, progress and failures to stderr, and the
exit code is one of three."""

import argparse
import re
import sys
from pathlib import Path

from sqlalchemy.engine import make_url

from marketplace_app import db
from marketplace_app.adapters.revisions import can_serve, current_revision, newest_revision
from marketplace_app.config import get_settings

OK, FAILURE, USAGE = 0, 1, 2


class CommandError(Exception):
    """A command cannot do its work; the message is a sentence for the terminal."""


def say(text: str) -> None:
    print(text)


def say_on_stderr(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def whole_number(text: str, largest: int, *, otherwise: str) -> int:
    """The argument as a number from 1 to `largest`. Raises ArgumentTypeError with the text `otherwise`."""
    if not re.fullmatch(r"[0-9]{1,18}", text) or not 1 <= int(text) <= largest:
        raise argparse.ArgumentTypeError(otherwise)
    return int(text)


def sqlite_file() -> Path | None:
    """The file of a SQLite database; None on PostgreSQL."""
    url = make_url(get_settings().database_url)
    return Path(url.database or "") if url.get_backend_name() == "sqlite" else None


def require_database() -> None:
    """Raises CommandError unless the database exists and has every migration."""
    file = sqlite_file()
    if file is not None and not file.is_file():  # opening it would create it
        raise CommandError(
            f"There is no database at {file}. `make run` or `python -m marketplace_app seed` creates one."
        )
    found, newest = db.read(current_revision), newest_revision()
    if found != newest and can_serve(found):  # the server may go on with a newer database; commands do not
        raise CommandError(newer_database(found))
    if found != newest:
        raise CommandError(f"The database is at migration {found}, the code at {newest}: run `make migrate`.")


def newer_database(found: str | None) -> str:
    return f"The database is at migration {found}, the code at {newest_revision()}: use the newer version of the store."
