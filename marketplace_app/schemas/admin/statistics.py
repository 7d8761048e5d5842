"""What the shop sold, in figures (RULE statistics)."""

from dataclasses import dataclass
from datetime import date, timedelta
from typing import Annotated, Any, ClassVar

from pydantic import ConfigDict, Field, ValidationInfo, field_validator

from marketplace_app.models import OrderStatus
from marketplace_app.schemas.admin.taxes import MonthlyTax
from marketplace_app.schemas.base import Day, Form, Money, View

SPANS = (7, 14, 30, 90, 365)
DEFAULT_SPAN = 30
MAX_SPAN_DAYS = 366


class SpanQuery(Form):
    """The last `days` days including today, or from one day to another."""

    model_config = ConfigDict(strict=False, extra="ignore")
    MESSAGES: ClassVar[dict[str, str]] = {"days": f"The span must be one of {', '.join(map(str, SPANS))} days."}

    days: int = DEFAULT_SPAN
    from_: Annotated[Day | None, Field(alias="from", validate_default=True)] = None
    to: Annotated[Day | None, Field(validate_default=True)] = None

    @field_validator("days")
    @classmethod
    def _require_offered_days(cls, days: int) -> int:
        if days not in SPANS:
            raise ValueError(cls.MESSAGES["days"])
        return days

    @field_validator("to")
    @classmethod
    def _require_valid_span(cls, to: date | None, info: ValidationInfo) -> date | None:
        start = info.data.get("from_")
        if (start is None) != (to is None):
            raise ValueError("send both from and to, or neither")
        if start is not None and to is not None and not timedelta(0) <= to - start < timedelta(days=MAX_SPAN_DAYS):
            raise ValueError(f"a span of 1 to {MAX_SPAN_DAYS} days is expected")
        return to

    def span(self, today: date) -> "Span":
        if self.from_ is not None and self.to is not None:
            return Span(self.from_, self.to)
        return Span(today - timedelta(days=self.days - 1), today)


@dataclass(frozen=True)
class Span:
    first: date
    last: date

    @property
    def length(self) -> int:
        return (self.last - self.first).days + 1

    @property
    def before(self) -> "Span":
        """The same number of days, right before."""
        return Span(self.first - timedelta(days=self.length), self.first - timedelta(days=1))

    def split(self, recent: int) -> tuple["Span", ...]:
        """Splits off the last `recent` days; the older part comes first."""
        if self.length <= recent:
            return (self,)
        edge = self.last - timedelta(days=recent)
        return Span(self.first, edge), Span(edge + timedelta(days=1), self.last)

    def days(self) -> list[date]:
        return [self.first + timedelta(days=number) for number in range(self.length)]


# Of all time. Cancelled orders do not count (RULE statistics).
class Totals(View):
    total_orders: int = Field(examples=[1284])
    total_revenue_cents: Money = Field(examples=["148930.50"])
    collected_revenue_cents: Money = Field(examples=["139212.00"])
    """Cash collected: the total of delivered orders."""
    pending_orders: int = Field(examples=[9])
    total_customers: int = Field(examples=[612])
    """Without staff, drivers and deleted accounts."""


class Sales(View):
    orders: int = Field(examples=[31])
    revenue_cents: Money = Field(examples=["4120.75"])


class TopProduct(View):
    product_id: int
    name: str = Field(examples=["Fern Hollow"])
    quantity: int
    revenue_cents: Money = Field(examples=["6604.00"])
    """At the prices of the lines, before an order's discounts."""


# Who ordered in the span: for the first time, or again.
class Buyers(View):
    first: int
    returning: int


@dataclass(frozen=True)
class Report:
    """Sales count orders that were not cancelled; the status mix counts all."""

    span: Span
    total: Sales
    before: Sales
    """Of the same number of days right before, for comparison."""
    days: tuple[tuple[date, Sales], ...]
    """Every day of the span, in the store's time zone."""
    hours: tuple[int, ...]
    """Orders of each hour of the day, in the store's time zone."""
    statuses: dict[OrderStatus, int]
    top_products: tuple[TopProduct, ...]
    buyers: Buyers
    taxes: tuple[MonthlyTax, ...]
    """Only for the overview: over REST they have a route of their own."""

    def wire(self) -> dict[str, Any]:
        return {
            "from": self.span.first.isoformat(),
            "to": self.span.last.isoformat(),
            **self.total.wire(),
            "before": self.before.wire(),
            "days": [{"day": day.isoformat(), **sales.wire()} for day, sales in self.days],
            "hours": list(self.hours),
            "statuses": {status.value: count for status, count in self.statuses.items()},
            "topProducts": [product.wire() for product in self.top_products],
            "buyers": self.buyers.wire(),
        }


class NeedsAttention(View):
    late_pending_orders: int
    """Pending for longer than processing takes."""
    low_stock_products: int
    urgent_tickets: int
    untested_products: int
    unwritten_legal_pages: int
    """Legal pages without a text by the shop; counted only for owners."""


class DaySalesAnswer(Sales):
    day: date


class ReportAnswer(Sales):
    from_: date = Field(alias="from")
    to: date
    before: Sales
    days: list[DaySalesAnswer]
    hours: list[int]
    statuses: dict[OrderStatus, int]
    top_products: list[TopProduct]
    buyers: Buyers
    new_customers: int
