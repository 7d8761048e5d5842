"""`print-runs`: the sheets of a day's runs as PDF, so that a day can be finished on paper (RULE run-sheet)."""

import argparse
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any

from marketplace_app import db
from marketplace_app.jobs.commands.console import OK, CommandError, require_database, say, say_on_stderr
from marketplace_app.services.dispatch import sheets


def add_parsers(commands: Any) -> None:
    description = "Write the sheets of all runs of a day that are not closed, as PDF, and print where they are."
    parser = commands.add_parser("print-runs", help="write the sheets of a day's runs", description=description)
    parser.add_argument("day", metavar="DATE", type=_day, help="a day at the store such as 2026-11-27")
    parser.add_argument("--folder", type=Path, help="where to write them; RUN_SHEETS if left out")
    parser.set_defaults(run=run)


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text} is not a day such as 2026-11-27") from None


def run(args: argparse.Namespace) -> int:
    require_database()
    try:
        written = db.read(partial(sheets.write_files_of_day, day=args.day, folder=args.folder))
    except OSError as error:
        raise CommandError(f"{error.filename}: {error.strerror}") from None
    for path in written:
        say(str(path))
    if not written:
        say_on_stderr(f"No run on {args.day} is planned or out.")
    return OK
