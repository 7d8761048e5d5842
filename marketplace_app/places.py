"""Reading the place of an address: its ZIP code and state."""

import re
from collections.abc import Mapping
from typing import NamedTuple

STATE_NAMES: Mapping[str, str] = {
    "AK": "Alaska",
    "AL": "Alabama",
    "AR": "Arkansas",
    "AZ": "Arizona",
    "CA": "California",
    "CO": "Colorado",
    "CT": "Connecticut",
    "DC": "District of Columbia",
    "DE": "Delaware",
    "FL": "Florida",
    "GA": "Georgia",
    "HI": "Hawaii",
    "IA": "Iowa",
    "ID": "Idaho",
    "IL": "Illinois",
    "IN": "Indiana",
    "KS": "Kansas",
    "KY": "Kentucky",
    "LA": "Louisiana",
    "MA": "Massachusetts",
    "MD": "Maryland",
    "ME": "Maine",
    "MI": "Michigan",
    "MN": "Minnesota",
    "MO": "Missouri",
    "MS": "Mississippi",
    "MT": "Montana",
    "NC": "North Carolina",
    "ND": "North Dakota",
    "NE": "Nebraska",
    "NH": "New Hampshire",
    "NJ": "New Jersey",
    "NM": "New Mexico",
    "NV": "Nevada",
    "NY": "New York",
    "OH": "Ohio",
    "OK": "Oklahoma",
    "OR": "Oregon",
    "PA": "Pennsylvania",
    "RI": "Rhode Island",
    "SC": "South Carolina",
    "SD": "South Dakota",
    "TN": "Tennessee",
    "TX": "Texas",
    "UT": "Utah",
    "VA": "Virginia",
    "VT": "Vermont",
    "WA": "Washington",
    "WI": "Wisconsin",
    "WV": "West Virginia",
    "WY": "Wyoming",
}
_CODES_BY_TEXT = {text.casefold(): code for code, name in STATE_NAMES.items() for text in (code, name)}
_NAMES = "|".join(name.replace(" ", r"\s+") for name in STATE_NAMES.values())
_ZIP_CODE = r"(?P<zip>\d{5})(?:-?\d{4})?"
_ZIP = re.compile(_ZIP_CODE, re.ASCII)
_END = re.compile(
    rf"(?:^|[\s,])(?:(?P<state>[A-Za-z]{{2}}|[A-Za-z]\.[A-Za-z]\.|{_NAMES})[\s,]+)?{_ZIP_CODE}"
    r"[\s,.]*(?:(?:USA?|U\.S\.(?:A\.)?|United States(?: of America)?)[\s,.]*)?$",
    re.ASCII | re.IGNORECASE,
)


class Place(NamedTuple):
    zip_code: str
    """Five digits."""
    state: str = ""
    """`OR`, or empty where the address does not name it."""


def read_zip(text: str) -> str | None:
    """The first five digits of `97201`, `97201-1234` and `972011234`; None for anything else."""
    found = _ZIP.fullmatch(text.strip())
    return found["zip"] if found else None


def read_state(text: str) -> str:
    """`CA` for `ca`, `C.A.` and ` california `; empty for anything that is not a state."""
    return _CODES_BY_TEXT.get(" ".join(text.replace(".", "").split()).casefold(), "")


def read(zip_code: str, state: str) -> Place | None:
    """The place of an address in parts. None without a ZIP code; `Place.state` is empty if `state` is not a state."""
    digits = read_zip(zip_code)
    return Place(digits, read_state(state)) if digits else None


def read_parts_or_address(zip_code: str, state: str, address: str) -> Place | None:
    """The place of an order: read from the parts of its address or, without a ZIP code there, from the whole."""
    return read(zip_code, state) or read_address(address)


def read_address(address: str) -> Place | None:
    """The place at the end of a whole address: `214 Larch Street, Portland, OR 97201`. None if it names no ZIP code."""
    found = _END.search(address.strip())
    return Place(found["zip"], read_state(found["state"] or "")) if found else None
