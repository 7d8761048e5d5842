"""How many products each choice of the filters would show."""

from dataclasses import dataclass, fields
from typing import Any

from pydantic.alias_generators import to_camel

from marketplace_app.schemas.base import Answer

Counts = tuple[tuple[str, int], ...]
"""The values of one group, each with the number of products that choosing it would show."""


@dataclass(frozen=True)
class Facets:
    """The counts of a group disregard what is chosen in the group itself.

    Most groups list all of their values (RULE facets). Effects, flavors and brands list what would show
    something and what is ticked, the most frequent first.
    """

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
    """Of `true` and `false`."""
    total: int

    def wire(self) -> dict[str, Any]:
        def group(counts: Counts) -> list[dict[str, Any]]:
            return [{"value": value, "count": count} for value, count in counts]

        groups = (field.name for field in fields(self) if field.name != "total")
        return {to_camel(name): group(getattr(self, name)) for name in groups} | {"total": self.total}


class FacetAnswer(Answer):
    value: str
    count: int


class FacetsAnswer(Answer):
    category: list[FacetAnswer]
    type: list[FacetAnswer]
    potency: list[FacetAnswer]
    price_range: list[FacetAnswer]
    effect: list[FacetAnswer]
    flavor: list[FacetAnswer]
    brand: list[FacetAnswer]
    strain: list[FacetAnswer]
    thc_range: list[FacetAnswer]
    cbd_range: list[FacetAnswer]
    in_stock: list[FacetAnswer]
    total: int
