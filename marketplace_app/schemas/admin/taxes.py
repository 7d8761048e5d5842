"""The taxes of a span of days (RULE tax-report)."""

from datetime import date

from pydantic import Field

from marketplace_app.models import TaxKind
from marketplace_app.schemas.base import Money, View
from marketplace_app.schemas.buying.quotes import TaxRate


class MonthlyTax(View):
    month: str = Field(examples=["2026-11"])
    state: str = Field(examples=["OR"])
    """The state whose rules it follows; empty if the orders were priced without rules."""
    code: str = Field(examples=["excise"])
    label: str = Field(examples=["Excise tax"])
    kind: TaxKind = Field(examples=["added"])
    basis_points: TaxRate = Field(alias="rate", examples=["0.15"])
    orders: int = Field(examples=[31])
    base_cents: Money = Field(examples=["4120.75"])
    """Includes the tax itself if prices contain it."""
    amount_cents: Money = Field(examples=["618.12"])


class TaxReport(View):
    first: date = Field(alias="from")
    last: date = Field(alias="to")
    taxes: tuple[MonthlyTax, ...]
