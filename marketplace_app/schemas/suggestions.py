"""What the search box suggests while typing."""

from dataclasses import dataclass
from typing import Any

from pydantic import ConfigDict, Field

from marketplace_app import money
from marketplace_app.packaging import picture_url
from marketplace_app.schemas.base import Answer, PageQuery, SearchWords
from marketplace_app.schemas.products import ProductView


class SuggestionQuery(PageQuery):
    model_config = ConfigDict(validate_by_name=True)

    q: SearchWords = ""


@dataclass(frozen=True)
class Suggestions:
    products: tuple[ProductView, ...] = ()
    categories: tuple[str, ...] = ()
    brands: tuple[str, ...] = ()
    corrected: str | None = None
    """What was searched instead of the typed text, if that seemed to have a typo."""

    def wire(self) -> dict[str, Any]:
        found = [
            {
                "id": each.id,
                "name": each.name,
                "price": money.decimal(each.price_cents),
                "imageUrl": picture_url(each.image),
            }
            for each in self.products
        ]
        names = {"categories": list(self.categories), "brands": list(self.brands)}
        return {"corrected": self.corrected, "products": found} | names


class SuggestedProductAnswer(Answer):
    id: int
    name: str
    price: str = Field(examples=["49.99"])
    image_url: str


class SuggestionsAnswer(Answer):
    corrected: str | None = Field(examples=[None])
    products: list[SuggestedProductAnswer]
    categories: list[str] = Field(examples=[["Edibles"]])
    brands: list[str] = Field(examples=[["Hollis & Fern"]])
