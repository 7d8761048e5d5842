"""`python -m marketplace_app`: what is done to a store from a terminal.

Exit codes: 0 it is done and well, 1 something is wrong or was refused, 2 the command itself was not understood.
"""

import argparse
import sys
from collections.abc import Sequence

from pydantic import ValidationError
from sqlalchemy.exc import OperationalError

from marketplace_app.config import get_settings
from marketplace_app.errors import StoreError
from marketplace_app.jobs.commands import archives, checks, owners, products, seeding
from marketplace_app.jobs.commands.console import OK, USAGE, WRONG, Failed, progress
from marketplace_app.jobs.private_files import keep_private

MODULES = (seeding, products, owners, checks, archives)


def make_parser() -> argparse.ArgumentParser:
    exit_codes = str(__doc__).partition("\n\n")[2]
    parser = argparse.ArgumentParser(
        prog="python -m marketplace_app",
        description="What is done to a store from a terminal. COMMAND --help says more of each.",
        epilog=f"{exit_codes.strip()} The store is the one of DATABASE_URL and UPLOADS.",
    )
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for module in MODULES:
        module.add(commands)
    return parser


def main(arguments: Sequence[str]) -> int:
    asked = make_parser().parse_args(arguments)
    try:
        keep_private(get_settings())
        return int(asked.run(asked))
    except (Failed, StoreError) as refused:
        progress(str(refused))
    except ValidationError as error:
        for problem in error.errors():
            progress(": ".join([*map(str.upper, map(str, problem["loc"])), problem["msg"]]))
        return USAGE
    except OperationalError as error:
        progress(f"The database does not answer: {error.orig}")
    except KeyboardInterrupt:
        progress("Stopped.")
    except BrokenPipeError:  # whoever read our output has had enough
        sys.stderr.close()
        return OK
    return WRONG
