"""The cart, as changed and as shown."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from marketplace_app import money
from marketplace_app.limits import MAX_LINE_QUANTITY
from marketplace_app.schemas.base import Answer, Form, RowId
from marketplace_app.schemas.products.products import ProductView

Quantity = Annotated[int, Field(ge=1, le=MAX_LINE_QUANTITY)]


class AddForm(Form):
    EXAMPLE: ClassVar[Mapping[str, Any]] = {"productId": 1, "quantity": 2}

    product_id: RowId
    quantity: Quantity = 1


class QuantityForm(Form):
    """0 removes the line (RULE cart-lines)."""

    EXAMPLE: ClassVar[Mapping[str, Any]] = {"quantity": 3}

    quantity: Annotated[int, Field(ge=0, le=MAX_LINE_QUANTITY)]


class LineRef(Form):
    line_id: RowId


class StepForm(LineRef):
    """One more or one fewer of a line, as the drawer's buttons send it."""

    by: Literal[-1, 1]


@dataclass(frozen=True)
class CartLineView:
    id: int
    product: ProductView
    quantity: int
    available: int
    has_batches: bool = False
    """Whether the product is packed by batch. Set only in a list of all lines, not after a change of one."""

    @property
    def total_cents(self) -> int:
        return self.quantity * self.product.price_cents

    def wire(self) -> dict[str, Any]:
        product = self.product.wire()
        fields = ("id", "name", "price", "imageUrl", "category", "type", "inStock")
        return {
            "id": self.id,
            "productId": self.product.id,
            "quantity": self.quantity,
            "product": {name: product[name] for name in fields},
        }


class CartProductAnswer(Answer):
    id: int
    name: str
    price: str = Field(examples=[money.decimal(49_99)])
    image_url: str
    category: str
    type: str
    in_stock: bool


class CartLineAnswer(Answer):
    id: int
    product_id: int
    quantity: int
    product: CartProductAnswer
