"""One table: what was measured, how it came out, what is aimed at."""

from dataclasses import dataclass
from statistics import median

HEADS = ("", "figure", "spread", "goal")


@dataclass(frozen=True)
class Row:
    what: str
    figure: str
    spread: str = ""
    goal: str = ""


def of_many(what: str, figures: list[float], unit: str, goal: str = "") -> Row:
    """The median of several figures, and the least and the most of them."""
    return Row(what, show(median(figures), unit), f"{show(min(figures))} to {show(max(figures))}", goal)


def show(figure: float, unit: str = "") -> str:
    digits = 2 if figure < 10 else 1 if figure < 100 else 0
    return f"{figure:,.{digits}f} {unit}".strip()


def print_table(rows: list[Row]) -> None:
    cells = [HEADS, *[(row.what, row.figure, row.spread, row.goal) for row in rows]]
    widths = [max(len(line[column]) for line in cells) for column in range(len(HEADS))]
    for number, line in enumerate(cells):
        print("| " + " | ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)) + " |")
        if number == 0:
            print("|" + "|".join("-" * (width + 2) for width in widths) + "|")
