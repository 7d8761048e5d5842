"""What `/admin/health` and its route say of each part of the store, when it works and when it does not."""

import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import Any, NamedTuple

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import Engine, text
from sqlmodel import Session

from marketplace_app import clock, db
from marketplace_app.adapters import live, revisions
from marketplace_app.limits import MAIL_RETRY_MINUTES
from marketplace_app.models import Counter, OutboxMessage, TimetableTask
from marketplace_app.services import backups
from marketplace_app.services.admin import health
from marketplace_app.services.records import audit_log
from tests import pgbouncer
from tests.conftest import Cast, SignIn, free_port

Configure = Callable[..., None]
SECRET = "hunter2hunter2"  # noqa: S105 - it must not be shown


class Provider(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200 if self.path == "/well/.well-known/openid-configuration" else 418)
        self.end_headers()

    def log_message(self, *_: Any) -> None:
        """Nothing on the terminal."""


@pytest.fixture
def provider() -> Iterator[str]:
    server = HTTPServer(("127.0.0.1", 0), Provider)
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.fixture
def owner(cast: Cast, as_user: SignIn, configure: Configure, provider: str) -> TestClient:
    configure(OIDC_ISSUER=f"{provider}/well")
    return as_user(cast.ada)


def checks(client: TestClient) -> dict[str, dict[str, Any]]:
    answer = client.get("/api/admin/health").json()
    found = {check["part"]: check for check in answer["checks"]}
    assert answer["isOk"] == all(check["isOk"] for check in found.values())
    assert all(bool(check["advice"]) != check["isOk"] for check in found.values()), "advice exactly where it is needed"
    return found


def test_a_new_store_lacks_only_a_backup(owner: TestClient, engine: Engine, session: Session) -> None:
    with ExitStack() as stack:
        if engine.dialect.name == "postgresql":
            stack.callback(live.listen(pgbouncer.direct_url(engine)))
            wait_for_listener(session)
        found = checks(owner)
    assert [name for name, check in found.items() if not check["isOk"]] == ["backup"]
    assert found["backup"]["says"] == "None has been made yet."
    assert found["mail"]["says"] == "None is waiting."


def wait_for_listener(session: Session) -> None:
    for _ in range(100):
        seen = text("SELECT count(*) FROM pg_stat_activity WHERE application_name = :name")
        if session.execute(seen, {"name": live.APPLICATION_NAME}).scalar_one():
            return
        session.rollback()
        time.sleep(0.05)
    raise AssertionError("nobody listens")


@pytest.mark.parametrize("engine", ["postgresql"], indirect=True)
def test_workers_that_do_not_run_need_attention(owner: TestClient) -> None:
    worker = checks(owner)["workers"]
    assert not worker["isOk"]
    assert worker["says"].startswith("0 running")


@pytest.mark.parametrize(
    ("hours", "says", "is_ok"),
    [(25, "The last one is 25 hours old.", True), (27, "The last one is 27 hours old.", False)],
)
def test_a_backup_needs_attention_when_the_next_is_overdue(
    owner: TestClient, session: Session, hours: int, says: str, is_ok: bool
) -> None:
    db.write(backups.record)
    assert checks(owner)["backup"]["says"] == "The last one is under a minute old."
    session.merge(Counter(name=backups._LAST, text_value=clock.iso(clock.now() - timedelta(hours=hours))))
    session.commit()
    backup = checks(owner)["backup"]
    assert (backup["says"], backup["isOk"]) == (says, is_ok)


class Queued(NamedTuple):
    hours: float
    attempts: int
    says: str
    is_ok: bool


@pytest.mark.parametrize(
    "queued",
    [
        Queued(0.1, 1, "The oldest of 1 unsent has waited for 6 minutes.", True),
        Queued(2, 3, "The oldest of 1 unsent has waited for 2 hours.", False),
        Queued(
            49, len(MAIL_RETRY_MINUTES) + 1, "None is waiting. 1 could not be sent and will not be tried again.", False
        ),
    ],
)
def test_mail_that_waits_for_long_or_was_given_up_needs_attention(
    owner: TestClient, session: Session, queued: Queued
) -> None:
    at = clock.now() - timedelta(hours=queued.hours)
    session.add(OutboxMessage(kind="x", recipient=SECRET, created_at=at, next_attempt_at=at, attempts=queued.attempts))
    session.commit()
    mail = checks(owner)["mail"]
    assert (mail["says"], mail["isOk"]) == (queued.says, queued.is_ok)
    assert ("marketplace_app resend-mail --all" in mail["advice"]) == ("will not be tried" in queued.says)


@pytest.mark.parametrize(
    ("minutes", "error", "says", "is_ok"),
    [
        (14, None, "No task is late.", True),
        (120, None, "Erase birth dates has been due for 2 hours.", False),
        (1, "OperationalError", "Erase birth dates fails (OperationalError) and is tried again.", False),
    ],
)
def test_a_task_that_fails_or_is_late_needs_attention(
    owner: TestClient, session: Session, minutes: float, error: str | None, says: str, is_ok: bool
) -> None:
    due_at = clock.now() - timedelta(minutes=minutes)
    session.add(TimetableTask(task="erase_birth_dates", due_at=due_at, last_error=error))
    session.commit()
    timetable = checks(owner)["timetable"]
    assert (timetable["says"], timetable["isOk"]) == (says, is_ok)


