"""What the search box suggests while typing."""

from typing import Annotated

from pydantic import ConfigDict, Field, PlainSerializer

from marketplace_app.packaging import picture_url
from marketplace_app.schemas.base import Money, PageQuery, SearchWords, View


class SuggestionQuery(PageQuery):
    model_config = ConfigDict(validate_by_name=True)

    q: SearchWords = ""


class SuggestedProductAnswer(View):
    id: int
    name: str
    price_cents: Money = Field(examples=["49.99"])
    image: Annotated[str, PlainSerializer(picture_url)] = Field(alias="imageUrl")


class SuggestionsAnswer(View):
    corrected: str | None = Field(examples=[None])
    """What was searched instead of the typed text, if that seemed to have a typo."""
    products: tuple[SuggestedProductAnswer, ...]
    categories: tuple[str, ...] = Field(examples=[["Edibles"]])
    brands: tuple[str, ...] = Field(examples=[["Hollis & Fern"]])
