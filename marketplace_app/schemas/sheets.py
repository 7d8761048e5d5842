"""The sheet of a run: what its driver needs on paper (RULE run-sheet)."""

from datetime import date, datetime

from marketplace_app.schemas.base import View
from marketplace_app.schemas.door import DriverStop
from marketplace_app.schemas.runs import PersonRef


class SheetStop(View):
    facts: DriverStop
    birth_date: date | None
    """Where the order's record has one, which rules want on the manifest (RULE order-record)."""


class Sheet(View):
    run_id: int
    day: date
    driver: PersonRef
    vehicle: str
    departed_at: datetime | None
    stops: tuple[SheetStop, ...]
    cash_cents: int
    """Of the stops that have not ended."""
