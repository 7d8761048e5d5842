"""`resend-mail`: sends mail that was given up, once the mail server works again."""

import argparse
from typing import Any

from sqlmodel import Session

from marketplace_app import db
from marketplace_app.config import get_settings
from marketplace_app.jobs.commands.console import (
    OK,
    USAGE,
    CommandError,
    require_database,
    say,
    say_on_stderr,
    whole_number,
)
from marketplace_app.schemas.base import MAX_ROW_ID
from marketplace_app.services.records import outbox


def add_parsers(commands: Any) -> None:
    description = "Send mail again that was given up. Without arguments: list its number, day, kind and recipient."
    parser = commands.add_parser("resend-mail", help="send mail again that was given up", description=description)
    parser.add_argument("ids", metavar="ID", nargs="*", type=_number, help="the number of a message")
    parser.add_argument("--all", action="store_true", help="everything that was given up")
    parser.set_defaults(run=run)


def _number(text: str) -> int:
    return whole_number(text, MAX_ROW_ID, otherwise=f"{text} is not the number of a message")


def run(args: argparse.Namespace) -> int:
    if args.ids and args.all:
        say_on_stderr("resend-mail takes numbers or --all, not both.")
        return USAGE
    require_database()
    if not (args.ids or args.all):
        db.read(_list)
        return OK
    try:
        count = db.write(lambda session: outbox.resend(session, None if args.all else args.ids))
    except LookupError as unknown:
        raise CommandError(f"There is no message {unknown}. Nothing was queued.") from None
    say(f"{count:,} queued. The store sends what is queued while it runs.")
    return OK


def _list(session: Session) -> None:
    timezone = get_settings().timezone
    for row in outbox.list_given_up(session):
        say(f"{row.id}  {row.created_at.astimezone(timezone).date()}  {row.kind}  {row.recipient}")
