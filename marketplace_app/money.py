"""Cents: the only form of money in code and database. Rounding and formatting live here and nowhere else."""

import re

_DECIMAL = re.compile(r"[0-9]{1,9}(\.[0-9]{1,2})?")


def percent_of(cents: int, percent: int) -> int:
    """A share of a non-negative amount, rounded half up (RULE money)."""
    return (cents * percent * 2 + 100) // 200


def parse(text: str) -> int:
    """Cents from a decimal string such as `49.99`. Raises ValueError for anything else."""
    if not _DECIMAL.fullmatch(text):
        raise ValueError("an amount such as 49.99 is expected")
    whole, _, fraction = text.partition(".")
    return int(whole) * 100 + int(fraction.ljust(2, "0") or 0)


def decimal(cents: int) -> str:
    """The wire form: `49.99`, `-10.00`."""
    sign = "-" if cents < 0 else ""
    return f"{sign}{abs(cents) // 100}.{abs(cents) % 100:02d}"


def show(cents: int) -> str:
    """The screen's form, en-US: `$1,234.50`, with a real minus sign before reductions."""
    sign = "−" if cents < 0 else ""
    return f"{sign}${abs(cents) // 100:,}.{abs(cents) % 100:02d}"


def show_short(cents: int) -> str:
    """Whole dollars without cents: `$100`, but `$99.50`."""
    return show(cents).removesuffix(".00")
