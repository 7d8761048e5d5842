"""The command line, as somebody at a terminal runs it: on SQLite, and on PostgreSQL where that differs."""

import argparse
import contextlib
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import tarfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from sqlalchemy import Engine, text
from sqlmodel import Session, col, select

from marketplace_app import db
from marketplace_app.jobs.commands import console, make_parser, postgresql
from marketplace_app.models import AuditEntry, Counter, Order, Product, Role, User
from marketplace_app.services import backups, invariants
from marketplace_app.services.buying import orders
from marketplace_app.services.records import audit_log
from tests.builders import make_product, order_form
from tests.conftest import Cast
from tests.databases import ROOT
from tests.jobs.conftest import OK, USAGE, WRONG, Terminal
from tests.services.records.test_audit_chain import ALLOW_CHANGES

pytestmark = pytest.mark.slow


@pytest.fixture
def fern(session: Session, cast: Cast) -> Product:
    """A product, an order of it, and an entry in the audit trail."""
    product = make_product(session, price_cents=120_00, stock=9)
    session.commit()
    db.write(lambda s: orders.place(s, s.get(User, cast.alice.id), order_form((product, 2)), key="once"))
    return product


@pytest.fixture
def picture(tmp_path: Path) -> Path:
    file = tmp_path / "uploads" / "pictures" / "fern-640.webp"
    file.parent.mkdir(parents=True)
    file.write_bytes(b"picture")
    return file


def test_help_names_every_command_and_exit_code(no_store: Terminal) -> None:
    overview = no_store("--help").stdout
    [commands] = [each for each in make_parser()._actions if isinstance(each, argparse._SubParsersAction)]
    assert {"seed", "make-owner", "check-invariants"} <= commands.choices.keys()
    for name in commands.choices:
        assert re.search(rf"^ +{name}( |$)", overview, re.MULTILINE), f"{name} is missing"
        shown = no_store(name, "--help")
        assert (shown.returncode, shown.stdout.splitlines()[0].startswith("usage:")) == (OK, True)
    assert "Exit codes: 0" in overview


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("fly",),
        ("make-owner",),
        ("backup",),
        ("seed", "--orders", "5"),
        ("seed", "--scale", "--orders", "many"),
        ("seed", "--scale", "--orders", "0"),
        ("seed", "--scale", "--orders", "10000001"),
    ],
)
def test_unknown_arguments_exit_with_2(no_store: Terminal, arguments: tuple[str, ...]) -> None:
    refused = no_store(*arguments)
    assert refused.returncode == USAGE
    assert refused.stderr
    assert not Path(no_store.folder / "store.db").exists()


@pytest.mark.parametrize("number", ["²", "9" * 5_000])
def test_a_number_of_other_digits_or_too_many_is_refused_in_a_sentence(no_store: Terminal, number: str) -> None:
    refused = no_store("seed", "--scale", "--orders", number)
    assert refused.returncode == USAGE
    assert "a whole number from 1 to 10,000,000 is expected" in refused.stderr


def run_without_reader(no_store: Terminal, command: str) -> tuple[int, str]:
    """Run a command whose output nobody reads. Returns its exit code and what it says on stderr."""
    program = f"""
import argparse, sys
from marketplace_app.jobs import commands
parser = argparse.ArgumentParser()
parser.set_defaults(run=lambda _: {command})
commands.make_parser = lambda: parser
sys.exit(commands.main([]))
"""
    environment = os.environ | {"PYTHONWARNINGS": "ignore"} | no_store.variables
    environment.pop("PYTHONUNBUFFERED", None)  # with it, there is nothing left to write at the exit
    reader, writer = os.pipe()
    os.close(reader)
    try:
        ended = subprocess.run(
            [sys.executable, "-c", program],
            cwd=ROOT,
            env=environment,
            stdout=writer,
            stderr=subprocess.PIPE,
            text=True,
            timeout=120,
        )
    finally:
        os.close(writer)
    return ended.returncode, ended.stderr


@pytest.mark.parametrize("code", [OK, WRONG])
def test_a_reader_that_has_stopped_reading_changes_no_exit_code(no_store: Terminal, code: int) -> None:
    assert run_without_reader(no_store, f'print("One line") or {code}') == (code, "")


