"""Products as a CSV file, described in docs/products-csv.md. Importing an unchanged export changes nothing."""

import codecs
import csv
import io
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from pydantic import Field
from pydantic.alias_generators import to_camel

from marketplace_app.errors import StoreError
from marketplace_app.limits import MAX_IMPORT_LINES
from marketplace_app.schemas.admin.product_csv_errors import CHOICES, DECIMAL, INTEGER, empty_cell_error
from marketplace_app.schemas.admin.products import AdminProductView
from marketplace_app.schemas.base import ProblemAnswer, View
from marketplace_app.schemas.line_errors import LineError
from marketplace_app.schemas.products.product_fields import LIST_SEPARATOR, ProductForm
from marketplace_app.schemas.products.product_labels import Kind, of_kind
from marketplace_app.spreadsheets import FORMULA_MESSAGE, escaped, is_formula, unescaped

MAX_CHANGES = 1_000
MAX_ERRORS = 1_000
_COMMA_OR_SEMICOLON = re.compile("[,;]")


def _columns_of(*kinds: Kind) -> tuple[str, ...]:
    return tuple(map(to_camel, of_kind(*kinds)))


KEY = "sku"
COLUMNS = (KEY, *(to_camel(name) for name in ProductForm.model_fields if name != KEY))
PROSE = _columns_of(Kind.PROSE)
TEXTS = (*PROSE, *_columns_of(Kind.LINE, Kind.CHOICE))
INTEGERS = _columns_of(Kind.INTEGER)
NUMBERS = _columns_of(Kind.NUMBER)
FLAGS = _columns_of(Kind.FLAG)
LISTS = _columns_of(Kind.ENTRIES)


# One cell whose value changes. A new product is a single change, from nothing to its name.
class Change(View):
    line: int = Field(examples=[12])
    sku: str = Field(examples=["FLW-12"])
    column: str = Field(examples=["price"], description="Empty if the whole product is new.")
    before: str = Field(examples=["48.50"])
    after: str = Field(examples=["51.00"])


class ProductImportReport(View):
    created: int
    updated: int
    unchanged: int
    changes: tuple[Change, ...] = Field(description=f"The first {MAX_CHANGES:,} of them.")
    """The three counts above include the products whose changes are left out here."""
    errors: tuple[LineError, ...]
    warnings: tuple[LineError, ...] = Field(description="Lines that are imported anyway.")


def at_least_if_capped(count: int) -> str:
    """What to say before a number that was counted in a report of `count` errors, or of `count` warnings.

    A report lists at most MAX_ERRORS of each: with so many, there may be others that it left out.
    """
    return "at least " if count >= MAX_ERRORS else ""


class ImportRefused(StoreError):
    """Nothing in the file was imported; the report says why."""

    status, code = 422, "import_refused"

    def __init__(self, errors: tuple[LineError, ...]) -> None:
        lines = len({error.line for error in errors})
        need = "line needs" if lines == 1 else "lines need"
        super().__init__(f"Nothing was imported: {at_least_if_capped(len(errors))}{lines:,} {need} correcting.")
        self.report = ProductImportReport(created=0, updated=0, unchanged=0, changes=(), errors=errors, warnings=())

    def body(self) -> dict[str, object]:
        return super().body() | self.report.wire()


class ProductImportRefusedAnswer(ProblemAnswer):
    """422 of an import: nothing was imported. The report is there unless the request itself is wrong, such
    as without a file."""

    created: int | None = None
    updated: int | None = None
    unchanged: int | None = None
    changes: list[Change] | None = None
    errors: list[LineError] | None = None
    warnings: list[LineError] | None = None


@dataclass(frozen=True)
class CsvLine:
    number: int
    """The line in the file; the header is line 1."""
    given: dict[str, object]
    """For `ProductForm`; columns that the file leaves out are not in it."""
    cell_errors: dict[str, str] = field(default_factory=dict)
    """By column: the errors found before `ProductForm` validates the line and finds the others."""

    @property
    def sku(self) -> str:
        return str(self.given["sku"])


@dataclass(frozen=True)
class CsvSheet:
    lines: tuple[CsvLine, ...]
    errors: tuple[LineError, ...]


def header() -> str:
    """Begins with a byte order mark, by which spreadsheets know that the file is UTF-8."""
    return "\ufeff" + _csv_text([COLUMNS])


def rows_of(products: list[AdminProductView]) -> str:
    return _csv_text([_cells(product.form_wire()) for product in products])


def _csv_text(rows: list[Any]) -> str:
    text = io.StringIO()
    csv.writer(text).writerows(rows)
    return text.getvalue()


def _cells(wire: dict[str, Any]) -> list[str]:
    return [_cell(name, wire[name]) for name in COLUMNS]


def changes_of(line: int, before: AdminProductView, after: AdminProductView) -> list[Change]:
    """Cell by cell, as they are written in the file."""
    pairs = zip(COLUMNS, _cells(before.form_wire()), _cells(after.form_wire()), strict=True)
    return [
        Change(line=line, sku=before.sku, column=name, before=old, after=new) for name, old, new in pairs if old != new
    ]


def _cell(name: str, value: Any) -> str:
    if name in LISTS:
        return escaped(_list_cell(value))
    if name in FLAGS:
        return "true" if value else "false"
    if name in TEXTS:
        return escaped(value)
    if isinstance(value, float):
        return f"{Decimal(str(value)):f}"  # exact, but never `1e-05`
    return "" if value is None else str(value)


