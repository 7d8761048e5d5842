"""How many products each choice of the filters would show."""

from typing import Annotated, Any

from pydantic import BeforeValidator, Field, PlainSerializer
from typing_extensions import TypedDict

from marketplace_app.schemas.base import View


class FacetAnswer(TypedDict):
    value: Annotated[str, Field(examples=["THC Flower"])]
    count: Annotated[int, Field(examples=[12])]


def _pairs(counts: Any) -> tuple[Any, ...]:
    """Pairs of value and count: as services give them, or from objects, when an answer is read back from JSON."""
    return counts if isinstance(counts, tuple) else tuple((each["value"], each["count"]) for each in counts)


def _objects(counts: tuple[tuple[str, int], ...]) -> list[FacetAnswer]:
    return [{"value": value, "count": count} for value, count in counts]


Counts = Annotated[tuple[tuple[str, int], ...], BeforeValidator(_pairs), PlainSerializer(_objects)]
"""The values of one group, each with the number of products that choosing it would show."""


# The counts of a group disregard what is chosen in the group itself.
# Most groups list all of their values (RULE facets). Effects, flavors and brands list only the values that would show a
# product or are ticked already, the most frequent first.
class FacetsAnswer(View):
    category: Counts
    type: Counts
    potency: Counts
    price_range: Counts
    effect: Counts
    flavor: Counts
    brand: Counts
    strain: Counts
    thc_range: Counts
    cbd_range: Counts
    in_stock: Counts
    """The values are `true` and `false`."""
    total: int
