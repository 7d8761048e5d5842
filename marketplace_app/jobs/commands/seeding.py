"""`seed`: the demo catalogue and, with `--scale`, a large store to measure with."""

import argparse
from typing import Any

from alembic.util import CommandError as AlembicError

from marketplace_app import db
from marketplace_app.adapters.revisions import current_revision
from marketplace_app.jobs import seed_scale
from marketplace_app.jobs.commands.console import (
    OK,
    USAGE,
    CommandError,
    newer_database,
    say,
    say_on_stderr,
    whole_number,
)
from marketplace_app.jobs.migrate import migrate
from marketplace_app.jobs.seed import seed_if_empty

SIZES = {"products": 50_000, "users": 20_000, "orders": 100_000}
MAX_COUNT = 10_000_000


def add_parsers(commands: Any) -> None:
    description = "Write the demo catalogue into an empty database, creating the database if needed."
    parser = commands.add_parser("seed", help="write the demo catalogue", description=description)
    parser.add_argument(
        "--scale", action="store_true", help="also generate a large store, once: products, users and orders"
    )
    for name, count in SIZES.items():
        parser.add_argument(f"--{name}", type=_count, metavar="N", help=f"with --scale: how many (default {count:,})")
    parser.set_defaults(run=run, parser=parser)


def run(args: argparse.Namespace) -> int:
    given = {name: getattr(args, name) for name in SIZES if getattr(args, name) is not None}
    if given and not args.scale:
        say_on_stderr(f"--{next(iter(given))} needs --scale.")
        return USAGE
    try:
        migrate()
    except AlembicError:  # Alembic does not know the migration that the database is at
        raise CommandError(newer_database(db.read(current_revision))) from None
    written = seed_if_empty()
    say(f"{written} products written." if written else "The store already has products: nothing written.")
    if args.scale:
        seed_scale.seed(**(SIZES | given), on_progress=say_on_stderr)
        say("The large store has been generated.")
    return OK


def _count(text: str) -> int:
    return whole_number(text, MAX_COUNT, otherwise=f"a whole number from 1 to {MAX_COUNT:,} is expected")