def test_a_command_that_could_not_end_because_nobody_reads_has_failed(no_store: Terminal) -> None:
    assert run_without_reader(no_store, f'print("One line", flush=True) or {OK}') == (WRONG, "")


def test_a_wrong_setting_is_named(no_store: Terminal) -> None:
    refused = no_store.in_a_process("verify-audit", PORT="many")
    assert refused.returncode == USAGE
    assert "PORT" in refused.stderr
    assert "Traceback" not in refused.stderr


@pytest.mark.parametrize("url", ["mysql://127.0.0.1/store", "postgresql://127.0.0.1/store", "store.db"])
def test_another_kind_of_database_is_a_wrong_setting(no_store: Terminal, url: str) -> None:
    refused = no_store.in_a_process("check-invariants", DATABASE_URL=url)
    assert refused.returncode == USAGE
    assert "DATABASE_URL must begin with sqlite:/// or postgresql+psycopg://" in refused.stderr
    assert "Traceback" not in refused.stderr


@pytest.mark.parametrize("command", ["check-invariants", "seed"])
def test_a_database_of_a_newer_version_asks_for_that_version(no_store: Terminal, command: str) -> None:
    no_store("seed")
    with contextlib.closing(sqlite3.connect(no_store.folder / "store.db")) as database, database:
        database.execute("UPDATE alembic_version SET version_num = '9999'")
    refused = no_store(command)
    assert refused.returncode == WRONG
    assert "The database is at migration 9999" in refused.stderr
    assert "use the newer version of the store" in refused.stderr
    assert "Traceback" not in refused.stderr


@pytest.mark.parametrize(
    "arguments",
    [("verify-audit",), ("check-invariants",), ("make-owner", "a@b.c"), ("export-products",), ("resend-mail",)],
)
def test_commands_do_not_create_a_missing_store(no_store: Terminal, arguments: tuple[str, ...]) -> None:
    refused = no_store(*arguments)
    assert refused.returncode == WRONG
    assert "There is no database at" in refused.stderr
    assert not (no_store.folder / "store.db").exists()


def test_seed_fills_an_empty_store_once(no_store: Terminal) -> None:
    first, again = no_store.in_a_process("seed"), no_store("seed")
    assert (first.returncode, first.stdout) == (OK, "66 products written.\n")
    assert (again.returncode, again.stdout) == (OK, "The store already has products: nothing written.\n")
    scaled = no_store("seed", "--scale", "--products", "20", "--users", "10", "--orders", "30")
    assert scaled.returncode == OK, scaled.stderr
    assert "30 of 30 orders" in scaled.stderr
    assert no_store("check-invariants").stdout.endswith("All invariants hold.\n")
    assert no_store("seed", "--scale").returncode == WRONG


def test_products_go_out_and_come_back_unchanged(terminal: Terminal, fern: Product, tmp_path: Path) -> None:
    file = tmp_path / "products.csv"
    assert terminal("export-products", str(file)).returncode == OK
    assert terminal.in_a_process("export-products").stdout == file.read_text(encoding="utf-8")
    report = terminal("import-products", str(file))
    assert (report.returncode, report.stdout) == (OK, "0 created, 0 updated, 1 unchanged.\n")


def test_an_export_that_fails_leaves_nothing_behind(terminal: Terminal, tmp_path: Path) -> None:
    taken = tmp_path / "products.csv"
    taken.mkdir()  # so that the file cannot take this name
    answer = terminal("export-products", str(taken))
    assert answer.returncode != OK
    assert str(taken) in answer.stderr
    assert list(tmp_path.iterdir()) == [taken]


def test_an_import_can_be_tried_before_it_is_applied(
    terminal: Terminal, session: Session, fern: Product, tmp_path: Path
) -> None:
    file = tmp_path / "products.csv"
    terminal("export-products", str(file))
    file.write_text(file.read_text(encoding="utf-8").replace("Fern Hollow", "Fern Hollow II"), encoding="utf-8")
    tried = terminal("import-products", str(file), "--dry-run")
    assert tried.stdout.splitlines() == [
        f"line 2, {fern.sku}, name: Fern Hollow -> Fern Hollow II",
        "0 would be created, 1 would be updated, 0 unchanged.",
    ]
    session.rollback()
    assert session.get_one(Product, fern.id, populate_existing=True).name == "Fern Hollow"
    session.rollback()
    done = terminal("import-products", str(file))
    assert (done.returncode, done.stdout) == (OK, "0 created, 1 updated, 0 unchanged.\n")
    assert session.get_one(Product, fern.id, populate_existing=True).name == "Fern Hollow II"