def test_an_audit_trail_that_does_not_end_at_its_head_needs_attention(
    owner: TestClient, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(health, "RECENT_AUDIT_ENTRIES", 2)
    for number in range(4):
        db.write(lambda s, n=number: audit_log.append(s, None, "order.placed", f"order:{n}"))  # type: ignore[misc]
    assert checks(owner)["audit"]["says"].endswith("the newest 2, all unchanged.")
    session.execute(text("UPDATE counters SET text_value = 'other' WHERE name = :name"), {"name": audit_log.AUDIT_HEAD})
    session.commit()
    assert checks(owner)["audit"]["says"] == "The chain is broken."


def test_an_audit_entry_that_was_rolled_back_is_neither_counted_nor_reported_missing(
    owner: TestClient, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(health, "RECENT_AUDIT_ENTRIES", 2)
    audit_log.append(session, None, "order.placed", "order:0")  # PostgreSQL does not give its id to another entry
    session.rollback()
    for number in range(4):
        db.write(lambda s, n=number: audit_log.append(s, None, "order.placed", f"order:{n}"))  # type: ignore[misc]
    audit = checks(owner)["audit"]
    assert (audit["says"], audit["isOk"]) == ("Entries: 4. Checked just now: the newest 2, all unchanged.", True)


@pytest.mark.parametrize(
    ("path", "says", "is_ok"),
    [
        ("", "The identity provider answers with 418.", False),
        ("/well", "The identity provider answers.", True),
    ],
)
def test_an_identity_provider_that_does_not_serve_needs_attention(
    owner: TestClient, configure: Configure, provider: str, path: str, says: str, is_ok: bool
) -> None:
    configure(OIDC_ISSUER=provider + path)
    sign_in = checks(owner)["signIn"]
    assert (sign_in["says"], sign_in["isOk"]) == (says, is_ok)


def test_nothing_that_is_down_shows_a_host_or_a_password(owner: TestClient, configure: Configure) -> None:
    port = free_port()
    configure(OIDC_ISSUER=f"http://127.0.0.1:{port}", REDIS_URL=f"redis://:{SECRET}@127.0.0.1:{port}/0")
    answer = owner.get("/api/admin/health")
    found = {check["part"]: check for check in answer.json()["checks"]}
    assert not found["redis"]["isOk"]
    assert found["signIn"]["says"] == "The identity provider cannot be reached."
    assert SECRET not in answer.text
    assert str(port) not in answer.text


def test_a_nearly_full_disk_needs_attention(owner: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = shutil.disk_usage("/")._replace(total=100_000_000_000, free=4_000_000_000)
    monkeypatch.setattr(shutil, "disk_usage", lambda _path: usage)
    disk = checks(owner)["disk"]
    assert (disk["isOk"], disk["says"]) == (False, "4.0 of 100.0 GB free.")


@pytest.mark.parametrize(
    ("others", "of_sheets", "says"),
    [
        ((100, 90), (100, 1), "1.0 of 100.0 GB free."),
        ((10, 5), (1_000, 6), "6.0 of 1,000.0 GB free."),  # more than the other disk has, but less than 5 % of it
    ],
)
def test_the_disk_of_the_run_sheets_is_checked_too(
    owner: TestClient,
    configure: Configure,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    others: tuple[int, int],
    of_sheets: tuple[int, int],
    says: str,
) -> None:
    """Each disk by its size and what is free, in GB."""
    sheets = tmp_path / "sheets"
    sheets.mkdir()
    configure(RUN_SHEETS=str(sheets))
    real = shutil.disk_usage("/")

    def usage(path: Path) -> Any:
        total, free = of_sheets if path == sheets else others
        return real._replace(total=total * 10**9, free=free * 10**9)

    monkeypatch.setattr(shutil, "disk_usage", usage)
    disk = checks(owner)["disk"]
    assert (disk["isOk"], disk["says"]) == (False, says)


def test_everything_that_is_wrong_is_in_readyz(
    client: TestClient, configure: Configure, monkeypatch: pytest.MonkeyPatch
) -> None:
    port = free_port()
    configure(REDIS_URL=f"redis://:{SECRET}@127.0.0.1:{port}/0")
    gone = db.make_engine(f"postgresql+psycopg://nobody:{SECRET}@127.0.0.1:{port}/none")
    monkeypatch.setattr(db, "get_engine", lambda: gone)
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["reason"]) == (503, "database")
    assert [each["message"] for each in answer.json()["problems"]] == [
        "The database cannot be reached.",
        "Redis does not answer.",
    ]
    assert SECRET not in answer.text


@pytest.mark.parametrize(
    ("newest", "advice"),
    [("0001", "Start the newer version of the store here as well."), ("9999", "Restart the store")],
)
def test_migrations_that_do_not_fit_need_attention(
    owner: TestClient, monkeypatch: pytest.MonkeyPatch, newest: str, advice: str
) -> None:
    """A process that is older than its database cannot apply anything, however often it is started."""
    monkeypatch.setattr(revisions, "newest_revision", lambda: newest)
    monkeypatch.setattr(health, "newest_revision", lambda: newest)
    found = checks(owner)["migrations"]
    assert not found["isOk"]
    assert f"this version needs {newest}." in found["says"]
    assert found["advice"].startswith(advice)