def _list_cell(entries: Iterable[str]) -> str:
    """A single entry that contains a comma or semicolon gets a bar at its end, or it would be read as several."""
    cell = LIST_SEPARATOR.join(entries)
    return cell + LIST_SEPARATOR if _COMMA_OR_SEMICOLON.search(cell) and LIST_SEPARATOR not in cell else cell


def _entries(cell: str) -> list[str]:
    """Separated by bars or, in a cell without a bar, by commas or semicolons, as in files from other systems."""
    entries = cell.split(LIST_SEPARATOR) if LIST_SEPARATOR in cell else _COMMA_OR_SEMICOLON.split(cell)
    return [entry.strip() for entry in entries if entry.strip()]


def read_sheet(content: bytes) -> CsvSheet:
    """Never fails: whatever cannot be read is listed as an error of its line."""
    try:
        return _read(_decoded(content))
    except _Unreadable as unreadable:
        return CsvSheet((), (unreadable.error,))


class _Unreadable(Exception):
    def __init__(self, line: int, column: str, message: str) -> None:
        self.error = LineError(line, column, message)


def _decoded(content: bytes) -> str:
    content = content.removeprefix(codecs.BOM_UTF8)
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise _Unreadable(1, "", "This file is UTF-16. Please save it as “CSV UTF-8”.")
    if content.startswith(b"PK\x03\x04"):
        raise _Unreadable(1, "", "This is a workbook, not a CSV file. Please save it as “CSV UTF-8”.")
    try:
        text = content.decode()
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise _Unreadable(line, "", "This file is not UTF-8. Please save it as “CSV UTF-8”.") from None
    if "\x00" in text:
        line = text.count("\n", 0, text.index("\x00")) + 1
        raise _Unreadable(line, "", "This is not a text file. Please save it as “CSV UTF-8”.")
    return text


def _read(text: str) -> CsvSheet:
    records = _records(text)
    columns = _checked_header(next(records, (1, []))[1])
    lines: list[CsvLine] = []
    errors: list[LineError] = []
    first_line_of: dict[str, int] = {}
    for number, cells in records:
        if len(lines) + len(errors) >= MAX_IMPORT_LINES:
            raise _Unreadable(number, "", f"At most {MAX_IMPORT_LINES:,} products fit in one file.")
        if len(cells) != len(columns):
            message = "This line does not have as many cells as there are columns"
            errors.append(LineError(number, "", f"{message}: {len(cells)} instead of {len(columns)}."))
            continue
        named = dict(zip(columns, cells, strict=True))
        given = {name: _value(name, cell) for name, cell in named.items()}
        lines.append(CsvLine(number, given, _cell_errors(named, str(given["sku"]), first_line_of)))
        first_line_of.setdefault(lines[-1].sku, number)
    if not lines and not errors:
        raise _Unreadable(1, "", "There are no products in this file.")
    return CsvSheet(tuple(lines), tuple(errors[:MAX_ERRORS]))


def _records(text: str) -> Iterator[tuple[int, list[str]]]:
    """Each with the line it begins on; empty lines are skipped."""
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    while True:
        begins = reader.line_num + 1
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            raise _Unreadable(begins, "", f"This line cannot be read as CSV: {error}.") from None
        if any(cell.strip() for cell in cells):
            yield begins, cells


def _checked_header(cells: list[str]) -> list[str]:
    columns = [cell.strip() for cell in cells]
    if len(columns) == 1 and re.search(r"[;\t]", columns[0]):
        raise _Unreadable(1, "", "The columns of this file must be separated by commas.")
    for index, name in enumerate(columns):
        if name not in COLUMNS:
            raise _Unreadable(1, name[:80], f"There is no such column. The columns are: {', '.join(COLUMNS)}.")
        if name in columns[:index]:
            raise _Unreadable(1, name, "This column appears twice.")
    if "sku" not in columns:
        raise _Unreadable(1, "sku", "This column is missing. It says which product each line is about.")
    return columns


def _cell_errors(named: dict[str, str], sku: str, first_line_of: dict[str, int]) -> dict[str, str]:
    errors = {name: FORMULA_MESSAGE for name, cell in named.items() if name in (*TEXTS, *LISTS) and is_formula(cell)}
    if not sku:
        errors["sku"] = f"{empty_cell_error('sku')} A SKU is required to tell which product this is."
    elif sku in first_line_of:
        errors["sku"] = f"This SKU is already on line {first_line_of[sku]}."
    return errors


def _value(name: str, cell: str) -> object:
    """The value of a cell, or its text if it cannot be read: then the form says what is wrong with it."""
    text = cell.strip() if name not in PROSE else cell
    if name in LISTS:
        return _entries(unescaped(text))
    if name in FLAGS:
        return {"true": True, "false": False}.get(text.lower(), text)
    if name in TEXTS:
        return CHOICES.get(name, {}).get(text.casefold(), unescaped(text))
    if name in INTEGERS and INTEGER.fullmatch(text):
        return int(text)
    if name in NUMBERS and DECIMAL.fullmatch(text):
        return float(text)
    # An empty cell is None, as in JSON. Price and stock may not be None: the form refuses their empty text.
    return text if text or name in ("price", "stock") else None
