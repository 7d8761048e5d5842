"""Hostile archives and damaged backups are refused with a sentence and change nothing."""

import errno
import gzip
import hashlib
import io
import json
import sqlite3
import tarfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from marketplace_app.jobs.commands import archive_contents, archives, old_store
from tests.jobs.conftest import OK, WRONG, Terminal

pytestmark = pytest.mark.slow

Rewrite = Callable[[dict[str, bytes]], bytes]


@pytest.fixture(scope="module")
def seeded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a small store, its picture, and its backup: copied for each test."""
    folder = tmp_path_factory.mktemp("seeded")
    terminal = Terminal(f"sqlite:///{folder / 'store.db'}", folder)
    assert terminal("seed").returncode == OK
    picture = folder / "uploads" / "pictures" / "fern-640.webp"
    picture.parent.mkdir(parents=True)
    picture.write_bytes(b"fern")
    assert terminal("backup", str(folder / "store.tar.gz")).returncode == OK
    return folder


@pytest.fixture
def terminal(seeded: Path, tmp_path: Path) -> Terminal:
    """The store moved on since: another name, another picture."""
    made = Terminal(f"sqlite:///{tmp_path / 'store.db'}", tmp_path)
    assert made("restore", str(seeded / "store.tar.gz")).returncode == OK
    with closing(sqlite3.connect(tmp_path / "store.db")) as opened, opened:
        opened.execute("UPDATE products SET name = 'Newer' WHERE id = 1")
    (tmp_path / "uploads" / "pictures" / "newer.webp").write_bytes(b"newer")
    return made


def state_of(folder: Path) -> tuple[object, list[str]]:
    with closing(sqlite3.connect(folder / "store.db")) as opened:
        rows = opened.execute("SELECT id, name, stock FROM products ORDER BY id").fetchall()
    files = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    return rows, [name for name in files if not name.endswith(("-wal", "-shm")) and name != "bad.tar.gz"]


def contents(archive: Path) -> dict[str, bytes]:
    with tarfile.open(archive) as packed:
        return {member.name: packed.extractfile(member).read() for member in packed}  # type: ignore[union-attr]


def pack(files: dict[str, bytes], *more: tarfile.TarInfo, twice: str = "") -> bytes:
    written = io.BytesIO()
    with tarfile.open(fileobj=written, mode="w:gz") as packed:
        for name in [*files, *([twice] if twice else [])]:
            member = tarfile.TarInfo(name)
            member.size = len(files[name])
            packed.addfile(member, io.BytesIO(files[name]))
        for member in more:
            packed.addfile(member, io.BytesIO(b"\0" * member.size) if member.isreg() else None)
    return written.getvalue()


def counted(files: dict[str, bytes], *others: str) -> dict[str, bytes]:
    """With the number of uploads that fits, as an attacker would: it is not what gives the archive away."""
    facts = json.loads(files["manifest.json"])
    facts["uploads"] = sum(name.startswith("uploads/") for name in (*files, *others))
    return files | {"manifest.json": json.dumps(facts).encode()}


def special(name: str, kind: bytes, **attributes: Any) -> Rewrite:
    member = tarfile.TarInfo(name)
    member.type = kind
    for attribute, value in attributes.items():
        setattr(member, attribute, value)
    return lambda files: pack(counted(files, name), member)


def named(name: str) -> Rewrite:
    return lambda files: pack(counted(files | {name: b"x"}))


def manifest(**changes: Any) -> Rewrite:
    return lambda files: pack(
        files | {"manifest.json": json.dumps(json.loads(files["manifest.json"]) | changes).encode()}
    )


def database(change: Callable[[bytes], bytes]) -> Rewrite:
    """With the digest that fits it, as an attacker would."""

    def rewrite(files: dict[str, bytes]) -> bytes:
        changed = change(files["store.db"])
        return manifest(sha256=hashlib.sha256(changed).hexdigest())(files | {"store.db": changed})

    return rewrite


def sql(statement: str) -> Rewrite:
    def change(content: bytes) -> bytes:
        with closing(sqlite3.connect(":memory:")) as opened:
            opened.deserialize(content)
            opened.executescript(statement)
            return opened.serialize()

    return database(change)


def declared_huge(files: dict[str, bytes]) -> bytes:
    """Ten terabytes, by its header."""
    member = tarfile.TarInfo("uploads/pictures/bomb.webp")
    member.size = 10 * 1024**4
    return gzip.compress(member.tobuf(tarfile.GNU_FORMAT) + gzip.decompress(pack(files)))


def long_header(files: dict[str, bytes]) -> bytes:
    """A name of 50 MB, which tarfile would read into memory."""
    member = tarfile.TarInfo("././@LongLink")
    member.type, member.size = tarfile.GNUTYPE_LONGNAME, 50 * 1024**2
    return gzip.compress(member.tobuf(tarfile.GNU_FORMAT) + b"a" * member.size)


HOSTILE: dict[str, Rewrite] = {
    "not gzip": lambda _files: b"hello",
    "empty file": lambda _files: b"",
    "gzip of nonsense": lambda _files: gzip.compress(b"nonsense" * 500),
    "no members": lambda _files: pack({}),
    "truncated gzip": lambda files: pack(files)[:-2_000],
    "truncated early": lambda files: pack(files)[:700],
    "gzip damaged inside": lambda files: (lambda raw: raw[:5_000] + b"\xff" * 400 + raw[5_400:])(pack(files)),
    "wrong checksum of gzip": lambda files: pack(files)[:-8] + b"\0" * 8,
    "endless after its end": lambda files: gzip.compress(gzip.decompress(pack(files)) + b"\0" * 50_000_000),
    "symbolic link": special("uploads/pictures/a.webp", tarfile.SYMTYPE, linkname="/etc/passwd"),
    "link of the folder": special("uploads", tarfile.SYMTYPE, linkname="/etc"),
    "hard link": special("uploads/pictures/a.webp", tarfile.LNKTYPE, linkname="store.db"),
    "device": special("uploads/pictures/a.webp", tarfile.CHRTYPE, devmajor=1, devminor=5),
    "pipe": special("uploads/pictures/a.webp", tarfile.FIFOTYPE),
    "folder": special("uploads/pictures/a.webp", tarfile.DIRTYPE),
    "absolute": named("/tmp/owned-by-an-archive"),
    "upwards": named("uploads/../../owned"),
    "upwards at once": named("../owned"),
    "dot": named("uploads/./pictures/a.webp"),
    "backslash": named("uploads\\..\\owned"),
    "terminal codes": named("uploads/\x1b[2Jx"),
    "name of somewhere else": named("alembic.ini"),
    "long name": named("uploads/" + "a" * 5_000),
    "deep": named("uploads" + "/a" * 500),
    "file and folder": lambda files: pack(counted(files | {"uploads/a": b"", "uploads/a/b": b""})),
    "the same twice": lambda files: pack(files, twice="store.db"),
    "the manifest twice": lambda files: pack(files, twice="manifest.json"),
    "ten terabytes": declared_huge,
    "endless header": long_header,
    "no manifest": lambda files: pack({name: files[name] for name in files if name != "manifest.json"}),
    "no database": lambda files: pack({name: files[name] for name in files if name != "store.db"}),
    "manifest is a list": lambda files: pack(files | {"manifest.json": b"[]"}),
    "manifest is deep": lambda files: pack(files | {"manifest.json": b"[" * 60_000}),
    "manifest is no text": lambda files: pack(files | {"manifest.json": b"\xff\xfe"}),
    "manifest is large": lambda files: pack(files | {"manifest.json": b" " * 200_000}),
    "only the format": lambda files: pack(files | {"manifest.json": b'{"format": 1}'}),
    "revision is a number": manifest(revision=13),
    "revision is head": manifest(revision="head"),
    "revision is nothing": manifest(revision=None),
    "database is a number": manifest(database=1),
    "madeAt is missing": manifest(madeAt=None),
    "uploads are many": manifest(uploads=10**6),
    "uploads are negative": manifest(uploads=-1),
    "another revision than the database's": manifest(revision="0001"),
    "no SQLite file": database(lambda _content: b"hello" * 1_000),
    "half a SQLite file": database(lambda content: content[: len(content) // 2]),
    "pages overwritten": database(lambda content: content[:4_096] + b"\xff" * 65_536 + content[69_632:]),
    "another database": database(lambda _content: _other()),
    "stock that is not the sum of its movements": sql("UPDATE products SET stock = stock + 1 WHERE id = 1"),
    "a table is gone": sql("DROP TABLE order_lines"),
    "a table has another name": sql("ALTER TABLE users RENAME TO persons"),
}


def _other() -> bytes:
    with closing(sqlite3.connect(":memory:")) as opened:
        opened.execute("CREATE TABLE notes (words TEXT)")
        return opened.serialize()


@pytest.mark.attack("hostile archives")
@pytest.mark.parametrize("rewrite", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_archive_is_refused_and_changes_nothing(
    terminal: Terminal, seeded: Path, tmp_path: Path, rewrite: Rewrite
) -> None:
    bad = tmp_path / "bad.tar.gz"
    bad.write_bytes(rewrite(contents(seeded / "store.tar.gz")))
    before = state_of(tmp_path)
    ended = terminal("restore", str(bad), "--force")
    assert ended.returncode == WRONG
    assert ended.stderr.strip()
    assert "\x1b" not in ended.stderr
    assert state_of(tmp_path) == before


def test_a_good_archive_replaces_everything(terminal: Terminal, seeded: Path, tmp_path: Path) -> None:
    assert terminal("restore", str(seeded / "store.tar.gz"), "--force").returncode == OK
    assert state_of(tmp_path) == (state_of(seeded)[0], ["store.db", "uploads/pictures/fern-640.webp"])


def test_a_store_with_a_bucket_says_that_uploads_are_not_restored(terminal: Terminal, seeded: Path) -> None:
    ended = terminal("restore", str(seeded / "store.tar.gz"), "--force", S3_BUCKET="shop-files")
    assert ended.returncode == OK, ended.stderr
    assert "The uploaded files of this backup (1) are not restored" in ended.stderr
    assert "1 uploaded files." not in ended.stderr


@pytest.mark.attack("hostile archives")
def test_a_late_failure_restores_the_old_store(
    terminal: Terminal, seeded: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = state_of(tmp_path)
    put_uploads = old_store.put_uploads

    def put_and_fail(unpacked: Path) -> None:
        put_uploads(unpacked)
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(old_store, "put_uploads", put_and_fail)
    ended = terminal("restore", str(seeded / "store.tar.gz"), "--force")
    assert (ended.returncode, "The store is unchanged" in ended.stderr) == (WRONG, True)
    assert state_of(tmp_path) == before


@pytest.mark.attack("a full disk")
def test_a_database_that_cannot_be_put_back_is_kept_and_named(
    terminal: Terminal, seeded: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By then nothing else is left of it."""

    def disk_full(_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    before = state_of(tmp_path)[0]
    monkeypatch.setattr(old_store, "put_uploads", disk_full)
    monkeypatch.setattr(old_store, "_roll_back", disk_full)
    ended = terminal("restore", str(seeded / "store.tar.gz"), "--force")
    [kept] = tmp_path.glob("old-database*")
    assert ended.returncode == WRONG
    assert f"could not be put back: its database is in {kept}. " in ended.stderr
    assert kept.stat().st_mode & 0o777 == 0o600
    kept.replace(tmp_path / "store.db")
    assert state_of(tmp_path)[0] == before


def test_uploads_that_a_killed_restore_has_moved_away_are_put_back(
    terminal: Terminal, seeded: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_unpacked: Path) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    before = state_of(tmp_path)
    (tmp_path / "uploads").rename(tmp_path / "uploads.old")
    monkeypatch.setattr(old_store, "put_uploads", fail)
    assert terminal("restore", str(seeded / "store.tar.gz"), "--force").returncode == WRONG
    assert state_of(tmp_path) == before


def test_a_refused_archive_leaves_an_empty_target_empty(no_store: Terminal, seeded: Path, tmp_path: Path) -> None:
    bad = tmp_path / "bad.tar.gz"
    bad.write_bytes(HOSTILE["a table is gone"](contents(seeded / "store.tar.gz")))
    assert no_store("restore", str(bad)).returncode == WRONG
    assert not (no_store.folder / "store.db").exists()


def test_an_inconsistent_backup_is_restored_to_an_empty_target_with_a_warning(
    no_store: Terminal, seeded: Path, tmp_path: Path
) -> None:
    """It may be the only backup there is."""
    bad = tmp_path / "bad.tar.gz"
    bad.write_bytes(HOSTILE["stock that is not the sum of its movements"](contents(seeded / "store.tar.gz")))
    ended = no_store("restore", str(bad))
    assert (ended.returncode, "BROKEN" in ended.stdout) == (WRONG, True)
    assert no_store("export-products").returncode == OK


def test_a_damaged_store_can_be_replaced(terminal: Terminal, seeded: Path, tmp_path: Path) -> None:
    for name in ("store.db-wal", "store.db-shm"):
        (tmp_path / name).unlink(missing_ok=True)
    (tmp_path / "store.db").write_bytes(b"no database any more" * 500)
    assert terminal("restore", str(seeded / "store.tar.gz")).returncode == WRONG
    ended = terminal("restore", str(seeded / "store.tar.gz"), "--force")
    assert ended.returncode == OK, ended.stderr
    assert state_of(tmp_path)[0] == state_of(seeded)[0]


@pytest.mark.attack("a full disk")
def test_a_store_that_a_full_disk_keeps_from_being_copied_is_not_replaced(
    terminal: Terminal, seeded: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor moved away like a damaged one: there would be no room to put it back."""

    def disk_full(*_: Path) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    before = state_of(tmp_path)
    monkeypatch.setattr(old_store, "_copy", disk_full)
    ended = terminal("restore", str(seeded / "store.tar.gz"), "--force")
    assert (ended.returncode, "The store is unchanged. database or disk is full" in ended.stderr) == (WRONG, True)
    assert state_of(tmp_path) == before


@pytest.mark.attack("a full disk")
def test_a_full_disk_leaves_no_half_backup(terminal: Terminal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def disk_full(_descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    before = state_of(tmp_path)
    monkeypatch.setattr("os.fsync", disk_full)
    ended = terminal("backup", str(tmp_path / "full.tar.gz"))
    assert (ended.returncode, "No space left" in ended.stderr) == (WRONG, True)
    assert state_of(tmp_path) == before


def test_an_upload_that_is_deleted_during_a_backup_is_left_out(
    terminal: Terminal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = archives._upload_names

    def list_and_delete() -> list[str]:
        names = usual()
        (tmp_path / "uploads" / "pictures" / "newer.webp").unlink()
        return names

    monkeypatch.setattr(archives, "_upload_names", list_and_delete)
    made = terminal("backup", str(tmp_path / "made.tar.gz"))
    assert made.returncode == OK, made.stderr
    assert set(contents(tmp_path / "made.tar.gz")) == {"manifest.json", "store.db", "uploads/pictures/fern-640.webp"}
    restored = terminal("restore", str(tmp_path / "made.tar.gz"), "--force")
    assert restored.returncode == OK, restored.stderr


@pytest.mark.parametrize("name", ["pictures/tmp4x_7ql2k", "Fern: the front.png"])
def test_other_files_in_the_folder_of_uploads_prevent_no_restore(terminal: Terminal, tmp_path: Path, name: str) -> None:
    (tmp_path / "uploads" / name).write_bytes(b"other")
    made = terminal("backup", str(tmp_path / "made.tar.gz"))
    assert made.returncode == OK, made.stderr
    assert f"uploads/{name}" not in contents(tmp_path / "made.tar.gz")
    restored = terminal("restore", str(tmp_path / "made.tar.gz"), "--force")
    assert restored.returncode == OK, restored.stderr


@pytest.mark.attack("hostile archives")
def test_an_archive_larger_than_the_free_space_is_not_unpacked(
    terminal: Terminal, seeded: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive_contents.shutil, "disk_usage", lambda _folder: type("Usage", (), {"free": 1_000}))
    ended = terminal("restore", str(seeded / "store.tar.gz"), "--force")
    assert (ended.returncode, "more disk space than there is" in ended.stderr) == (WRONG, True)
