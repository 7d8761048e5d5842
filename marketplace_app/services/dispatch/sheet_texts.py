"""What the sheet of a run says, on the screen and as PDF (RULE run-sheet)."""

from marketplace_app import clock, money
from marketplace_app.config import get_settings
from marketplace_app.dispatch_messages import RECALLED_AT_DOOR
from marketplace_app.schemas.dispatch.door import DriverStop
from marketplace_app.schemas.dispatch.labels import BagLabel
from marketplace_app.schemas.dispatch.sheets import Sheet, SheetStop

FAILED_LINE = "Couldn't deliver:  ____________________________________   Time:  ________"


def head(sheet: Sheet) -> tuple[str, ...]:
    timezone = get_settings().timezone
    left = f"Left {clock.show_time(sheet.departed_at, timezone)}" if sheet.departed_at else "Has not left yet"
    facts = (clock.show_day(sheet.day), sheet.driver.name, sheet.vehicle)
    return " · ".join(filter(None, facts)), left


def totals(sheet: Sheet) -> str:
    """`5 stops, $612.00 to collect`"""
    count = len(sheet.stops)
    return f"{count} stop{'' if count == 1 else 's'}, {money.show(sheet.cash_cents)} to collect"


def when(stop: DriverStop | BagLabel) -> str:
    if stop.window_starts_at is None or stop.window_ends_at is None:
        return "within the delivery hours"
    return clock.show_span(stop.window_starts_at, stop.window_ends_at, get_settings().timezone)


def items(stop: DriverStop) -> str:
    """`2 × Fern Hollow, 1 × Amber Road`"""
    return ", ".join(f"{item.quantity} × {item.name}" for item in stop.items)


def lines(stop: SheetStop) -> list[str]:
    """What stands below the address."""
    facts = stop.facts
    birth_date = stop.birth_date and f"Date of birth on the record: {clock.show_day(stop.birth_date)}"
    texts = (
        f"Order {facts.order_number} · {when(facts)}",
        " · ".join(filter(None, (facts.contact_phone, facts.delivery_instructions))),
        facts.payment_instructions and f"Payment: {facts.payment_instructions}",
        items(facts),
        birth_date,
    )
    return [text for text in texts if text]


def boxes(stop: DriverStop, *, offers_change_as_credit: bool) -> tuple[str, ...]:
    """What is ticked and written at the door, in the order of its steps (RULE door)."""
    return (
        "ID: 21 or older",
        "Name matches",
        "Not expired",
        *(["PIN  ____  ____  ____  ____"] if stop.needs_pin else []),
        "Cash counted  $ ____________",
        *(["Change kept as credit"] if offers_change_as_credit and stop.cash_cents else []),
        *(["Signature  ______________________"] if stop.needs_signature else []),
        "Bag placed",
    )


def outcome(stop: DriverStop) -> str:
    """Such as `Delivered`, or `Recalled. Do not hand over. Bring it back.`; empty while the stop is open."""
    if stop.is_recalled:
        return RECALLED_AT_DOOR
    return stop.outcome.value.capitalize() if stop.outcome else ""
