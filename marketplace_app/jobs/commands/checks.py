"""`verify-audit` and `check-invariants`: whether the store's data is consistent."""

import argparse
import re
from typing import Any

from sqlmodel import Session

from marketplace_app import db
from marketplace_app.jobs.commands.console import FAILURE, OK, require_database, say, say_on_stderr
from marketplace_app.schemas.admin.audit import CHAIN_START, ChainAnswer
from marketplace_app.services import invariants
from marketplace_app.services.records import audit_chain

PROGRESS_EVERY = 20_000


def add_parsers(commands: Any) -> None:
    description = "Verify the audit trail: every entry is present, in order and unchanged."
    parser = commands.add_parser("verify-audit", help="verify the audit trail", description=description)
    parser.add_argument(
        "--head", action="store_true", help="print only the head of the chain, COUNT:HASH, to keep elsewhere"
    )
    parser.add_argument(
        "--anchored", metavar="COUNT:HASH", type=_parse_head, help="check that the chain goes through this earlier head"
    )
    parser.set_defaults(run=verify_audit)
    description = "Check that stock, orders, credit, discounts, sessions and the audit trail are consistent."
    parser = commands.add_parser("check-invariants", help="check that the data is consistent", description=description)
    parser.set_defaults(run=check_invariants)


def _parse_head(text: str) -> tuple[int, str]:
    if not re.fullmatch(r"0:|[1-9]\d{0,17}:[0-9a-f]{64}", text):
        raise argparse.ArgumentTypeError("expected COUNT:HASH, as --head prints it")
    count, _, entry_hash = text.partition(":")
    return int(count), entry_hash


def verify_audit(args: argparse.Namespace) -> int:
    """With `--head`, only the head goes to stdout, and only if nothing is wrong."""
    require_database()
    report = say_on_stderr if args.head else say
    checked = db.read(_check_chain)
    if fault := _fault(checked) or _anchor_fault(args.anchored):
        report(fault)
        return FAILURE
    report(f"The chain is intact. Entries: {checked.entries:,}.")
    if args.anchored:
        report(f"It goes through the anchored head of entry {args.anchored[0]:,}.")
    if args.head:
        say(f"{checked.entries}:{checked.hash}")
    return OK


def verified_head() -> tuple[str, str]:
    """The head of the chain as COUNT:HASH, and what is wrong with the chain; empty if nothing is."""
    checked = db.read(_check_chain)
    return f"{checked.entries}:{checked.hash}", _fault(checked)


def _fault(checked: ChainAnswer) -> str:
    if checked.broken is None:
        return ""
    place = f"at entry {checked.broken.entry_id}" if checked.broken.entry_id is not None else "at its end"
    return f"The chain is broken {place}. {checked.broken.why}"


def _anchor_fault(anchored: tuple[int, str] | None) -> str:
    return db.read(lambda session: audit_chain.anchor_fault(session, *anchored)) if anchored else ""


def _check_chain(session: Session) -> ChainAnswer:
    checked = CHAIN_START
    while not checked.is_done:
        before, checked = checked.entries, audit_chain.check_next_batch(session, checked)
        if checked.entries // PROGRESS_EVERY > before // PROGRESS_EVERY:
            say_on_stderr(f"{checked.entries:>9,} entries")
    return checked


def check_invariants(_args: argparse.Namespace) -> int:
    require_database()
    broken = db.read(count_broken)
    say("All invariants hold." if not broken else f"{broken} broken.")
    return FAILURE if broken else OK


def count_broken(session: Session) -> int:
    """The number of broken invariants. Every invariant, broken or not, is printed as soon as it is checked."""
    broken = 0
    for result in invariants.check(session):
        if result.holds:
            say(f"ok      {result.name}")
            continue
        broken += 1
        say(f"BROKEN  {result.name}: {result.violations:,}")
        for example in result.examples:
            say(f"          {example}")
    return broken
