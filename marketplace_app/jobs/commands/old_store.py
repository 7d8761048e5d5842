"""The store that a restore replaces: kept until the new one has passed its checks, and put back if anything fails."""

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from alembic.util import CommandError as AlembicError
from sqlalchemy.exc import SQLAlchemyError

from marketplace_app import db
from marketplace_app.adapters.revisions import current_revision
from marketplace_app.config import get_settings
from marketplace_app.errors import StoreError
from marketplace_app.jobs.commands import postgresql
from marketplace_app.jobs.commands.console import CommandError, say_on_stderr, sqlite_file


@dataclass(frozen=True)
class _OldDatabase:
    copy: Path
    revision: str | None
    """On PostgreSQL, the migration that it is at; None on SQLite."""


@contextmanager
def put_back_on_failure(folder: Path, *, had_data: bool) -> Iterator[None]:
    """Within this context the store may be replaced; if anything fails, the old one is put back."""
    _put_back_or_discard_uploads()
    old = _copy_old(folder / "old-database") if had_data else None
    try:
        yield
    except BaseException as error:
        _roll_back_or_keep(old)
        state = "The store is unchanged" if had_data else "The store is still empty"
        if isinstance(error, (CommandError, StoreError, OSError, sqlite3.Error, SQLAlchemyError, AlembicError)):
            raise CommandError(f"Not restored. {state}. {error}") from None
        say_on_stderr(f"Not restored. {state}.")
        raise
    _discard_old_uploads()


def _copy_old(copy: Path) -> _OldDatabase:
    file = sqlite_file()
    if file is None:
        return _OldDatabase(copy, postgresql.dump(copy))
    try:
        _copy(file, copy)
    except sqlite3.OperationalError as error:  # such as a full disk: the store itself is not damaged
        raise CommandError(f"Not restored. The store is unchanged. {error}") from None
    except sqlite3.DatabaseError:  # a damaged one is kept as it is
        _move(file, copy)
    return _OldDatabase(copy, None)


def put_database(copy: Path, revision: str | None) -> None:
    """`revision` is the migration that the copy is at. On PostgreSQL, a store at the same migration, or at none, is
    replaced in one transaction; otherwise everything in it is dropped first."""
    file = sqlite_file()
    if file is None:
        if db.read(current_revision) not in (None, revision):
            postgresql.drop_everything()
        postgresql.restore(copy)
        return
    _copy(copy, file)
    file.chmod(0o600)


def put_uploads(unpacked: Path) -> None:
    """Replace the uploaded files; the old ones stay beside them until the restore has succeeded."""
    if get_settings().s3_bucket:
        return
    root, old = _uploads()
    unpacked.mkdir(exist_ok=True)
    root.parent.mkdir(parents=True, exist_ok=True)
    shutil.rmtree(old, ignore_errors=True)
    if root.exists():
        root.replace(old)
    else:
        old.mkdir()
    shutil.move(unpacked, root)


def _roll_back_or_keep(old: _OldDatabase | None) -> None:
    """The copy is in a temporary folder: if it cannot be put back, it is moved out of there, as nothing else is left
    of the old database."""
    try:
        _roll_back(old)
    except BaseException as error:
        if old is None or not old.copy.exists():
            raise
        folder = old.copy.parent
        kept = folder.with_name(f"old-database{folder.name}")
        old.copy.replace(kept)
        kept.chmod(0o600)
        raise CommandError(
            f"Not restored, and the old store could not be put back: its database is in {kept}. {error}"
        ) from None


def _roll_back(old: _OldDatabase | None) -> None:
    root, old_uploads = _uploads()
    if old_uploads.exists():
        shutil.rmtree(root, ignore_errors=True)
        old_uploads.replace(root)
    db.get_engine().dispose()
    file = sqlite_file()
    if old is None:
        postgresql.drop_everything() if file is None else _remove(file)
    elif file is None or _is_database(old.copy):
        put_database(old.copy, old.revision)
    else:
        _move(old.copy, file)


def _put_back_or_discard_uploads() -> None:
    """Clean up after a restore that was killed: if no uploads took the place of the old ones, put the old ones back,
    otherwise delete them."""
    root, old = _uploads()
    if old.exists() and not root.exists():
        old.replace(root)
    _discard_old_uploads()


def _discard_old_uploads() -> None:
    shutil.rmtree(_uploads()[1], ignore_errors=True)


def _uploads() -> tuple[Path, Path]:
    root = Path(get_settings().uploads)
    return root, root.with_name(f"{root.name}.old")


def _copy(source: Path, target: Path) -> None:
    with closing(sqlite3.connect(source)) as read, closing(sqlite3.connect(target, timeout=10)) as written:
        read.backup(written)


def _is_database(file: Path) -> bool:
    try:
        with closing(sqlite3.connect(file)) as opened:
            opened.execute("SELECT 1 FROM sqlite_master LIMIT 1")
    except sqlite3.DatabaseError:
        return False
    return True


def _move(file: Path, target: Path) -> None:
    _remove(target)
    file.replace(target)
    for ending in ("-wal", "-shm"):
        file.with_name(file.name + ending).unlink(missing_ok=True)


def _remove(file: Path) -> None:
    for ending in ("", "-wal", "-shm"):
        with suppress(FileNotFoundError):
            file.with_name(file.name + ending).unlink()