def test_bad_lines_are_reported_one_by_one_and_nothing_is_written(
    terminal: Terminal, session: Session, fern: Product, tmp_path: Path
) -> None:
    file = tmp_path / "products.csv"
    terminal("export-products", str(file))
    file.write_text(file.read_text(encoding="utf-8").replace("120.00", "much"), encoding="utf-8")
    for arguments in (("import-products", str(file), "--dry-run"), ("import-products", str(file))):
        refused = terminal(*arguments)
        assert refused.returncode == WRONG
        assert refused.stdout.startswith("line 2, price: ")
        assert "Nothing was imported: 1 mistake to correct." in refused.stderr
    assert terminal("import-products", str(tmp_path / "none.csv")).returncode == WRONG


def test_a_user_who_has_signed_in_becomes_an_owner(terminal: Terminal, session: Session, cast: Cast) -> None:
    made, again = terminal("make-owner", "Bob@example.org"), terminal("make-owner", "bob@example.org")
    assert (made.returncode, made.stdout) == (OK, "bob@example.org is an owner now.\n")
    assert (again.returncode, again.stdout) == (OK, "bob@example.org is already an owner.\n")
    session.refresh(cast.bob)
    assert (cast.bob.role, cast.bob.granted_role) == (Role.OWNER, Role.OWNER)
    entry = session.exec(select(AuditEntry)).one()
    assert (entry.actor_id, entry.action, entry.details) == (None, "user.role", {"from": "customer", "to": "owner"})


@pytest.mark.parametrize(
    ("email", "why"), [("nobody@example.org", "Ask them to sign in once"), ("charlie@example.org", "is banned")]
)
def test_an_impossible_owner_is_refused_with_the_reason(terminal: Terminal, cast: Cast, email: str, why: str) -> None:
    refused = terminal("make-owner", email)
    assert refused.returncode == WRONG
    assert why in refused.stderr


def test_the_chain_is_verified_and_a_break_found(
    terminal: Terminal, engine: Engine, session: Session, fern: Product
) -> None:
    whole = terminal("verify-audit")
    assert (whole.returncode, whole.stdout) == (OK, "The chain is intact. Entries: 1.\n")
    for statement in (*ALLOW_CHANGES[engine.dialect.name], "UPDATE audit_entries SET action = 'order.hidden'"):
        session.execute(text(statement))
    session.commit()
    broken = terminal("verify-audit")
    assert broken.returncode == WRONG
    assert broken.stdout.startswith("The chain is broken at entry 1.")


@pytest.mark.attack("the audit trail rewritten")
def test_a_rewritten_chain_does_not_match_an_anchored_head(
    terminal: Terminal, engine: Engine, session: Session, cast: Cast, fern: Product
) -> None:
    """Whoever can write to the whole table passes without the head, which is kept where they cannot write."""
    for number in range(3):
        audit_log.append(session, cast.ada, "user.banned", f"user:{number}", reason="Resold")
    session.commit()
    stored = terminal("verify-audit", "--head")
    assert (stored.returncode, re.fullmatch(r"4:[0-9a-f]{64}\n", stored.stdout) is not None) == (OK, True)
    audit_log.append(session, cast.ada, "user.unbanned", "user:1")
    session.commit()
    head = stored.stdout.strip()
    grown = terminal("verify-audit", "--anchored", head)
    assert (grown.returncode, grown.stdout.splitlines()[-1]) == (OK, "It goes through the anchored head of entry 4.")

    rewrite(session, engine)
    assert terminal("verify-audit").returncode == OK
    rewritten = terminal("verify-audit", "--anchored", head)
    assert rewritten.returncode == WRONG
    assert rewritten.stdout.startswith("The chain is intact, but does not go through the anchored head of entry 4:")
    count, _, sealed = terminal("verify-audit", "--head").stdout.strip().partition(":")
    assert terminal("verify-audit", "--anchored", f"{int(count) - 1}:{sealed}").returncode == WRONG


