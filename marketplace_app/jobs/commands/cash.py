"""`book-earlier-cash`: books the cash of orders that the release before the ledger delivered (RULE cash-ledger)."""

import argparse
from typing import Any

from sqlmodel import Session

from marketplace_app import db
from marketplace_app.display.paging import counted
from marketplace_app.jobs.commands.console import OK, require_database, say
from marketplace_app.services.cash import ledger
from marketplace_app.services.records import audit_log


def add_parsers(commands: Any) -> None:
    description = "Book delivered orders without cash as paid before this ledger: once, after an upgrade to it."
    parser = commands.add_parser("book-earlier-cash", help="book what was paid earlier", description=description)
    parser.set_defaults(run=run)


def run(_args: argparse.Namespace) -> int:
    require_database()
    say(f"Booked {counted(db.write(_book), 'order')}.")
    return OK


def _book(session: Session) -> int:
    booked = ledger.book_earlier(session)
    if booked:
        audit_log.append(session, None, "cash.booked_earlier", "cash", orders=booked)
    return booked
