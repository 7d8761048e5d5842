"""Recommended products, and why."""

from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import ConfigDict, Field

from marketplace_app.limits import MAX_RECOMMENDATIONS, RECOMMENDATIONS
from marketplace_app.schemas.base import Answer, Form
from marketplace_app.schemas.products.products import ProductAnswer, ProductView


class RecommendationQuery(Form):
    """Parameters in a URL: everything is text, and unknown ones are ignored."""

    model_config = ConfigDict(strict=False, extra="ignore")

    limit: Annotated[int, Field(ge=1, le=MAX_RECOMMENDATIONS)] = RECOMMENDATIONS


@dataclass(frozen=True)
class RecommendationView:
    product: ProductView
    reasons: tuple[str, ...]

    @property
    def why(self) -> str:
        """`Relaxed, Citrus`"""
        return ", ".join(self.reasons)

    def wire(self) -> dict[str, Any]:
        return {"product": self.product.wire(), "reasons": list(self.reasons), "why": self.why}


class RecommendationAnswer(Answer):
    product: ProductAnswer
    reasons: list[str] = Field(examples=[["Relaxed", "Citrus"]])
    why: str = Field(examples=["Relaxed, Citrus"])