def rewrite(session: Session, engine: Engine) -> None:
    """Past the triggers: another first entry, and all hashes computed again."""
    for statement in ALLOW_CHANGES[engine.dialect.name]:
        session.execute(text(statement))
    last = ""
    for entry in session.scalars(select(AuditEntry).order_by(col(AuditEntry.id))):
        if not last:
            entry.subject = "order:never"
        entry.previous_hash = last
        entry.hash = last = audit_log.seal(entry)
    session.get_one(Counter, audit_log.AUDIT_HEAD).text_value = last
    session.commit()


def test_a_head_is_printed_only_for_an_intact_chain(
    terminal: Terminal, engine: Engine, session: Session, fern: Product
) -> None:
    for statement in (*ALLOW_CHANGES[engine.dialect.name], "UPDATE audit_entries SET action = 'order.hidden'"):
        session.execute(text(statement))
    session.commit()
    broken = terminal("verify-audit", "--head")
    assert (broken.returncode, broken.stdout) == (WRONG, "")
    assert "broken at entry 1" in broken.stderr


@pytest.mark.parametrize("head", ["5", "5:abc", ":", "-1:" + "a" * 64, "5:" + "g" * 64])
def test_an_invalid_head_is_refused(terminal: Terminal, fern: Product, head: str) -> None:
    refused = terminal("verify-audit", f"--anchored={head}")
    assert (refused.returncode, "expected COUNT:HASH" in refused.stderr) == (USAGE, True)


Break = Callable[[Session], None]


def _sql(*statements: str) -> Break:
    def execute(session: Session) -> None:
        for each in statements:
            session.execute(text(each))

    return execute


def _on_a_run(*statements: str, departed: bool = True, twice: bool = False) -> Break:
    """All orders, as they are, on a run, then the statements. `twice`: the statements first, then each order twice."""
    left = "'2026-01-01'" if departed else "NULL"
    run = (
        "INSERT INTO runs (id, day, driver_id, vehicle, planned_by_id, planned_at, departed_at)"
        f" VALUES (1, '2026-01-01', 1, '', 1, '2026-01-01', {left})"
    )
    stop = (
        "INSERT INTO run_stops (run_id, order_id, position, added_at, wrong_pins)"
        " SELECT 1, id, 1, '2026-01-01', 0 FROM orders"
    )
    return _sql(*statements, run, stop, stop) if twice else _sql(run, stop, *statements)


BREAKS: dict[str, Break] = {
    "stock is the sum of its movements": _sql("UPDATE products SET stock = stock + 1"),
    "stock for orders was taken exactly once": _sql(
        "UPDATE stock_movements SET change = change - 1 WHERE order_id IS NOT NULL"
    ),
    "orders on a run that is out": _on_a_run(),
    "orders that have ended are on no run": _on_a_run("UPDATE orders SET status = 'cancelled'", departed=False),
    "all stops of a run that is closed": _on_a_run("UPDATE runs SET closed_at = '2026-01-02'"),
    "an order is on one run": _on_a_run("DROP INDEX uq_run_stops_open_order", twice=True),
    "attempts are the stops that failed": _sql(
        "INSERT INTO order_deliveries (order_id, zone_name, promised_by, door_pin, substitution, attempts)"
        " SELECT id, 'East', '2026-01-01', '1234', 'ask', 1 FROM orders"
    ),
    "no stock was taken for a product that its order does not have": _sql("DELETE FROM order_lines"),
    "every order has lines": _sql("DELETE FROM order_lines"),
    "subtotals are the sum": _sql("UPDATE order_lines SET quantity = quantity + 1"),
    "the taxes added to an order": _sql("UPDATE orders SET tax_cents = 5, total_cents = total_cents + 5"),
    "the quote an order shows": _sql("UPDATE orders SET quote_lines = '[]'"),
    "every acknowledged order": _sql(
        "UPDATE orders SET total_cents = total_cents + 1, delivery_fee_cents = delivery_fee_cents + 1"
    ),
    "every order has the last status": _sql("UPDATE orders SET status = 'delivered'"),
    "order numbers come from": _sql("UPDATE counters SET value = 5 WHERE name = 'order_number'"),
    "every first-purchase discount given is recorded": _sql("UPDATE users SET first_purchase_discount_used = false"),
    "every referral discount given is recorded": _sql(
        "UPDATE orders SET referral_discount_cents = 5, total_cents = total_cents - 5"
    ),
    "nobody spent credit": _sql(
        "INSERT INTO credit_entries (user_id, amount_cents, reason, sequence, note, created_at)"
        " VALUES (1, -5, 'adjustment', 0, '', '2026-01-01')"
    ),
    "credit used for orders": _sql("UPDATE orders SET credit_applied_cents = 500, total_cents = total_cents - 500"),
    "no referral credit without": _sql(
        "INSERT INTO credit_entries (user_id, amount_cents, reason, sequence, note, created_at)"
        " VALUES (1, 5, 'referral', 0, '', '2026-01-01')"
    ),
    "referrers got the credit due": _sql(
        "UPDATE orders SET referrer_id = (SELECT MAX(id) FROM users), status = 'delivered', referral_credit_cents = 5"
    ),
    "nobody referred themselves": _sql(
        "UPDATE users SET referred_by_id = CASE id WHEN 1 THEN 2 WHEN 2 THEN 1 END WHERE id IN (1, 2)"
    ),
    "nobody who is banned or deleted": _sql(
        "INSERT INTO sessions (token_hash, user_id, created_at, last_seen_at, expires_at)"
        " SELECT 'x', id, '2026-01-01', '2026-01-01', '2036-01-01' FROM users WHERE banned_at IS NOT NULL"
    ),
    "the shop's settings are in range": _sql(
        "INSERT INTO shop_settings (name, previous, value, reason, created_at)"
        " VALUES ('invitation_days', 7, 5000, 'by hand', '2026-01-01')"
    ),
    "the audit trail is intact": _sql("UPDATE counters SET value = 9 WHERE name = 'audit_head'"),
}


