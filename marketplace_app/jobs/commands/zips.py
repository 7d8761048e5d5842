"""`load-zips`: where ZIP codes are, for the rules of states (RULE zip-places)."""

import argparse
import csv
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from sqlmodel import Session

from marketplace_app import db
from marketplace_app.display.paging import counted
from marketplace_app.jobs.commands.console import FAILURE, OK, CommandError, require_database, say, say_on_stderr
from marketplace_app.places import STATE_NAMES
from marketplace_app.services.jurisdictions import zips
from marketplace_app.services.jurisdictions.zips import Location
from marketplace_app.services.records import audit_log

COLUMNS = ("zip", "state", "latitude", "longitude")
MAX_ERRORS = 20


def add_parsers(commands: Any) -> None:
    description = (
        "Replace the table of ZIP codes and their states with that of the package `zipcodes`, or with a CSV file that"
        f" has the columns {', '.join(COLUMNS)}. Only the 50 states and DC are kept."
    )
    parser = commands.add_parser("load-zips", help="load where ZIP codes are", description=description)
    parser.add_argument("file", metavar="FILE", nargs="?", help="a CSV file; the package's ZIP codes if left out")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    require_database()
    rows = _rows_of_file(args.file) if args.file else _rows_of_package()
    locations, errors = _read(rows)
    for error in errors[:MAX_ERRORS]:
        say(error)
    if errors:
        say_on_stderr(f"Nothing was loaded: {counted(len(errors), 'mistake')} to correct.")
        return FAILURE
    kept = [location for location in locations if location.state in STATE_NAMES]
    if not kept:
        raise CommandError("Nothing was loaded: there are no ZIP codes of the 50 states and DC.")
    db.write(lambda session: _load(session, kept))
    say(f"{len(kept):,} ZIP codes loaded.")
    if left_out := len(locations) - len(kept):
        say_on_stderr(f"{left_out:,} outside the 50 states and DC were left out.")
    return OK


def _load(session: Session, locations: Sequence[Location]) -> None:
    zips.replace(session, locations)
    audit_log.append(session, None, "zips.loaded", "zips", count=len(locations))


def _rows_of_package() -> Iterable[tuple[int, Mapping[str, str]]]:
    """Its list takes more than 100 MB of memory, so the package is imported only here."""
    import zipcodes

    for number, row in enumerate(zipcodes.list_all(), start=1):
        yield number, dict(zip(COLUMNS, (row["zip_code"], row["state"], row["lat"], row["long"]), strict=True))


def _rows_of_file(name: str) -> Iterable[tuple[int, Mapping[str, str]]]:
    try:
        text = Path(name).read_text(encoding="utf-8-sig")
    except OSError as error:
        raise CommandError(f"{name}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise CommandError(f"{name} is not a text file in UTF-8.") from None
    reader = csv.DictReader(text.splitlines(), restval="")
    try:
        columns, rows = reader.fieldnames or (), [(reader.line_num, row) for row in reader]
    except csv.Error as error:
        raise CommandError(f"{name} is not CSV: {error}.") from None
    if missing := [column for column in COLUMNS if column not in columns]:
        raise CommandError(f"{name}: the first line must name the columns {', '.join(missing)}.")
    return rows


def _read(rows: Iterable[tuple[int, Mapping[str, str]]]) -> tuple[Sequence[Location], Sequence[str]]:
    """The locations, and what is wrong with each invalid line."""
    locations: dict[str, Location] = {}
    errors = []
    for line, row in rows:
        found = _location(row)
        if isinstance(found, str):
            errors.append(f"line {line}: {found}")
        elif found.zip_code in locations:
            errors.append(f"line {line}: {found.zip_code} is on an earlier line too.")
        else:
            locations[found.zip_code] = found
    return list(locations.values()), errors


def _location(row: Mapping[str, str]) -> Location | str:
    """The location in a row, or a sentence on what is wrong with it."""
    zip_code, state, *coordinates = (row[column].strip() for column in COLUMNS)
    if not re.fullmatch(r"[0-9]{5}", zip_code):
        return "a ZIP code of five digits is expected."
    if not re.fullmatch(r"[A-Z]{2}", state):
        return "a state of two capital letters is expected."
    try:
        latitude, longitude = map(float, coordinates)
    except ValueError:
        return "latitude and longitude must be numbers, such as 45.52."
    if not (abs(latitude) <= 90 and abs(longitude) <= 180):
        return "a latitude from -90 to 90 and a longitude from -180 to 180 are expected."
    return Location(zip_code, state, latitude, longitude)
