"""`import-products` and `export-products`: the CSV file that docs/products-csv.md describes."""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from marketplace_app import db
from marketplace_app.display.paging import counted
from marketplace_app.jobs.commands.console import FAILURE, OK, CommandError, require_database, say, say_on_stderr
from marketplace_app.limits import MAX_IMPORT_BYTES
from marketplace_app.schemas.admin.product_csv import (
    MAX_CHANGES,
    ImportRefused,
    ProductImportReport,
    at_least_if_capped,
    read_sheet,
)
from marketplace_app.schemas.line_errors import LineError
from marketplace_app.services.admin import product_csv

PROGRESS_EVERY = 2_000


def add_parsers(commands: Any) -> None:
    description = "Import the products of a CSV file, all of them or none. Mistakes are listed line by line."
    parser = commands.add_parser("import-products", help="import the products of a CSV file", description=description)
    parser.add_argument("file", metavar="FILE", help="the file, or - for standard input")
    parser.add_argument("--dry-run", action="store_true", help="only say what would change")
    parser.set_defaults(run=import_products)
    description = "Export every product to a CSV file that import-products reads."
    parser = commands.add_parser("export-products", help="export every product to a CSV file", description=description)
    parser.add_argument("file", metavar="FILE", nargs="?", default="-", help="the file; standard output if left out")
    parser.set_defaults(run=export_products)


def import_products(args: argparse.Namespace) -> int:
    content = _read_file(args.file)
    require_database()
    sheet = read_sheet(content)
    transaction = db.read if args.dry_run else db.write
    try:
        report = transaction(
            lambda session: product_csv.import_sheet(
                session, None, sheet, dry_run=args.dry_run, on_progress=_ProgressReporter()
            )
        )
    except ImportRefused as refused:
        return _print_errors(refused.report)
    if report.errors:
        return _print_errors(report)
    for warning in report.warnings:
        say(_line(warning, "warning: "))
    if args.dry_run:
        for change in report.changes:
            what = f"{change.column}: {change.before} -> {change.after}" if change.column else f"new: {change.after}"
            say(f"line {change.line}, {change.sku}, {what}")
        if len(report.changes) == MAX_CHANGES:
            say(f"At most {MAX_CHANGES:,} changes are listed.")
    would_be = "would be " if args.dry_run else ""
    say(f"{report.created:,} {would_be}created, {report.updated:,} {would_be}updated, {report.unchanged:,} unchanged.")
    return OK


class _ProgressReporter:
    """Prints the percentage done, every `PROGRESS_EVERY` steps: see `OnProgress` in `services/admin/product_csv.py`."""

    def __init__(self) -> None:
        self.last = 0

    def __call__(self, done: int, total: int) -> None:
        if done - self.last >= PROGRESS_EVERY:
            self.last = done
            say_on_stderr(f"{done * 100 // max(1, total):>3} %")


def _print_errors(report: ProductImportReport) -> int:
    mistakes = len(report.errors)
    for error in report.errors:
        say(_line(error))
    say_on_stderr(f"Nothing was imported: {at_least_if_capped(mistakes)}{counted(mistakes, 'mistake')} to correct.")
    return FAILURE


def _line(found: LineError, kind: str = "") -> str:
    place = f"line {found.line}, {found.column}" if found.column else f"line {found.line}"
    return f"{place}: {kind}{found.message}"


def _read_file(name: str) -> bytes:
    try:
        content = sys.stdin.buffer.read(MAX_IMPORT_BYTES + 1) if name == "-" else Path(name).read_bytes()
    except OSError as error:
        raise CommandError(f"{name}: {error.strerror}") from None
    if len(content) > MAX_IMPORT_BYTES:
        raise CommandError(f"{name}: at most {MAX_IMPORT_BYTES // 1024 // 1024} MB fit in one import.")
    return content


def export_products(args: argparse.Namespace) -> int:
    require_database()
    pieces = product_csv.export(lambda after: db.read(lambda session: product_csv.export_rows(session, after)))
    if args.file == "-":
        for piece in pieces:
            sys.stdout.buffer.write(piece.encode())
        sys.stdout.buffer.flush()
        return OK
    try:
        _write(Path(args.file), pieces)
    except OSError as error:
        raise CommandError(f"{args.file}: {error.strerror}") from None
    say_on_stderr(f"Written to {args.file}.")
    return OK


def _write(file: Path, pieces: Iterator[str]) -> None:
    """Under another name first, so that a file with this name is always complete."""
    partial = file.with_name(f"{file.name}.partial")
    try:
        with partial.open("wb") as output:
            for piece in pieces:
                output.write(piece.encode())
        partial.replace(file)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise
