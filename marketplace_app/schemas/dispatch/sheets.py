"""The sheet of a run: what its driver needs on paper (RULE run-sheet)."""

from datetime import date, datetime

from pydantic import Field

from marketplace_app.schemas.base import Money, View
from marketplace_app.schemas.dispatch.door import DriverStop
from marketplace_app.schemas.dispatch.runs import PersonRef


class SheetStop(View):
    facts: DriverStop
    birth_date: date | None
    """Set if the order's record has one: the rules of some states want it on the manifest (RULE order-record)."""


class Sheet(View):
    run_id: int = Field(examples=[8])
    day: date
    driver: PersonRef
    vehicle: str = Field(examples=["White van"])
    departed_at: datetime | None
    offers_change_as_credit: bool
    """Customers may get their change as store credit (RULE change-as-credit)."""
    stops: tuple[SheetStop, ...]
    cash_cents: Money = Field(examples=["612.00"])
    """Of the stops that have not ended."""
