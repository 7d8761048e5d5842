"""CSV without cells that a spreadsheet would run as formulas."""

import csv
import io
from collections.abc import Iterable, Sequence

FORMULA_PREFIXES = tuple("=+-@\t\r＝＋－＠")
"""A spreadsheet runs a cell as a formula if it begins with one of these, apart from blanks before it."""
BLANKS = " \n"

FORMULA_MESSAGE = "This looks like a formula. If it is text, put a ' before it."


def is_formula(cell: str) -> bool:
    """Whether a cell of an uploaded file is a formula. Text that looks like one has a `'` before it, as in exports."""
    return cell.lstrip(BLANKS).startswith(FORMULA_PREFIXES)


def escaped(text: str) -> str:
    """A text cell that no spreadsheet takes for a formula; `unescaped` returns the original text."""
    return f"'{text}" if _needs_quote(text) else text


def unescaped(cell: str) -> str:
    return cell[1:] if cell.startswith("'") and _needs_quote(cell[1:]) else cell


def _needs_quote(text: str) -> bool:
    return text.startswith("'") or is_formula(text)


def lines(rows: Iterable[Sequence[object]]) -> str:
    """Rows as CSV; texts are escaped, numbers stay as they are."""
    written = io.StringIO()
    writer = csv.writer(written)
    for row in rows:
        writer.writerow([escaped(cell) if isinstance(cell, str) else cell for cell in row])
    return written.getvalue()