def test_a_store_in_order_keeps_every_promise(terminal: Terminal, cast: Cast, fern: Product) -> None:
    checked = terminal("check-invariants")
    assert checked.returncode == OK, checked.stdout
    assert re.fullmatch(r"(ok      .+\n){20,}All invariants hold\.\n", checked.stdout)


@pytest.mark.parametrize("promise", BREAKS)
def test_each_promise_that_is_broken_is_named(engine: Engine, session: Session, fern: Product, promise: str) -> None:
    """Through the service, since a terminal for each would take minutes."""
    BREAKS[promise](session)
    broken = [result for result in invariants.check(session) if not result.holds]
    assert any(result.name.startswith(promise) and result.examples for result in broken), broken


def test_a_broken_promise_ends_with_1_and_says_where(terminal: Terminal, session: Session, fern: Product) -> None:
    session.execute(text("UPDATE products SET stock = stock + 1"))
    session.commit()
    checked = terminal("check-invariants")
    assert checked.returncode == WRONG
    assert "BROKEN  stock is the sum of its movements, and never below 0 (P1): 1\n" in checked.stdout
    assert f"product {fern.id}, stock 8, movements 7" in checked.stdout
    assert checked.stdout.endswith("1 broken.\n")


def test_a_backup_brings_a_store_back(
    terminal: Terminal, session: Session, cast: Cast, fern: Product, picture: Path, tmp_path: Path
) -> None:
    file = tmp_path / "store.tar.gz"
    made = terminal("backup", str(file))
    assert made.returncode == OK, made.stderr
    assert db.read(backups.last) is not None
    assert file.stat().st_mode & 0o077 == 0
    assert terminal("backup", str(file)).returncode == WRONG
    session.execute(text("UPDATE products SET stock = 0, name = 'Gone'"))
    session.execute(text("DELETE FROM cart_lines"))
    session.commit()
    picture.unlink()
    (picture.parent / "later.webp").write_bytes(b"later")
    refused = terminal("restore", str(file))
    assert refused.returncode == WRONG
    assert "--force" in refused.stderr
    assert session.get_one(Product, fern.id, populate_existing=True).name == "Gone"
    session.rollback()
    back = terminal("restore", str(file), "--force")
    assert (back.returncode, back.stdout.splitlines()[-1]) == (OK, "All invariants hold."), back.stderr
    product = session.get_one(Product, fern.id, populate_existing=True)
    assert (product.name, product.stock) == ("Fern Hollow", 7)
    assert len(session.exec(select(Order)).all()) == 1
    assert [each.name for each in picture.parent.iterdir()] == [picture.name]
    session.rollback()
    with pytest.raises(Exception, match="append-only"):
        session.execute(text("UPDATE audit_entries SET action = 'x'"))


