"""`book-earlier-cash`: orders that the previous release delivered during an upgrade (RULE cash-ledger)."""

import argparse
from typing import Any

from marketplace_app import db
from marketplace_app.display.paging import counted
from marketplace_app.jobs.commands.console import OK, require_database, say
from marketplace_app.services.cash import ledger


def add_parsers(commands: Any) -> None:
    description = "Book delivered orders without cash as paid before this ledger: once, after an upgrade to it."
    parser = commands.add_parser("book-earlier-cash", help="book what was paid earlier", description=description)
    parser.set_defaults(run=run)


def run(_args: argparse.Namespace) -> int:
    require_database()
    say(f"Booked {counted(db.write(ledger.book_earlier), 'order')}.")
    return OK
