"""Scheduled backups: of a store that goes on selling, encrypted, a number of them kept, in a folder or a bucket."""

import errno
import threading
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import boto3
import pytest
from moto.server import ThreadedMotoServer
from sqlalchemy import Engine, inspect, select, text
from sqlmodel import Session, col

from marketplace_app import clock, db
from marketplace_app.adapters.revisions import current_revision, newest_revision
from marketplace_app.jobs.commands import backup_targets, encryption, old_store
from marketplace_app.jobs.commands.console import CommandError
from marketplace_app.models import Order, Product, User
from marketplace_app.services import backups
from marketplace_app.services.buying import orders
from tests import pgbouncer
from tests.builders import make_product, order_form
from tests.conftest import Cast
from tests.jobs.conftest import OK, USAGE, WRONG, Terminal

pytestmark = pytest.mark.slow


@pytest.fixture
def key(no_store: Terminal, tmp_path: Path) -> tuple[Path, str]:
    """The file of a secret key, and the public key."""
    file = tmp_path / "secret.txt"
    made = no_store("backup-key", str(file))
    assert made.returncode == OK
    assert file.stat().st_mode & 0o077 == 0
    return file, made.stdout.strip()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "backups").mkdir()
    return tmp_path / "backups"


@pytest.fixture
def elsewhere(engine: Engine, terminal: Terminal, tmp_path: Path) -> Iterator[Terminal]:
    """The command line of another store, with an empty database of the same kind."""
    if engine.dialect.name == "sqlite":
        yield Terminal(f"sqlite:///{tmp_path / 'drill' / 'store.db'}", tmp_path / "drill")
        return
    url = engine.url.set(database=f"drill_{engine.url.database}")
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.exec_driver_sql(f"CREATE DATABASE {url.database}")
    yield Terminal(url.render_as_string(hide_password=False), tmp_path / "drill", terminal.environment)
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.exec_driver_sql(f"DROP DATABASE {url.database} WITH (FORCE)")


class Customers:
    """Order one after the other until they are stopped, and remember what was acknowledged."""

    def __init__(self, engine: Engine, people: list[User], product: Product) -> None:
        self._engine = engine
        self.acknowledged: list[str] = []
        self._stopped = threading.Event()
        self._threads = [threading.Thread(target=self._order, args=(user.id, product)) for user in people]

    def __enter__(self) -> "Customers":
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stopped.set()
        for thread in self._threads:
            thread.join()

    def _order(self, user_id: int, product: Product) -> None:
        while not self._stopped.is_set():
            form = order_form((product, 1))
            placed = db.write(lambda s: orders.place(s, s.get(User, user_id), form, key=None), self._engine)  # noqa: B023
            self.acknowledged.append(str(placed["id"]))


def test_a_backup_of_a_selling_store_has_every_order_that_was_acknowledged_before_it(
    engine: Engine,
    session: Session,
    cast: Cast,
    terminal: Terminal,
    elsewhere: Terminal,
    folder: Path,
    key: Any,
) -> None:
    identity, recipient = key
    product = make_product(session, price_cents=120_00, stock=9_000)
    session.commit()
    with Customers(engine, [cast.alice, cast.bob], product) as customers:
        while len(customers.acknowledged) < 5:
            time.sleep(0.01)
        before = list(customers.acknowledged)
        made = terminal("backup", str(folder), BACKUP_RECIPIENT=recipient)
    assert made.returncode == OK, made.stderr
    [archive] = folder.iterdir()
    assert archive.name.endswith(".tar.gz.age")
    restored = elsewhere("restore", str(archive), "--identity", str(identity))
    assert (restored.returncode, restored.stdout.splitlines()[-1]) == (OK, "All invariants hold."), restored.stderr
    drill = pgbouncer.make_engine(elsewhere.url)
    with Session(drill) as after:
        kept = set(after.execute(select(col(Order.id))).scalars())
    drill.dispose()
    assert set(before) <= kept <= set(customers.acknowledged)


A_LATER_VERSION = {
    "sqlite": ("CREATE TABLE later (id INTEGER PRIMARY KEY, user_id INTEGER REFERENCES users (id))",),
    "postgresql": (
        "CREATE TABLE later (id INTEGER PRIMARY KEY, user_id INTEGER REFERENCES users (id))",
        "CREATE FUNCTION later() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'",
        "CREATE TRIGGER later AFTER UPDATE ON users EXECUTE FUNCTION later()",
    ),
}


