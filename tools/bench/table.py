"""Tables in Markdown: what was measured, the figures, and their goals."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import NamedTuple

HEADS = ("", "figure", "spread", "goal")


class Goal(NamedTuple):
    """The bound of a figure: the most that it should be or, with `is_least`, the least."""

    bound: float
    is_least: bool = False

    def text(self, unit: str = "") -> str:
        return f"{'>=' if self.is_least else '<='} {self.bound:g} {unit}".strip()

    def is_met_by(self, figure: float) -> bool:
        return figure >= self.bound if self.is_least else figure <= self.bound


def at_least(bound: float) -> Goal:
    return Goal(bound, is_least=True)


class Check(NamedTuple):
    """A figure beside its goal. The exact figure is judged, not the rounded one that is shown."""

    what: str
    figure: float
    goal: Goal
    unit: str = ""

    @property
    def is_met(self) -> bool:
        return self.goal.is_met_by(self.figure)


@dataclass(frozen=True)
class Row:
    what: str
    figure: float | None
    """None if there was nothing to measure."""
    unit: str = ""
    spread: str = ""
    goal: Goal | None = None

    def cells(self) -> tuple[str, ...]:
        figure = "none" if self.figure is None else show(self.figure, self.unit)
        return self.what, figure, self.spread, self.goal.text(self.unit) if self.goal else ""

    def checks(self) -> list[Check]:
        return [Check(self.what, self.figure, self.goal, self.unit)] if self.goal and self.figure is not None else []


def of_many(what: str, figures: list[float], unit: str, goal: Goal | None = None) -> Row:
    """The median of several figures, and the least and the most of them."""
    return Row(what, median(figures), unit, spread(figures), goal)


def spread(figures: Sequence[float]) -> str:
    return f"{show(min(figures))} to {show(max(figures))}" if figures else ""


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
