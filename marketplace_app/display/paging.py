"""Paging of a list: how many rows there are, which of them are shown, and how many pages there are."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Paging:
    page: int
    """From 1. It may be past the last page, if rows were removed since the link was made."""
    size: int
    """Rows on a full page."""
    total: int

    @property
    def pages(self) -> int:
        """At least 1: an empty list has one empty page."""
        return max(1, -(-self.total // self.size))

    @property
    def range_label(self) -> str:
        """`26–50 of 312`, or nothing if this page has no rows."""
        first, last = (self.page - 1) * self.size + 1, min(self.page * self.size, self.total)
        return f"{first:,}–{last:,} of {self.total:,}" if first <= last else ""


def counted(number: int, noun: str) -> str:
    """`1 order`, `1,312 orders`, `2 entries`, `2 days`."""
    ends_in_ies = noun.endswith("y") and noun[-2] not in "aeiou"
    plural = f"{noun[:-1]}ies" if ends_in_ies else f"{noun}s"
    return f"1 {noun}" if number == 1 else f"{number:,} {plural}"
