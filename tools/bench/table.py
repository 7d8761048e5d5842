"""Tables in Markdown: what was measured, how it came out, what is aimed at."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

HEADS = ("", "figure", "spread", "goal")


@dataclass(frozen=True)
class Row:
    what: str
    figure: str
    spread: str = ""
    goal: str = ""

    def cells(self) -> tuple[str, ...]:
        return self.what, self.figure, self.spread, self.goal


def of_many(what: str, figures: list[float], unit: str, goal: str = "") -> Row:
    """The median of several figures, and the least and the most of them."""
    return Row(what, show(median(figures), unit), f"{show(min(figures))} to {show(max(figures))}", goal)


def show(figure: float, unit: str = "") -> str:
    digits = 2 if figure < 10 else 1 if figure < 100 else 0
    return f"{figure:,.{digits}f} {unit}".strip()


def table(rows: Sequence[Row]) -> str:
    return markdown(HEADS, [row.cells() for row in rows])


def markdown(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    cells = [heads, *rows]
    widths = [max(len(line[column]) for line in cells) for column in range(len(heads))]
    lines = [
        "| " + " | ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)) + " |" for line in cells
    ]
    return "\n".join([lines[0], "|" + "|".join("-" * (width + 2) for width in widths) + "|", *lines[1:]])
