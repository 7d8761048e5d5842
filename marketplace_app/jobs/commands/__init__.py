"""`python -m marketplace_app`: the command line.

Exit codes: 0 success, 1 a problem was found or the command failed, 2 wrong usage or settings.
"""

import argparse
import os
import sys
from collections.abc import Sequence

from pydantic import ValidationError
from sqlalchemy.exc import OperationalError

from marketplace_app import end_startup
from marketplace_app.config import get_settings
from marketplace_app.errors import StoreError
from marketplace_app.jobs.commands import (
    anchors,
    archives,
    cash,
    checks,
    encryption,
    mail,
    moving,
    owners,
    products,
    recalls,
    rules,
    run_sheets,
    seeding,
    zips,
)
from marketplace_app.jobs.commands.console import FAILURE, USAGE, CommandError, say_on_stderr
from marketplace_app.jobs.private_files import keep_private

MODULES = (
    seeding,
    products,
    owners,
    mail,
    checks,
    anchors,
    archives,
    encryption,
    moving,
    rules,
    zips,
    run_sheets,
    cash,
    recalls,
)


def make_parser() -> argparse.ArgumentParser:
    exit_codes = str(__doc__).partition("\n\n")[2]
    parser = argparse.ArgumentParser(
        prog="python -m marketplace_app",
        description="Manage a store from the terminal. COMMAND --help describes each command.",
        epilog=f"{exit_codes.strip()} Works on the store that DATABASE_URL and UPLOADS name.",
    )
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for module in MODULES:
        module.add_parsers(commands)
    return parser


def main(arguments: Sequence[str]) -> int:
    args = make_parser().parse_args(arguments)
    code = FAILURE  # until the command has ended
    end_startup()
    try:
        keep_private(get_settings())
        code = int(args.run(args))
        sys.stdout.flush()
        return code
    except (CommandError, StoreError) as refused:
        say_on_stderr(str(refused))
    except ValidationError as error:
        for problem in error.errors():
            say_on_stderr(": ".join([*map(str.upper, map(str, problem["loc"])), problem["msg"]]))
        return USAGE
    except OperationalError as error:
        say_on_stderr(f"The database does not answer: {error.orig}")
    except KeyboardInterrupt:
        say_on_stderr("Stopped.")
    except BrokenPipeError:
        _discard_output()
        return code
    return FAILURE


def _discard_output() -> None:
    """Whoever read the output has stopped. Python would try to write the rest of it once more at its exit, and fail."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        os.dup2(nowhere, stream.fileno())
