"""`backup` and `restore`: the database and the uploaded files, in one archive.

SQLite is copied by its backup API and PostgreSQL by its own `pg_dump`, so the store may keep running meanwhile. An
archive holds personal data: only its owner can read the file, and it is encrypted if `BACKUP_RECIPIENT` is set.
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
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

from sqlalchemy import inspect, text
from sqlalchemy.exc import DatabaseError, OperationalError

from marketplace_app import clock, db
from marketplace_app.adapters.storage import is_upload_name
from marketplace_app.config import get_settings
from marketplace_app.errors import StoreError
from marketplace_app.jobs.commands import backup_targets, checks, encryption, old_store, postgresql
from marketplace_app.jobs.commands.archive_contents import (
    FORMAT,
    MANIFEST,
    UPLOADS,
    Manifest,
    explaining_errors,
    require_intact_database,
    require_known_revision,
    unpack,
)
from marketplace_app.jobs.commands.console import (
    FAILURE,
    OK,
    CommandError,
    require_database,
    say,
    say_on_stderr,
    sqlite_file,
    whole_number,
)
from marketplace_app.jobs.migrate import migrate
from marketplace_app.services import backups

DATA_TABLES = ("users", "products", "orders", "audit_entries")
"""A store with a row in one of these is not empty."""
MAX_KEPT = 10_000


def add_parsers(commands: Any) -> None:
    description = "Write the database and the uploaded files into one archive (.tar.gz). The store may keep running."
    parser = commands.add_parser("backup", help="write everything into one archive", description=description)
    parser.add_argument(
        "target", metavar="TARGET", help="a new file, or a folder or s3://BUCKET/PREFIX for a new file in it"
    )
    parser.add_argument("--force", action="store_true", help="replace an existing file of that name")
    parser.add_argument(
        "--keep", type=_backups_to_keep, metavar="N", help="in a folder or bucket: delete all but the N newest backups"
    )
    parser.set_defaults(run=backup)
    description = "Restore a store from an archive, then check its data. Stop the store first."
    parser = commands.add_parser("restore", help="restore everything from an archive", description=description)
    parser.add_argument("file", metavar="FILE", help="an archive written by backup, or s3://BUCKET/PREFIX/NAME")
    parser.add_argument("--force", action="store_true", help="replace the existing store and everything in it")
    parser.add_argument("--identity", type=Path, metavar="KEYFILE", help="the secret key of an encrypted archive")
    parser.set_defaults(run=restore)


def _backups_to_keep(text: str) -> int:
    expected = f"a whole number of at least 1 is expected, and at most {MAX_KEPT:,}"
    return whole_number(text, MAX_KEPT, otherwise=expected)


def backup(args: argparse.Namespace) -> int:
    require_database()
    target, file_name = backup_targets.target_of(args.target)
    if file_name and args.keep:
        raise CommandError("--keep deletes old backups in a folder or bucket: name one instead of a file.")
    if file_name and not args.force and Path(args.target).exists():
        raise CommandError(f"{args.target} already exists: --force replaces it.")
    public_key = get_settings().backup_recipient
    recipient = encryption.read_recipient(public_key) if public_key else None  # before anything is copied
    name = file_name or backup_targets.new_name(is_encrypted=recipient is not None)
    try:
        with backup_targets.scratch(target) as folder:
            archive = _write(folder, recipient)
            size = archive.stat().st_size
            target.put(archive, name)
    except (OSError, sqlite3.Error) as error:
        raise CommandError(f"{args.target} could not be written: {error}") from None
    _note_time()
    place = args.target if file_name else f"{args.target.rstrip('/')}/{name}"
    say(f"Written to {place} ({size:,} bytes{', encrypted' if recipient is not None else ''}).")
    if args.keep:
        _delete_old(target, args.keep)
    return OK


def _delete_old(target: backup_targets.Target, keep: int) -> None:
    try:
        deleted = backup_targets.delete_old(target, keep)
    except OSError as error:
        raise CommandError(f"The older backups could not be deleted: {error}") from None
    if deleted:
        say(f"Older backups deleted: {deleted:,}.")


def _note_time() -> None:
    """Note the time in the store. A backup that was made is a success, even if the store is too busy for the note."""
    try:
        db.write(backups.record)
    except StoreError as error:
        say_on_stderr(f"The time of this backup could not be noted in the store: {error.message}")


def _write(folder: Path, recipient: Any | None) -> Path:
    """Write the archive in the scratch folder, so that the place where backups are kept never holds half of one."""
    copy, archive = folder / _database_file_name(), folder / "archive"
    say_on_stderr("Copying the database…")
    manifest: dict[str, Any] = {
        "format": FORMAT,
        "madeAt": clock.iso(clock.now()),
        "database": _database_kind(),
        "revision": _copy_database(copy),
        "sha256": _sha256(copy),
    }
    descriptor = os.open(archive, os.O_CREAT | os.O_WRONLY | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as written:
        with tarfile.open(fileobj=written, mode="w:gz", compresslevel=4) as packed:
            packed.add(copy, copy.name)
            manifest["uploads"] = _pack_uploads(packed)
            _pack_manifest(packed, manifest)
        written.flush()
        os.fsync(written.fileno())
    if recipient is None:
        return archive
    encryption.encrypt(archive, folder / "encrypted", recipient)
    with (folder / "encrypted").open("rb+") as written:
        os.fsync(written.fileno())
    return folder / "encrypted"


def _pack_uploads(packed: tarfile.TarFile) -> int:
    """Returns how many files were packed. One that is deleted while this runs is left out."""
    names, count = _upload_names(), 0
    root = Path(get_settings().uploads)
    for number, name in enumerate(names, start=1):
        with suppress(FileNotFoundError):
            packed.add(root / name, f"{UPLOADS}/{name}", recursive=False)
            count += 1
        if number % 1_000 == 0:
            say_on_stderr(f"{number:>7,} of {len(names):,} files")
    return count


def _pack_manifest(packed: tarfile.TarFile, manifest: dict[str, Any]) -> None:
    content = json.dumps(manifest, indent=2).encode()
    member = tarfile.TarInfo(MANIFEST)
    member.size = len(content)
    packed.addfile(member, io.BytesIO(content))


def _copy_database(copy: Path) -> str | None:
    """Returns the migration that the copy is at."""
    file = sqlite_file()
    if file is None:
        return postgresql.dump(copy)
    with closing(sqlite3.connect(file)) as source, closing(sqlite3.connect(copy)) as target:
        source.backup(target)  # in one step, so that the copy is consistent even if somebody writes meanwhile
        target.execute("PRAGMA journal_mode=DELETE")
        revisions = target.execute("SELECT version_num FROM alembic_version").fetchall()
    require_intact_database(copy)
    return revisions[0][0] if revisions else None


def _upload_names() -> list[str]:
    """Only names that uploads can have.

    Other files in the folder, half written or an operator's own, would make an archive that `restore` refuses.
    """
    settings = get_settings()
    if settings.s3_bucket:
        say_on_stderr(
            f"The uploaded files are in the bucket {settings.s3_bucket} and are not included: back it up separately."
        )
        return []
    root = Path(settings.uploads)
    files = (path for path in root.rglob("*") if path.is_file() and not path.is_symlink())
    return sorted(filter(is_upload_name, (path.relative_to(root).as_posix() for path in files)))


def restore(args: argparse.Namespace) -> int:
    is_empty = _is_empty()
    if not args.force and not is_empty:
        raise CommandError("This store is not empty. --force replaces it and everything in it.")
    with _folder_beside_the_store() as folder:
        manifest = _unpack(args, folder)
        _require_compatible(manifest, folder)
        say_on_stderr(f"Restoring the database of {manifest.made_at}…")
        with old_store.put_back_on_failure(folder, had_data=not is_empty):
            old_store.put_database(folder / _database_file_name(), manifest.revision)
            _put_uploads(folder / UPLOADS, manifest.uploads)
            migrate()
            say("Restored. Checking its data:")
            is_broken = checks.check_invariants(args) != OK
            if is_broken and not is_empty:
                raise CommandError(
                    "The data of this backup is not consistent. It can still be restored into an empty store."
                )
    return FAILURE if is_broken else OK


def _put_uploads(unpacked: Path, count: int) -> None:
    bucket = get_settings().s3_bucket
    if bucket and count:
        say_on_stderr(
            f"The uploaded files of this backup ({count:,}) are not restored, because this store's are in the bucket "
            f"{bucket}: copy them there."
        )
        return
    old_store.put_uploads(unpacked)
    say_on_stderr(f"{count:,} uploaded files.")


def _unpack(args: argparse.Namespace, folder: Path) -> Manifest:
    with backup_targets.fetched(args.file, folder) as file, explaining_errors(file):
        if not encryption.is_encrypted(file):
            return unpack(file, folder, _database_file_name())
        decrypted = folder / "decrypted"
        encryption.decrypt(file, decrypted, args.identity)
        try:
            return unpack(decrypted, folder, _database_file_name())
        finally:
            decrypted.unlink()


@contextmanager
def _folder_beside_the_store() -> Iterator[Path]:
    target = sqlite_file() or Path(get_settings().uploads)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=target.parent, prefix=".restore-") as name:
            yield Path(name)
    except OSError as error:
        raise CommandError(f"The store could not be restored: {error}") from None


def _require_compatible(manifest: Manifest, folder: Path) -> None:
    if manifest.database != _database_kind():
        raise CommandError(f"This is a backup of {manifest.database}, but DATABASE_URL names {_database_kind()}.")
    require_known_revision(manifest.revision)
    copy = folder / _database_file_name()
    if not copy.is_file() or _sha256(copy) != manifest.sha256:
        raise CommandError("The database in this backup is damaged.")
    if sqlite_file() is None:
        postgresql.require_dump(copy)
    else:
        require_intact_database(copy, manifest.revision)


def _is_empty() -> bool:
    file = sqlite_file()
    if file is not None and not file.is_file():
        return True
    try:
        with db.get_engine().execution_options(writes=False).connect() as connection:
            tables = set(inspect(connection).get_table_names())
            return not any(
                connection.execute(text(f"SELECT 1 FROM {table} LIMIT 1")).first()  # noqa: S608 - names from DATA_TABLES
                for table in DATA_TABLES
                if table in tables
            )
    except OperationalError:
        raise
    except DatabaseError:  # damaged: it may hold the only data there is
        return False


def _database_kind() -> str:
    return "postgresql" if sqlite_file() is None else "sqlite"


def _database_file_name() -> str:
    return "store.dump" if sqlite_file() is None else "store.db"


def _sha256(file: Path) -> str:
    with file.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()
