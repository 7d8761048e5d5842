"""Checks and unpacks an archive, before anything in the store is changed, and refuses a hostile one.

An archive holds a manifest, one database and uploaded files: plain files under plain names, each once, of a size that
fits on the disk. The content of a PostgreSQL dump is not checked: it is a program, so owners restore only their own
archives.
"""

import json
import os
import re
import shutil
import sqlite3
import struct
import tarfile
import zlib
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path, PurePosixPath
from typing import IO, Any, ClassVar

from alembic.config import Config
from alembic.script import ScriptDirectory
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from marketplace_app.jobs.commands.console import CommandError
from marketplace_app.jobs.migrate import ROOT

FORMAT = 1
MANIFEST, UPLOADS = "manifest.json", "uploads"
MAX_MANIFEST_BYTES = MAX_HEADER_BYTES = 64 * 1024
MAX_FILES = 1_000_000
MAX_DEPTH, MAX_NAME = 8, 200
_FORBIDDEN = re.compile(r"[\x00-\x1f\x7f\\:]")
_CHUNK = 1024 * 1024


class Manifest(BaseModel):
    model_config = ConfigDict(strict=True, populate_by_name=True, frozen=True)

    made_at: str = Field(alias="madeAt", max_length=40)
    database: str = Field(max_length=20)
    revision: str = Field(max_length=40)
    sha256: str = Field(pattern="^[0-9a-f]{64}$")
    uploads: int = Field(ge=0)


class _Member(tarfile.TarInfo):
    """Limits headers that tarfile reads into memory as a whole: long names and lists of attributes."""

    LISTS: ClassVar = (tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.SOLARIS_XHDTYPE)
    NAMES: ClassVar = (tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK)

    @classmethod
    def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> "_Member":
        member = super().frombuf(buf, encoding, errors)
        if member.size < 0 or (member.type in cls.LISTS + cls.NAMES and member.size > MAX_HEADER_BYTES):
            raise CommandError("This archive contains a header that no backup has.")
        return member


@contextmanager
def explaining_errors(file: Path) -> Iterator[None]:
    """Turn whatever is wrong with an archive into a sentence."""
    try:
        yield
    except (tarfile.TarError, EOFError, zlib.error, struct.error, ValueError, OverflowError, RecursionError) as error:
        raise CommandError(f"{file} is damaged, or is not an archive of a store: {error}") from None
    except OSError as error:
        raise CommandError(f"{file} could not be read or unpacked: {error}") from None


def unpack(file: Path, folder: Path, database: str) -> Manifest:
    """Unpack into the folder; returns the manifest. Names and sizes are checked before the first byte is written."""
    with explaining_errors(file):
        with _opened(file) as packed:
            names = _checked_names(packed, folder, database)
        with _opened(file) as packed:
            for member in packed:
                _write(packed, member, folder / member.name)
        manifest = _manifest(folder / MANIFEST)
    count = sum(name.startswith(f"{UPLOADS}/") for name in names)
    if manifest.uploads != count:
        raise CommandError(f"This backup lists {manifest.uploads:,} uploaded files but contains {count:,}.")
    return manifest


def _opened(file: Path) -> tarfile.TarFile:
    return tarfile.open(file, "r:gz", tarinfo=_Member)


def _checked_names(packed: tarfile.TarFile, folder: Path, database: str) -> set[str]:
    names: set[str] = set()
    free = shutil.disk_usage(folder).free
    needed = 0
    for member in packed:
        _require_expected(member)
        if member.name in names:
            raise CommandError(f"{member.name!r} is in this archive twice.")
        if len(names) >= MAX_FILES:
            raise CommandError("Too many files.")
        names.add(member.name)
        needed += member.size * (2 if member.name == database else 1)  # a database is copied once more
        if needed > free:
            raise CommandError(f"This archive needs more disk space than there is: {free:,} bytes are free.")
    parents = {parent.as_posix() for name in names for parent in PurePosixPath(name).parents}
    _require_end(packed)
    if both := names & parents:
        raise CommandError(f"{min(both)!r} is both a file and a folder in this archive.")
    if MANIFEST not in names:
        raise CommandError("This is not a backup of a store: it has no manifest.")
    return names


def _require_end(packed: tarfile.TarFile) -> None:
    """Reads to the end, which is where gzip compares its checksum."""
    assert packed.fileobj
    if len(packed.fileobj.read(_CHUNK)) == _CHUNK:
        raise CommandError("This archive has data after its end.")


def _require_expected(member: tarfile.TarInfo) -> None:
    name = member.name
    parts = name.split("/")
    # The database of the other kind (SQLite or PostgreSQL) passes, so that `restore` can say why it refuses it.
    is_ours = name in (MANIFEST, "store.db", "store.dump") or (parts[0] == UPLOADS and len(parts) > 1)
    is_path = len(parts) <= MAX_DEPTH and all(part not in ("", ".", "..") and len(part) <= MAX_NAME for part in parts)
    if not is_ours or not is_path or _FORBIDDEN.search(name) or not name.isprintable():
        raise CommandError(f"This archive contains {name[:80]!r}, which no backup does.")
    if not member.isreg() or member.issparse():
        raise CommandError(f"{name!r} in this archive is not a regular file.")
    if name == MANIFEST and member.size > MAX_MANIFEST_BYTES:
        raise CommandError("The manifest of this archive is too large.")


def _write(packed: tarfile.TarFile, member: tarfile.TarInfo, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    source: IO[bytes] | None = packed.extractfile(member)
    assert source is not None
    descriptor = os.open(target, os.O_CREAT | os.O_WRONLY | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    with os.fdopen(descriptor, "wb") as written:
        shutil.copyfileobj(source, written, _CHUNK)
    if target.stat().st_size != member.size:
        raise EOFError(f"{member.name} is truncated")


def _manifest(file: Path) -> Manifest:
    try:
        content: Any = json.loads(file.read_text(encoding="utf-8"))
        if not isinstance(content, dict) or content.pop("format", None) != FORMAT:
            raise CommandError("This is not a backup of a store, or it is of another kind of store.")
        return Manifest.model_validate(content)
    except (ValidationError, UnicodeDecodeError, RecursionError, json.JSONDecodeError):
        raise CommandError("This is not a backup of a store: its manifest cannot be read.") from None


def require_known_revision(revision: str) -> None:
    known = ScriptDirectory.from_config(Config(str(ROOT / "alembic.ini"))).walk_revisions()
    if revision not in {each.revision for each in known}:
        raise CommandError(f"This backup was made by a newer version of the store (migration {revision[:40]}).")


def require_intact_database(file: Path, revision: str | None = None) -> None:
    """Raises CommandError unless the SQLite database is undamaged and, if given, at this migration."""
    try:
        with closing(sqlite3.connect(file)) as opened:
            opened.execute("PRAGMA trusted_schema=OFF")
            found = opened.execute("PRAGMA integrity_check(1)").fetchone()[0]
            revisions = opened.execute("SELECT version_num FROM alembic_version").fetchall() if revision else []
    except sqlite3.Error as error:
        raise CommandError(f"The database is damaged: {error}") from None
    if found != "ok":
        raise CommandError(f"The database is damaged: {found}")
    if revision and revisions != [(revision,)]:
        raise CommandError("The database in this backup is not the one its manifest describes.")
