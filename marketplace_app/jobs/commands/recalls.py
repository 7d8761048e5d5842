"""`recall-drill`: what a recall of a batch would do and how long it takes, without doing it (RULE recall-drill)."""

import argparse
from functools import partial
from typing import Any

from marketplace_app import db, recall_messages
from marketplace_app.display.paging import counted
from marketplace_app.jobs.commands.console import OK, require_database, say
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.batches.recalls import RecallForm
from marketplace_app.services.batches import recalls


def add_parsers(commands: Any) -> None:
    description = "Do all that a recall of a batch does, say what it did and how long it took, and undo it."
    parser = commands.add_parser("recall-drill", help="rehearse the recall of a batch", description=description)
    parser.add_argument("batch", metavar="BATCH", type=int, help="the number of the batch")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    require_database()
    form = parse(RecallForm, {"batchId": args.batch, "reason": recall_messages.DRILL})
    drilled = db.write(partial(recalls.rehearse, staff=None, form=form))
    found = drilled.recall
    amount = f"{counted(found.units, 'unit')} in {counted(found.orders, 'order')}"
    say(f"Batch {found.code} of {found.product}: {amount}.")
    say(f"Orders not to be handed over: {found.not_handed_over:,}. Emails: {drilled.letters:,}.")
    say(f"Units that would be set aside: {found.set_aside:,}.")
    say(f"Coverage: {drilled.coverage}%. Time: {drilled.milliseconds:,} ms.")
    say("Nothing was changed.")
    return OK
