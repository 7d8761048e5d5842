"""CSV that a spreadsheet opens without running anything."""

import csv
import io
from collections.abc import Iterable, Sequence

BEGIN_FORMULAS = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠")


def harmless(text: str) -> str:
    """A cell that would be a formula gets an apostrophe, which makes it a text."""
    return f"'{text}" if text.startswith(BEGIN_FORMULAS) else text


def lines(rows: Iterable[Sequence[object]]) -> str:
    """Rows as CSV, whatever is text in them made harmless; numbers stay as they are."""
    written = io.StringIO()
    writer = csv.writer(written)
    for row in rows:
        writer.writerow([harmless(cell) if isinstance(cell, str) else cell for cell in row])
    return written.getvalue()