@pytest.mark.parametrize("is_sound", [True, False])
def test_a_backup_from_before_an_upgrade_replaces_the_upgraded_store(
    engine: Engine, session: Session, cast: Cast, terminal: Terminal, tmp_path: Path, is_sound: bool
) -> None:
    """Nothing is left of what the later version has added; if the backup is not sound, all of it comes back."""
    if not is_sound:
        make_product(session, stock=9)
        session.commit()
        session.execute(text("UPDATE products SET stock = stock + 1"))
        session.commit()
    file = tmp_path / "before.tar.gz"
    assert terminal("backup", str(file)).returncode == OK
    later = (*A_LATER_VERSION[engine.dialect.name], f"INSERT INTO later VALUES (1, {cast.bob.id})")
    for statement in (*later, "UPDATE alembic_version SET version_num = '9999'"):
        session.execute(text(statement))
    session.commit()
    session.close()
    engine.dispose()
    ended = terminal("restore", str(file), "--force")
    assert ended.returncode == (OK if is_sound else WRONG), ended.stderr
    assert inspect(engine).has_table("later") is not is_sound
    found = db.read(current_revision, engine)
    assert found == (newest_revision() if is_sound else "9999")
    if is_sound:
        for statement in A_LATER_VERSION[engine.dialect.name]:
            session.execute(text(statement))


def test_a_restore_that_fails_late_leaves_an_empty_store_empty(
    terminal: Terminal, elsewhere: Terminal, cast: Cast, tmp_path: Path
) -> None:
    def fail(_unpacked: Path) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    file = tmp_path / "store.tar.gz"
    assert terminal("backup", str(file)).returncode == OK
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(old_store, "put_uploads", fail)
        refused = elsewhere("restore", str(file))
    assert (refused.returncode, "The store is still empty." in refused.stderr) == (WRONG, True)
    again = elsewhere("restore", str(file))
    assert again.returncode == OK, again.stderr


def test_an_encrypted_backup_needs_its_own_key(
    no_store: Terminal, folder: Path, key: tuple[Path, str], tmp_path: Path
) -> None:
    no_store("seed")
    file = folder / "store.age"
    assert no_store("backup", str(file), BACKUP_RECIPIENT=key[1]).returncode == OK
    other = tmp_path / "other.txt"
    no_store("backup-key", str(other))
    (tmp_path / "no-key.txt").write_text("hello")
    before = no_store("export-products").stdout
    for options, why in (
        ((), "This backup is encrypted: name the file of its secret key with --identity."),
        (("--identity", str(other)), "The backup could not be decrypted with this key:"),
        (("--identity", str(tmp_path / "no-key.txt")), "does not contain a secret key of age"),
        (("--identity", str(tmp_path / "missing.txt")), "could not be read: No such file"),
    ):
        refused = no_store("restore", str(file), "--force", *options)
        assert refused.returncode == WRONG
        assert why in refused.stderr
    file.write_bytes(file.read_bytes()[:-1_000])
    cut_short = no_store("restore", str(file), "--force", "--identity", str(key[0]))
    assert cut_short.returncode == WRONG
    assert "The backup is damaged or incomplete" in cut_short.stderr
    assert no_store("export-products").stdout == before


