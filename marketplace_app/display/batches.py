"""How batches read on a screen."""

from datetime import date

from marketplace_app import clock


def describe(code: str, expires_on: date | None, thc_percent: float | None) -> str:
    """`FH-2611 · last day May 02, 2027 · THC 22.4%`, as far as it is known."""
    last_day = "" if expires_on is None else f"last day {clock.show_day(expires_on)}"
    thc = "" if thc_percent is None else f"THC {thc_percent:g}%"
    return " · ".join(filter(None, (code, last_day, thc)))