def test_a_backup_is_restored_to_an_empty_target_without_force(no_store: Terminal, tmp_path: Path) -> None:
    no_store("seed")
    file = tmp_path / "store.tar.gz"
    assert no_store("backup", str(file)).returncode == OK
    other = Terminal(f"sqlite:///{tmp_path / 'other' / 'store.db'}", tmp_path / "other")
    assert other("restore", str(file)).returncode == OK
    assert other("export-products").stdout == no_store("export-products").stdout


def _change_manifest(file: Path, **changes: Any) -> None:
    """Pack the archive again, with other values in its manifest."""
    folder = file.parent / "unpacked"
    with tarfile.open(file) as packed:
        packed.extractall(folder, filter="data")
    manifest = folder / "manifest.json"
    manifest.write_text(json.dumps(json.loads(manifest.read_text()) | changes))
    with tarfile.open(file, "w:gz") as packed:
        for name in ("manifest.json", "store.db"):
            packed.add(folder / name, name)
    shutil.rmtree(folder)


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"format": 99}, "not a backup of a store"),
        ({"database": "postgresql"}, "This is a backup of postgresql"),
        ({"revision": "9999"}, "a newer version of the store"),
        ({"sha256": "0" * 64}, "damaged"),
    ],
)
def test_an_incompatible_backup_is_refused_and_changes_nothing(
    no_store: Terminal, tmp_path: Path, changes: dict[str, Any], why: str
) -> None:
    no_store("seed")
    file = tmp_path / "store.tar.gz"
    no_store("backup", str(file))
    _change_manifest(file, **changes)
    before = no_store("export-products").stdout
    refused = no_store("restore", str(file), "--force")
    assert refused.returncode == WRONG
    assert why in refused.stderr
    assert no_store("export-products").stdout == before


def test_an_invalid_archive_is_refused(no_store: Terminal, tmp_path: Path) -> None:
    file = tmp_path / "store.tar.gz"
    file.write_text("hello")
    refused = no_store("restore", str(file))
    assert (refused.returncode, "Traceback" in refused.stderr) == (WRONG, False)
    assert not (no_store.folder / "store.db").exists()


def test_without_its_tools_a_postgresql_store_says_what_is_missing(tmp_path: Path) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", str(tmp_path))
        with pytest.raises(console.CommandError, match="pg_dump was not found: install PostgreSQL's client tools"):
            postgresql.dump(tmp_path / "store.dump")


def test_the_copy_is_of_one_moment_while_others_write(no_store: Terminal, tmp_path: Path) -> None:
    no_store("seed")
    writer = sqlite3.connect(no_store.folder / "store.db", isolation_level=None, check_same_thread=False)
    writer.execute("BEGIN IMMEDIATE")
    writer.execute("UPDATE products SET name = 'Half done'")
    file, is_over = tmp_path / "store.tar.gz", Event()

    def commit_once_copied() -> None:
        while not file.exists() and not is_over.wait(0.01):
            pass
        writer.execute("COMMIT")  # the backup is noted in the database last

    with ThreadPoolExecutor(1) as pool:
        committed = pool.submit(commit_once_copied)
        assert no_store("backup", str(file)).returncode == OK
        is_over.set()
        committed.result()
    writer.close()
    assert no_store("restore", str(file), "--force").returncode == OK
    assert "Half done" not in no_store("export-products").stdout


def test_what_was_paid_earlier_is_booked_once_and_audited_as_the_stores(
    terminal: Terminal, engine: Engine, session: Session, fern: Product
) -> None:
    order_id = session.exec(select(Order.id)).one()
    session.execute(text("UPDATE orders SET status = 'delivered' WHERE id = :id"), {"id": order_id})
    session.commit()
    assert [terminal("book-earlier-cash").stdout for _ in range(2)] == ["Booked 1 order.\n", "Booked 0 orders.\n"]
    booked = select(AuditEntry).where(col(AuditEntry.action) == "cash.booked_earlier")
    with Session(engine) as after:
        [entry] = after.exec(booked)
    assert (entry.actor_id, entry.subject, entry.details) == (None, "cash", {"orders": 1})