def test_a_full_disk_is_not_called_a_damaged_backup(
    tmp_path: Path, key: tuple[Path, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def decrypt(*_: object) -> None:
        raise OSError("No space left on device (os error 28)")  # as pyrage says it

    monkeypatch.setattr(encryption.pyrage, "decrypt_file", decrypt)
    with pytest.raises(CommandError, match="its content could not be written: No space left"):
        encryption.decrypt(tmp_path / "store.age", tmp_path / "store", key[0])


def test_a_truncated_encrypted_backup_is_refused(no_store: Terminal, folder: Path, key: tuple[Path, str]) -> None:
    no_store("seed")
    file = folder / "store.age"
    no_store("backup", str(file), BACKUP_RECIPIENT=key[1])
    file.write_bytes(file.read_bytes()[:-1000])
    refused = no_store("restore", str(file), "--force", "--identity", str(key[0]))
    assert (refused.returncode, "Traceback" in refused.stderr) == (WRONG, False)
    assert no_store("check-invariants").returncode == OK


def test_a_key_is_never_overwritten_and_a_wrong_one_is_refused(
    no_store: Terminal, folder: Path, key: tuple[Path, str]
) -> None:
    before = key[0].read_text()
    assert no_store("backup-key", str(key[0])).returncode == WRONG
    assert key[0].read_text() == before
    no_store("seed")
    refused = no_store("backup", str(folder), BACKUP_RECIPIENT="age1nonsense")
    assert refused.returncode == WRONG
    assert refused.stderr.splitlines() == [
        "BACKUP_RECIPIENT is not a public key of age (age1…). Make one with backup-key."
    ]
    assert list(folder.iterdir()) == []


@pytest.fixture
def passing_days(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Each call is a day later."""
    days = [0]
    now = clock.now
    monkeypatch.setattr(clock, "now", lambda: now() + timedelta(days=days[0]))

    def pass_a_day() -> None:
        days[0] += 1

    return pass_a_day


def test_the_newest_backups_are_kept_and_other_files_are_left_alone(
    no_store: Terminal, folder: Path, passing_days: Callable[[], None]
) -> None:
    no_store("seed")
    others = {"notes.txt", "store-by-hand.tar.gz"}
    for name in others:
        (folder / name).write_text("mine")
    for _ in range(4):
        assert no_store("backup", str(folder), "--keep", "2").returncode == OK
        passing_days()
    names = sorted(each.name for each in folder.iterdir() if each.name not in others)
    assert len(names) == 2
    assert all(map(backup_targets.NAME.fullmatch, names))
    assert others <= {each.name for each in folder.iterdir()}


def test_a_backup_counts_although_older_ones_cannot_be_deleted(
    no_store: Terminal, folder: Path, passing_days: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_folder: backup_targets.FolderTarget, _name: str) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    no_store("seed")
    no_store("backup", str(folder))
    passing_days()
    monkeypatch.setattr(backup_targets.FolderTarget, "delete", refuse)
    made = no_store("backup", str(folder), "--keep", "1")
    assert (made.returncode, made.stdout.startswith("Written to ")) == (WRONG, True)
    assert "The older backups could not be deleted: " in made.stderr
    engine = pgbouncer.make_engine(no_store.url)
    last = db.read(backups.last, engine)
    engine.dispose()
    assert last is not None
    assert abs((clock.now() - last).total_seconds()) < 60


@pytest.mark.parametrize(
    ("arguments", "code", "why"),
    [
        (("backup", "{folder}", "--keep", "0"), USAGE, "a whole number of at least 1 is expected"),
        (("backup", "{folder}", "--keep", "10001"), USAGE, "is expected, and at most 10,000"),
        (("backup", "{folder}", "--keep", "²"), USAGE, "a whole number of at least 1 is expected"),
        (("backup", "{folder}/store.tar.gz", "--keep", "3"), WRONG, "--keep deletes old backups in a folder"),
        (("backup", "{folder}/no/such/place.tar.gz"), WRONG, "could not be written"),
        (("backup", "{folder}/missing/"), WRONG, "missing/. Create it first."),
        (("backup", "s3://"), WRONG, "names no bucket"),
        (("restore", "s3://backups", "--force"), WRONG, "names no file: write s3://BUCKET/PREFIX/NAME"),
        (("restore", "s3://backups/nightly/", "--force"), WRONG, "names no file: write s3://BUCKET/PREFIX/NAME"),
        (("anchor-audit",), USAGE, "needs --to, --mail or both"),
        (("anchor-audit", "--to", "{folder}/missing"), WRONG, "is not a folder"),
    ],
)
def test_an_impossible_target_is_refused_in_a_sentence(
    no_store: Terminal, folder: Path, arguments: tuple[str, ...], code: int, why: str
) -> None:
    no_store("seed")
    refused = no_store(*(argument.format(folder=folder) for argument in arguments))
    assert refused.returncode == code
    assert why in refused.stderr
    assert list(folder.iterdir()) == []


def test_the_time_of_the_last_backup_is_known(
    terminal: Terminal,
    engine: Engine,
    folder: Path,
) -> None:
    assert db.read(backups.last) is None
    assert terminal("backup", str(folder)).returncode == OK
    last = db.read(backups.last)
    assert last is not None
    assert abs((clock.now() - last).total_seconds()) < 60


@pytest.fixture
def bucket(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, str]]:
    """Settings of a bucket of a local S3 server."""
    server = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    endpoint = f"http://{host}:{port}"
    boto3.client(
        "s3", endpoint_url=endpoint, region_name="us-east-1", aws_access_key_id="key", aws_secret_access_key="secret"
    ).create_bucket(Bucket="backups")
    yield {"S3_ENDPOINT": endpoint, "S3_KEY": "key", "S3_SECRET": "secret"}
    server.stop()


def test_backups_and_anchors_are_kept_in_a_bucket(
    no_store: Terminal, bucket: dict[str, str], passing_days: Callable[[], None], tmp_path: Path
) -> None:
    no_store("seed")
    no_store.environment |= bucket
    for _ in range(3):
        made = no_store("backup", "s3://backups/nightly", "--keep", "2")
        assert made.returncode == OK, made.stderr
        passing_days()
    assert no_store("anchor-audit", "--to", "s3://backups/anchors").returncode == OK
    [place] = [line.split()[2] for line in made.stdout.splitlines() if line.startswith("Written to")]
    other = Terminal(f"sqlite:///{tmp_path / 'other' / 'store.db'}", tmp_path / "other", bucket)
    assert other("restore", place).returncode == OK
    missing = other("restore", "s3://backups/nightly/none.tar.gz", "--force")
    assert (missing.returncode, "There is no such file or bucket." in missing.stderr) == (WRONG, True)
    refused = no_store("backup", "s3://somebody-elses/nightly")
    assert refused.returncode == WRONG
    assert refused.stderr.splitlines()[-1] == "There is no such file or bucket."
