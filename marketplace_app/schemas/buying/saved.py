"""Saved products, as sent and as shown."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, ClassVar

from pydantic import Field

from marketplace_app import clock
from marketplace_app.schemas.base import Answer, Form, RowId
from marketplace_app.schemas.products.products import ProductAnswer, ProductView


class SaveForm(Form):
    EXAMPLE: ClassVar[Mapping[str, Any]] = {"productId": 1}

    product_id: RowId


class SaveToggle(Form):
    is_wanted: bool


@dataclass(frozen=True)
class SavedView:
    product: ProductView
    is_still_sold: bool
    saved_at: datetime

    def wire(self) -> dict[str, Any]:
        product = self.product.wire() | ({} if self.is_still_sold else {"inStock": False})
        return {"product": product, "noLongerSold": not self.is_still_sold, "savedAt": clock.iso(self.saved_at)}


@dataclass(frozen=True)
class StockAlertView:
    """A product that somebody wants to be told about when it is back in stock."""

    product: ProductView
    is_still_sold: bool
    """If False, nobody is notified until it is sold again."""


class SavedAnswer(Answer):
    product: ProductAnswer
    no_longer_sold: bool
    saved_at: str = Field(examples=["2026-11-20T11:40:00Z"])
