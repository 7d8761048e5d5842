"""`anchor-audit`: keeps the head of the audit trail out of reach of those who can write to the database.

The chain has no key, so whoever rewrites all of it leaves no trace in the database. `verify-audit --anchored` compares
the chain with a head that was kept.
"""

import argparse
from collections.abc import Callable, Iterable
from email.message import EmailMessage
from email.utils import make_msgid
from typing import Any

from marketplace_app import clock
from marketplace_app.adapters import mail
from marketplace_app.config import get_settings
from marketplace_app.jobs.commands import backup_targets, checks
from marketplace_app.jobs.commands.console import FAILURE, OK, USAGE, CommandError, require_database, say, say_on_stderr


def add_parsers(commands: Any) -> None:
    description = (
        "Verify the audit trail and keep its head, COUNT:HASH, outside the store. Meant to be run daily by a timer."
        " If the chain is broken, the mail says where, and the exit code is 1."
    )
    parser = commands.add_parser(
        "anchor-audit", help="keep the head of the audit trail outside the store", description=description
    )
    parser.add_argument("--to", metavar="TARGET", help="a folder or s3://BUCKET/PREFIX, where each run writes a file")
    parser.add_argument("--mail", metavar="ADDRESS", help="somebody who does not work on the store's machine")
    parser.set_defaults(run=anchor)


def anchor(args: argparse.Namespace) -> int:
    if not (args.to or args.mail):
        say_on_stderr("anchor-audit needs --to, --mail or both.")
        return USAGE
    require_database()
    head, fault = checks.verified_head()
    text = fault or f"{head}  {clock.iso(clock.now())}"
    attempts: list[Callable[[], None]] = []
    if fault:
        say_on_stderr(fault)
    elif args.to:
        attempts.append(lambda: _put(args.to, text))
    if args.mail:
        attempts.append(lambda: _mail(args.mail, text, is_broken=bool(fault)))
    _run_all(attempts)
    if fault:
        return FAILURE
    say(head)
    return OK


def _run_all(attempts: Iterable[Callable[[], None]]) -> None:
    """Makes every attempt, even if one fails: each copy is useful by itself. Then raises CommandError if any failed."""
    failures = []
    for attempt in attempts:
        try:
            attempt()
        except CommandError as failure:
            failures.append(str(failure))
    if failures:
        raise CommandError("\n".join(failures))


def _mail(address: str, text: str, *, is_broken: bool) -> None:
    settings = get_settings()
    message = EmailMessage()
    message["Subject"] = "The audit trail is broken" if is_broken else "Head of the audit trail"
    message["From"], message["To"] = settings.mail_from, address
    message["Message-ID"] = make_msgid(domain=settings.mail_from.rpartition("@")[2])
    message.set_content(f"{text}\n")
    try:
        mail.send(message)
    except mail.MailNotSent as error:
        raise CommandError(f"The mail to {address} could not be sent: {error}") from None


def _put(where: str, line: str) -> None:
    target, file_name = backup_targets.target_of(where)
    if file_name:
        raise CommandError(f"{where} is not a folder.")
    try:
        with backup_targets.scratch(target) as folder:
            file = folder / "head"
            file.write_text(f"{line}\n")
            target.put(file, f"audit-head-{clock.now():%Y%m%dT%H%M%SZ}.txt")
    except OSError as error:
        raise CommandError(f"{where} could not be written: {error.strerror}") from None
