"""Reading the place of an address: its ZIP code and state."""

import re
from typing import NamedTuple

_ZIP = re.compile(r"(\d{5})(?:-?\d{4})?", re.ASCII)
_END = re.compile(
    r"(?:^|[\s,])(?:(?P<state>[A-Za-z]{2})[\s,]+)?(?P<zip>\d{5})(?:-\d{4})?"
    r"[\s,.]*(?:(?:USA?|U\.S\.A?\.|United States(?: of America)?)[\s,.]*)?$",
    re.ASCII | re.IGNORECASE,
)


class Place(NamedTuple):
    zip_code: str
    """Five digits."""
    state: str = ""
    """`OR`, or empty where the address does not name it."""


def read_zip(text: str) -> str | None:
    """The five digits of `97201` and `97201-1234`; None for anything else."""
    found = _ZIP.fullmatch(text.strip())
    return found[1] if found else None


def read_end(address: str) -> Place | None:
    """The place at the end of a whole address: `214 Larch Street, Portland, OR 97201`. None if it names no ZIP code."""
    found = _END.search(address.strip())
    return Place(found["zip"], (found["state"] or "").upper()) if found else None
