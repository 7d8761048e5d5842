"""The texts about delivery: zones, ZIP codes, windows, closed days and times."""

import re
from collections.abc import Sequence

from marketplace_app.messages import Notice

MAX_LISTED = 10
"""How many values a sentence lists at most; the others are only counted."""
_RANGE = re.compile(r"(\d{5})[-–—](\d{5})", re.ASCII)

ZONE_NOT_FOUND = "Zone not found."
DELIVERY_SAVED = Notice("Delivery updated")
DELIVERY_NOT_SAVED = "Failed to update delivery"
WINDOW_NOT_FOUND = "Window not found."
CLOSURE_NOT_FOUND = "This day is not closed."
WINDOW_FULL = "This delivery time is no longer free. Please choose another one."
SLOT_FULL_AGAIN = "Another order has taken the place at this delivery time, so this one cannot be reopened."
ADDRESS_NOT_UNDERSTOOD = (
    "We can't find a ZIP code at the end of this address. Please end it like this: Portland, OR 97201."
)


def outside_delivery_area(zip_code: str) -> str:
    return f"We don't deliver to {zip_code} yet."


def not_a_zip_code(text: str) -> str:
    return f"'{text[:20]}' is not a ZIP code: five digits are expected."


def not_zip_codes(texts: Sequence[str]) -> str:
    """For one text or several. If the first is a range, the sentence says so."""
    if (first := _RANGE.fullmatch(texts[0])) is not None:
        return f"{first[1]}-{first[2]} is a range: please write each of its ZIP codes."
    if len(texts) == 1:
        return not_a_zip_code(texts[0])
    quoted = [f"'{text[:20]}'" for text in texts]
    return f"{_listed(quoted)} are not ZIP codes: five digits each are expected."


def zip_codes_taken(zip_codes: Sequence[str], zone: str) -> str:
    return f"{_listed(zip_codes)} {'is' if len(zip_codes) == 1 else 'are'} in the zone '{zone}' already."


def _listed(names: Sequence[str]) -> str:
    """`97201, 97202 and 38 more`"""
    shown, more = names[:MAX_LISTED], len(names) - MAX_LISTED
    listed = ", ".join(shown) if more > 0 or len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"
    return f"{listed} and {more:,} more" if more > 0 else listed


def zone_removal(zips: str, windows: str, open_orders: int, *, is_last: bool) -> str:
    """`zips` and `windows` are counts in words, such as `3 ZIP codes`."""
    keeps = "1 open order keeps its" if open_orders == 1 else f"{open_orders:,} open orders keep their"
    kept = f" {keeps} amounts and delivery time." if open_orders else ""
    after = "Without zones, you deliver everywhere for one fee." if is_last else "New orders to it are refused."
    return f"It is removed with {zips} and {windows}.{kept} {after}"


def orders_due(count: int) -> str:
    return "1 order is still due that day." if count == 1 else f"{count:,} orders are still due that day."


def weekend_note(hours: int) -> str:
    return f"Weekend deliveries can take up to {hours} hours."
