"""Bars in SVG, for docs/performance.md."""

import math
from collections.abc import Callable, Sequence
from html import escape
from typing import NamedTuple

ROW, LABEL, WIDTH, GAP = 26, 230, 420, 8
STYLE = "font: 13px system-ui, sans-serif; fill: #26332b"


class Bar(NamedTuple):
    label: str
    value: float
    text: str
    mark: float | None = None
    """Where a line is drawn across the bar: the goal."""


def bars(title: str, rows: Sequence[Bar], *, is_log: bool = False) -> str:
    """A horizontal bar for each row. `is_log`: on a logarithmic scale, with a grid line at each power of ten."""
    values = [row.value for row in rows] + [row.mark for row in rows if row.mark is not None]
    length_of = _by_logarithm(values) if is_log else _by_value(values)
    height = 44 + len(rows) * ROW
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {LABEL + WIDTH + 110} {height}" role="img">',
        f"<title>{escape(title)}</title>",
        f'<rect width="100%" height="{height}" fill="#fbfaf5"/>',
        f'<text x="12" y="24" style="{STYLE}; font-weight: 600">{escape(title)}</text>',
    ]
    for power in _powers(values) if is_log else ():
        parts.append(f'<path d="M{LABEL + length_of(power):.1f} 36V{height - 4}" stroke="#d8d5c8"/>')
    for number, row in enumerate(rows):
        top = 40 + number * ROW
        length = max(1.0, length_of(row.value))
        text_at = LABEL + max(length, length_of(row.mark) if row.mark is not None else 0) + GAP
        parts += [
            f'<text x="{LABEL - GAP}" y="{top + 13}" text-anchor="end" style="{STYLE}">{escape(row.label)}</text>',
            f'<rect x="{LABEL}" y="{top}" width="{length:.1f}" height="{ROW - GAP}" rx="2" fill="#2f6b4a"/>',
            f'<text x="{text_at:.1f}" y="{top + 13}" style="{STYLE}">{escape(row.text)}</text>',
        ]
        if row.mark is not None:
            at = LABEL + length_of(row.mark)
            parts.append(f'<path d="M{at:.1f} {top - 2}v{ROW - GAP + 4}" stroke="#c2571f" stroke-width="2"/>')
    return "\n".join([*parts, "</svg>\n"])


def _by_value(values: Sequence[float]) -> Callable[[float], float]:
    most = max(values) or 1
    return lambda value: value / most * WIDTH


def _by_logarithm(values: Sequence[float]) -> Callable[[float], float]:
    first, *_, last = _powers(values)
    return lambda value: math.log(value / first) / math.log(last / first) * WIDTH


def _powers(values: Sequence[float]) -> list[float]:
    """The powers of ten from the last one not above any value to the first one not below any."""
    least, most = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
    return [10.0**power for power in range(least, max(most, least + 1) + 1)]
