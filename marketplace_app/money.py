"""Cents: the only form of money in code and database. Rounding and formatting live here and nowhere else."""

import re
from collections.abc import Sequence

_DECIMAL = re.compile(r"[0-9]{1,9}(\.[0-9]{1,2})?")
_WITH_THOUSANDS = re.compile(r"[0-9]{1,3}(,[0-9]{3})+(\.[0-9]*)?")
_RATE = re.compile(r"[01]\.[0-9]{2,4}")
HUNDRED_PERCENT = 10_000
"""In basis points, which are hundredths of a percent."""


def percent_of(cents: int, percent: int) -> int:
    """A share of a non-negative amount, rounded half up (RULE money)."""
    return share_of(cents, percent * 100)


def share_of(cents: int, basis_points: int, *, up: bool = False) -> int:
    """A share, given in basis points, of a non-negative amount: rounded half up, or with `up` to the next cent."""
    return _divide(cents * basis_points, HUNDRED_PERCENT, up=up)


def part_within(cents: int, basis_points: int, *, up: bool = False) -> int:
    """The share that a non-negative amount already includes: at 10 %, a price of 110_00 includes a tax of 10_00."""
    return _divide(cents * basis_points, HUNDRED_PERCENT + basis_points, up=up)


def apportion(cents: int, weights: Sequence[int]) -> list[int]:
    """Split an amount in proportion to the weights, by the largest-remainder method.

    The parts add up to the amount, and among equal remainders the first gets the cent. If all weights are 0, all parts
    are 0.
    """
    total = sum(weights)
    if not total:
        return [0] * len(weights)
    parts = [cents * weight // total for weight in weights]
    by_remainder = sorted(range(len(weights)), key=lambda index: -(cents * weights[index] % total))
    for index in by_remainder[: cents - sum(parts)]:
        parts[index] += 1
    return parts


def _divide(dividend: int, divisor: int, *, up: bool) -> int:
    return -(-dividend // divisor) if up else (2 * dividend + divisor) // (2 * divisor)


def parse(text: str) -> int:
    """Cents from a decimal string such as `49.99`. Raises ValueError for anything else."""
    if not _DECIMAL.fullmatch(text):
        raise ValueError("an amount such as 49.99 is expected")
    dollars, _, fraction = text.partition(".")
    return int(dollars) * 100 + int(fraction.ljust(2, "0"))


def normalize_typed(text: str) -> str:
    """A typed amount as `parse` reads it: `1000` for ` $1,000 `. `12,50` keeps its comma, so it is refused."""
    amount = text.strip().removeprefix("$")
    return amount.replace(",", "") if _WITH_THOUSANDS.fullmatch(amount) else amount


def decimal(cents: int) -> str:
    """The wire form: `49.99`, `-10.00`."""
    sign = "-" if cents < 0 else ""
    return f"{sign}{abs(cents) // 100}.{abs(cents) % 100:02d}"


def rate(basis_points: int) -> str:
    """The wire form of a rate: `0.15`, `0.0725`."""
    return f"{basis_points / HUNDRED_PERCENT:.4f}".removesuffix("0").removesuffix("0")


def parse_rate(text: str) -> int:
    """Basis points from the wire form. Raises ValueError for anything else."""
    if not _RATE.fullmatch(text):
        raise ValueError("a rate such as 0.15 is expected")
    ones, _, fraction = text.partition(".")
    return int(ones) * HUNDRED_PERCENT + int(fraction.ljust(4, "0"))


def show_rate(basis_points: int) -> str:
    """A rate on the screen: `15%`, `7.25%`."""
    return f"{basis_points / 100:g}%"


def show(cents: int) -> str:
    """The screen's form, en-US: `$1,234.50`, with a real minus sign before reductions."""
    sign = "−" if cents < 0 else ""
    return f"{sign}${abs(cents) // 100:,}.{abs(cents) % 100:02d}"


def show_short(cents: int) -> str:
    """Whole dollars without cents: `$100`, but `$99.50`."""
    return show(cents).removesuffix(".00")


def show_on_axis(cents: int) -> str:
    """Short, for the axis of a chart: `$2.5k`, but `$999`."""
    thousands = cents / 100_000
    return f"${thousands:g}k" if thousands >= 1 else show_short(cents)
