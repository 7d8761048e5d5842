"""CSV that a spreadsheet opens without running anything."""

import csv
import io
from collections.abc import Iterable, Sequence

BEGIN_FORMULAS = tuple("=+-@\t\r＝＋－＠")
"""What a spreadsheet would take for the beginning of a formula, and run."""

FORMULA = "This looks like a formula. If it is text, put a ' before it."


def is_formula(cell: str) -> bool:
    """Whether a cell of an uploaded file is a formula. Text that looks like one has a `'` before it, as in exports."""
    return cell.lstrip(" \n").startswith(BEGIN_FORMULAS)


def guarded(text: str) -> str:
    """A text cell that no spreadsheet takes for a formula; `unguarded` returns the original text."""
    return f"'{text}" if text.startswith((*BEGIN_FORMULAS, "'")) else text


def unguarded(cell: str) -> str:
    return cell[1:] if cell.startswith("'") and cell[1:].startswith((*BEGIN_FORMULAS, "'")) else cell


def lines(rows: Iterable[Sequence[object]]) -> str:
    """Rows as CSV; texts are guarded, numbers stay as they are."""
    written = io.StringIO()
    writer = csv.writer(written)
    for row in rows:
        writer.writerow([guarded(cell) if isinstance(cell, str) else cell for cell in row])
    return written.getvalue()
