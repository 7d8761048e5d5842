"""Bars in SVG, for docs/performance.md."""

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

ROW, LABEL, WIDTH, GAP = 26, 210, 420, 8
STYLE = "font: 13px system-ui, sans-serif; fill: #26332b"


class Bar(NamedTuple):
    label: str
    value: float
    text: str
    mark: float | None = None
    """Where a line is drawn across: what is aimed at."""


def bars(title: str, rows: Sequence[Bar]) -> str:
    """Each as long as its value, by one scale."""
    most = max([row.value for row in rows] + [row.mark for row in rows if row.mark is not None]) or 1
    height = 44 + len(rows) * ROW
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {LABEL + WIDTH + 110} {height}" role="img">',
        f"<title>{escape(title)}</title>",
        f'<rect width="100%" height="{height}" fill="#fbfaf5"/>',
        f'<text x="12" y="24" style="{STYLE}; font-weight: 600">{escape(title)}</text>',
    ]
    for number, row in enumerate(rows):
        top = 40 + number * ROW
        length = max(1.0, row.value / most * WIDTH)
        text_at = LABEL + max(length, (row.mark or 0) / most * WIDTH) + GAP
        parts += [
            f'<text x="{LABEL - GAP}" y="{top + 13}" text-anchor="end" style="{STYLE}">{escape(row.label)}</text>',
            f'<rect x="{LABEL}" y="{top}" width="{length:.1f}" height="{ROW - GAP}" rx="2" fill="#2f6b4a"/>',
            f'<text x="{text_at:.1f}" y="{top + 13}" style="{STYLE}">{escape(row.text)}</text>',
        ]
        if row.mark is not None:
            at = LABEL + row.mark / most * WIDTH
            parts.append(f'<path d="M{at:.1f} {top - 2}v{ROW - GAP + 4}" stroke="#c2571f" stroke-width="2"/>')
    return "\n".join([*parts, "</svg>\n"])
