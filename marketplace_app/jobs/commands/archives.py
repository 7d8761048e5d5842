"""`backup` and `restore`: the database and the uploaded files, in one archive.

SQLite is copied by its backup API and PostgreSQL by its own `pg_dump`, so the store may keep running meanwhile. An
archive holds personal data: only its owner can read the file.
"""

import argparse
import hashlib
import io
import json
import os
import sqlite3
import tarfile
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import inspect, text
from sqlalchemy.exc import DatabaseError, OperationalError

from marketplace_app import clock, db
from marketplace_app.api.health import current_revision
from marketplace_app.config import get_settings
from marketplace_app.jobs.commands import checks, old_store, postgresql
from marketplace_app.jobs.commands.archive_contents import (
    FORMAT,
    MANIFEST,
    UPLOADS,
    Manifest,
    require_known_revision,
    require_sound,
    unpack,
)
from marketplace_app.jobs.commands.console import (
    FAILURE,
    OK,
    Failed,
    progress,
    require_database,
    say,
    sqlite_file,
)
from marketplace_app.jobs.migrate import migrate

DATA_TABLES = ("users", "products", "orders", "audit_entries")
"""A store with a row in one of these is not empty."""


def add(commands: Any) -> None:
    description = "Write the database and the uploaded files into one archive (.tar.gz). The store may keep running."
    parser = commands.add_parser("backup", help="write everything into one archive", description=description)
    parser.add_argument("file", metavar="FILE", type=Path, help="the archive, such as store-2026-11-21.tar.gz")
    parser.add_argument("--force", action="store_true", help="replace an existing file of that name")
    parser.set_defaults(run=backup)
    description = "Restore a store from an archive, then check its data. Stop the store first."
    parser = commands.add_parser("restore", help="restore everything from an archive", description=description)
    parser.add_argument("file", metavar="FILE", type=Path, help="an archive written by backup")
    parser.add_argument("--force", action="store_true", help="replace the existing store and everything in it")
    parser.set_defaults(run=restore)


def backup(args: argparse.Namespace) -> int:
    require_database()
    if args.file.exists() and not args.force:
        raise Failed(f"{args.file} already exists: --force replaces it.")
    try:
        with tempfile.TemporaryDirectory(dir=args.file.parent, prefix=".backup-") as folder:
            _write(args.file, Path(folder))
    except (OSError, sqlite3.Error) as error:
        raise Failed(f"{args.file} could not be written: {error}") from None
    say(f"Written to {args.file} ({args.file.stat().st_size:,} bytes).")
    return OK


def _write(file: Path, folder: Path) -> None:
    """Written in a folder beside the target and then renamed, so that the archive is there whole or not at all."""
    copy, archive = folder / _database_name(), folder / "archive"
    progress("Copying the database…")
    _copy_database(copy)
    uploads = _uploaded()
    manifest = {
        "format": FORMAT,
        "madeAt": clock.iso(clock.now()),
        "database": _kind(),
        "revision": db.read(current_revision),
        "sha256": _digest(copy),
        "uploads": len(uploads),
    }
    descriptor = os.open(archive, os.O_CREAT | os.O_WRONLY | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as written:
        with tarfile.open(fileobj=written, mode="w:gz", compresslevel=4) as packed:
            _pack(packed, manifest, copy, uploads)
        written.flush()
        os.fsync(written.fileno())
    archive.replace(file)


def _pack(packed: tarfile.TarFile, manifest: dict[str, Any], copy: Path, uploads: list[Path]) -> None:
    content = json.dumps(manifest, indent=2).encode()
    head = tarfile.TarInfo(MANIFEST)
    head.size = len(content)
    packed.addfile(head, io.BytesIO(content))
    packed.add(copy, copy.name)
    root = Path(get_settings().uploads)
    for number, path in enumerate(uploads, start=1):
        packed.add(path, f"{UPLOADS}/{path.relative_to(root).as_posix()}", recursive=False)
        if number % 1_000 == 0:
            progress(f"{number:>7,} of {len(uploads):,} files")


def _copy_database(copy: Path) -> None:
    file = sqlite_file()
    if file is None:
        postgresql.dump(copy)
        return
    with closing(sqlite3.connect(file)) as source, closing(sqlite3.connect(copy)) as target:
        source.backup(target)  # in one step: a consistent copy, even if somebody writes meanwhile
        target.execute("PRAGMA journal_mode=DELETE")
    require_sound(copy)


def _uploaded() -> list[Path]:
    settings = get_settings()
    if settings.s3_bucket:
        progress(
            f"The uploaded files are in the bucket {settings.s3_bucket} and are not included: back it up separately."
        )
        return []
    return sorted(path for path in Path(settings.uploads).rglob("*") if path.is_file() and not path.is_symlink())


def restore(args: argparse.Namespace) -> int:
    is_empty = _is_empty()
    if not args.force and not is_empty:
        raise Failed("This store is not empty. --force replaces it and everything in it.")
    with _folder_beside_the_store() as folder:
        manifest = unpack(args.file, folder, _database_name())
        _require_fitting(manifest, folder)
        progress(f"Restoring the database of {manifest.made_at}…")
        with old_store.restored_on_failure(folder, is_empty=is_empty):
            old_store.put_database(folder / _database_name())
            old_store.put_uploads(folder / UPLOADS)
            progress(f"{manifest.uploads:,} uploaded files.")
            migrate()
            say("Restored. Checking its data:")
            is_broken = checks.check_invariants(args) != OK
            if is_broken and not is_empty:
                raise Failed("The data of this backup is not consistent. It can still be restored into an empty store.")
    return FAILURE if is_broken else OK


@contextmanager
def _folder_beside_the_store() -> Iterator[Path]:
    target = sqlite_file() or Path(get_settings().uploads)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=target.parent, prefix=".restore-") as made:
            yield Path(made)
    except OSError as error:
        raise Failed(f"The store could not be restored: {error}") from None


def _require_fitting(manifest: Manifest, folder: Path) -> None:
    if manifest.database != _kind():
        raise Failed(f"This is a backup of {manifest.database}, but DATABASE_URL names {_kind()}.")
    require_known_revision(manifest.revision)
    copy = folder / _database_name()
    if not copy.is_file() or _digest(copy) != manifest.sha256:
        raise Failed("The database in this backup is damaged.")
    if sqlite_file() is None:
        postgresql.require_dump(copy)
    else:
        require_sound(copy, manifest.revision)


def _is_empty() -> bool:
    file = sqlite_file()
    if file is not None and not file.is_file():
        return True
    try:
        with db.get_engine().execution_options(writes=False).connect() as connection:
            tables = set(inspect(connection).get_table_names())
            return not any(
                connection.execute(text(f"SELECT 1 FROM {table} LIMIT 1")).first()  # noqa: S608 - our own names
                for table in DATA_TABLES
                if table in tables
            )
    except OperationalError:
        raise
    except DatabaseError:  # damaged: what is left of it may be all there is
        return False


def _kind() -> str:
    return "postgresql" if sqlite_file() is None else "sqlite"


def _database_name() -> str:
    return "store.dump" if sqlite_file() is None else "store.db"


def _digest(file: Path) -> str:
    with file.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()
