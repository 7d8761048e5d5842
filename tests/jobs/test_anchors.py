"""The head of the audit trail, kept where nobody who can write to the database can (RULE audit-anchor)."""

from pathlib import Path

import pytest
from sqlalchemy import Engine, text
from sqlmodel import Session

from marketplace_app import db
from marketplace_app.models import User
from marketplace_app.services.buying import orders
from marketplace_app.services.records import audit_log
from tests.builders import make_product, order_form
from tests.conftest import Cast, free_port
from tests.jobs.conftest import OK, WRONG, Terminal
from tests.services.records.test_audit_chain import ALLOW_CHANGES

pytestmark = pytest.mark.slow


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "anchors").mkdir()
    return tmp_path / "anchors"


@pytest.fixture
def no_mail_server() -> dict[str, str]:
    """Settings of one that does not answer."""
    return {"SMTP_HOST": "127.0.0.1", "SMTP_PORT": str(free_port()), "SMTP_SECURITY": "none"}


def test_the_head_of_the_trail_is_kept_in_a_folder_and_in_a_mailbox(
    terminal: Terminal,
    cast: Cast,
    session: Session,
    folder: Path,
    tmp_path: Path,
) -> None:
    product = make_product(session, price_cents=120_00)
    session.commit()
    db.write(lambda s: orders.place(s, s.get(User, cast.alice.id), order_form((product, 1)), key=None))
    mails = tmp_path / "mails"
    kept = terminal("anchor-audit", "--to", str(folder), "--mail", "bookkeeper@example.org", MAIL_FOLDER=str(mails))
    assert kept.returncode == OK, kept.stderr
    head = kept.stdout.strip()
    assert head == terminal("verify-audit", "--head").stdout.strip()
    [file] = folder.iterdir()
    [mail] = mails.iterdir()
    assert file.read_text().startswith(f"{head}  ")
    assert head in mail.read_text()
    assert terminal("verify-audit", "--anchored", head).returncode == OK


def test_the_head_of_the_trail_is_kept_though_its_mail_fails(
    terminal: Terminal, cast: Cast, folder: Path, no_mail_server: dict[str, str]
) -> None:
    failed = terminal("anchor-audit", "--to", str(folder), "--mail", "bookkeeper@example.org", **no_mail_server)
    assert failed.returncode == WRONG
    assert "The mail to bookkeeper@example.org could not be sent" in failed.stderr
    [file] = folder.iterdir()
    assert file.read_text().startswith(f"{terminal('verify-audit', '--head').stdout.strip()}  ")


def test_the_head_of_the_trail_is_mailed_though_its_file_fails(terminal: Terminal, cast: Cast, tmp_path: Path) -> None:
    mails, missing = tmp_path / "mails", tmp_path / "missing"
    failed = terminal("anchor-audit", "--to", str(missing), "--mail", "bookkeeper@example.org", MAIL_FOLDER=str(mails))
    assert (failed.returncode, failed.stderr) == (WRONG, f"{missing} is not a folder.\n")
    [mail] = mails.iterdir()
    assert terminal("verify-audit", "--head").stdout.strip() in mail.read_text()


def test_both_are_reported_if_neither_the_file_nor_the_mail_is_kept(
    terminal: Terminal, cast: Cast, tmp_path: Path, no_mail_server: dict[str, str]
) -> None:
    missing = tmp_path / "missing"
    failed = terminal("anchor-audit", "--to", str(missing), "--mail", "bookkeeper@example.org", **no_mail_server)
    assert failed.returncode == WRONG
    assert f"{missing} is not a folder." in failed.stderr
    assert "The mail to bookkeeper@example.org could not be sent" in failed.stderr


def test_a_broken_trail_is_reported_though_its_mail_fails(
    terminal: Terminal, engine: Engine, session: Session, cast: Cast, no_mail_server: dict[str, str]
) -> None:
    audit_log.append(session, cast.ada, "user.banned", "user:1", reason="Resold")
    for statement in (*ALLOW_CHANGES[engine.dialect.name], "UPDATE audit_entries SET action = 'user.unbanned'"):
        session.execute(text(statement))
    session.commit()
    failed = terminal("anchor-audit", "--mail", "bookkeeper@example.org", **no_mail_server)
    assert failed.returncode == WRONG
    assert "The chain is broken at entry 1." in failed.stderr
