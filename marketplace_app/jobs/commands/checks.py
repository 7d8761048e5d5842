"""`verify-audit` and `check-invariants`: whether the store's books are as they should be."""

import argparse
from typing import Any

from sqlmodel import Session

from marketplace_app import db
from marketplace_app.jobs.commands.console import OK, WRONG, progress, require_database, say
from marketplace_app.schemas.audit import Checked
from marketplace_app.services import audit, invariants

TOLD_EVERY = 20_000


def add(commands: Any) -> None:
    words = "Verify the audit trail: every entry is present, in order and unchanged."
    parser = commands.add_parser("verify-audit", help="verify the audit trail", description=words)
    parser.set_defaults(run=verify_audit)
    words = "Check that stock, orders, credit, discounts, sessions and the audit trail are consistent."
    parser = commands.add_parser("check-invariants", help="check that the data is consistent", description=words)
    parser.set_defaults(run=check_invariants)


def verify_audit(_asked: argparse.Namespace) -> int:
    require_database()
    checked = db.read(_follow)
    if checked.broken is None:
        say(f"The chain is intact. Entries: {checked.entries:,}.")
        return OK
    place = f"at entry {checked.broken.entry_id}" if checked.broken.entry_id is not None else "at its end"
    say(f"The chain is broken {place}. {checked.broken.why}")
    return WRONG


def _follow(session: Session) -> Checked:
    checked = Checked()
    while not checked.is_done:
        before, checked = checked.entries, audit.follow(session, checked)
        if checked.entries // TOLD_EVERY > before // TOLD_EVERY:
            progress(f"{checked.entries:>9,} entries")
    return checked


def check_invariants(_asked: argparse.Namespace) -> int:
    require_database()
    broken = db.read(_check)
    say("All kept." if not broken else f"{broken} broken.")
    return WRONG if broken else OK


def _check(session: Session) -> int:
    """How many promises are broken; each is told as soon as it is known."""
    broken = 0
    for verdict in invariants.check(session):
        if verdict.is_kept:
            say(f"ok      {verdict.name}")
            continue
        broken += 1
        say(f"BROKEN  {verdict.name}: {verdict.violations:,}")
        for example in verdict.examples:
            say(f"          {example}")
    return broken
