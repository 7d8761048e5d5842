"""`import-products` and `export-products`: the file of docs/products-csv.md."""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from marketplace_app import db
from marketplace_app.jobs.commands.console import FAILURE, OK, Failed, progress, require_database, say
from marketplace_app.limits import MAX_IMPORT_BYTES
from marketplace_app.schemas.admin.product_csv import MAX_CHANGES, ImportRefused, ProductImportReport, read
from marketplace_app.services.admin import product_csv

PROGRESS_EVERY = 2_000


def add(commands: Any) -> None:
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
    content = _content(args.file)
    require_database()
    sheet = read(content)
    run = db.read if args.dry_run else db.write
    try:
        report = run(
            lambda session: product_csv.import_as(
                session, None, sheet, dry_run=args.dry_run, on_progress=_ProgressReporter()
            )
        )
    except ImportRefused as refused:
        return _refuse(refused.report)
    if report.errors:
        return _refuse(report)
    if args.dry_run:
        for change in report.changes:
            what = f"{change.column}: {change.before} -> {change.after}" if change.column else f"new: {change.after}"
            say(f"line {change.line}, {change.sku}, {what}")
        if len(report.changes) == MAX_CHANGES:
            say(f"These are the first {MAX_CHANGES:,} changes.")
    done = "would be " if args.dry_run else ""
    say(f"{report.created:,} {done}created, {report.updated:,} {done}updated, {report.unchanged:,} unchanged.")
    return OK


class _ProgressReporter:
    """Prints the percentage done, every `PROGRESS_EVERY` lines."""

    def __init__(self) -> None:
        self.last = 0

    def __call__(self, done: int, of: int) -> None:
        if done - self.last >= PROGRESS_EVERY:
            self.last = done
            progress(f"{done * 100 // max(1, of):>3} %")


def _refuse(report: ProductImportReport) -> int:
    for error in report.errors:
        place = f"line {error.line}, {error.column}" if error.column else f"line {error.line}"
        say(f"{place}: {error.message}")
    progress(f"Nothing was imported: {len(report.errors):,} to correct.")
    return FAILURE


def _content(name: str) -> bytes:
    try:
        content = sys.stdin.buffer.read(MAX_IMPORT_BYTES + 1) if name == "-" else Path(name).read_bytes()
    except OSError as error:
        raise Failed(f"{name}: {error.strerror}") from None
    if len(content) > MAX_IMPORT_BYTES:
        raise Failed(f"{name}: at most {MAX_IMPORT_BYTES // 1024 // 1024} MB fit in one import.")
    return content


def export_products(args: argparse.Namespace) -> int:
    require_database()
    pieces = product_csv.export(lambda after: db.read(lambda session: product_csv.export_lines(session, after)))
    if args.file == "-":
        for piece in pieces:
            sys.stdout.buffer.write(piece.encode())
        sys.stdout.buffer.flush()
        return OK
    try:
        _write(Path(args.file), pieces)
    except OSError as error:
        raise Failed(f"{args.file}: {error.strerror}") from None
    progress(f"Written to {args.file}.")
    return OK


def _write(file: Path, pieces: Iterator[str]) -> None:
    """Under another name until it is complete."""
    partial = file.with_name(f"{file.name}.partial")
    with partial.open("wb") as written:
        for piece in pieces:
            written.write(piece.encode())
    partial.replace(file)
