"""The quote (RULE quote)."""

from typing import Annotated, Any

from pydantic import BeforeValidator, Field, PlainSerializer

from marketplace_app import money
from marketplace_app.models import TaxKind
from marketplace_app.schemas.base import Money, View


def _basis_points(value: object) -> object:
    return money.parse_rate(value) if isinstance(value, str) else value


TaxRate = Annotated[int, BeforeValidator(_basis_points, json_schema_input_type=str), PlainSerializer(money.rate)]
"""A rate in a view. Python has basis points, JSON a decimal text such as `0.15`."""
TAX_CODE = "tax"
"""The code of a line for a tax that is added to the prices."""
TAX_INCLUDED_CODE = "tax_included"
"""The code of a line that adds nothing: its label says how much tax the prices include."""


class QuoteLine(View):
    code: str = Field(examples=["first_purchase"])
    label: str = Field(examples=["First purchase, 25%"])
    base_cents: Money = Field(examples=["170.00"])
    rate: str | None = Field(examples=["0.25"])
    amount_cents: Money = Field(examples=["-42.50"])
    """Reductions are negative: the lines add up to the total."""
    reason: str


# A tax, as it was computed for one order.
class Tax(View):
    code: str = Field(examples=["excise"])
    label: str = Field(examples=["Excise tax"])
    kind: TaxKind = Field(examples=["added"])
    """`included` taxes are part of the prices already."""
    basis_points: TaxRate = Field(alias="rate", examples=["0.15"])
    base_cents: Money = Field(examples=["127.50"])
    amount_cents: Money = Field(examples=["19.13"])


# A reason why the order cannot be placed.
class Blocker(View):
    code: str = Field(examples=["minimum_order"])
    message: str = Field(examples=["Minimum order amount is $100.00. Please add more items to your cart."])


# A legal limit, and how much of it is used (RULE legal-limits).
class LimitUse(View):
    code: str = Field(examples=["flower"])
    label: str = Field(examples=["Flower"])
    days: int = Field(
        examples=[1],
        description="What it limits: 0 is each order by itself, 1 is today in the store's time zone, 30 is the last 30 "
        "days, today included.",
    )
    limit_mg: int = Field(examples=[28_500])
    used_mg: int = Field(examples=[12_500])
    adds_mg: int = Field(examples=[3_500])


class Amounts(View):
    subtotal_cents: Money = Field(examples=["170.00"])
    delivery_fee_cents: Money = Field(examples=["25.00"])
    new_customer_discount_cents: Money = Field(examples=["42.50"])
    referral_discount_cents: Money = Field(examples=["0.00"])
    promotion_discount_cents: Money = Field(examples=["0.00"])
    tax_cents: Money = Field(examples=["0.00"])
    credit_applied_cents: Money = Field(examples=["0.00"])
    cash_rounding_cents: Money = Field(examples=["0.00"])
    total_cents: Money = Field(examples=["152.50"])


_LEFT_OUT_IF_EMPTY = ("open", "taxes", "limits", "needs")


class Quote(Amounts):
    lines: tuple[QuoteLine, ...]
    blockers: tuple[Blocker, ...]
    open: tuple[str, ...] = Field(
        (),
        examples=[["zone", "tax"]],
        description="What this quote lacks because the delivery place is not known; left out if it lacks nothing.",
    )
    taxes: tuple[Tax, ...] = Field((), description="Left out if there are none.")
    limits: tuple[LimitUse, ...] = Field((), description="Left out while no rules are applied.")
    needs: tuple[str, ...] = Field(
        (),
        examples=[["birth_date"]],
        description="What an order needs besides its usual fields; left out if nothing.",
    )

    def wire(self) -> dict[str, Any]:
        return {name: value for name, value in super().wire().items() if value or name not in _LEFT_OUT_IF_EMPTY}

    def amounts(self) -> dict[str, int]:
        """Cents by wire name."""
        return {str(field.alias): getattr(self, name) for name, field in Amounts.model_fields.items()}
