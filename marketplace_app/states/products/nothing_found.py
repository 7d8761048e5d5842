"""What the catalogue shows when nothing was found."""

from dataclasses import dataclass, field
from urllib.parse import urlencode

from marketplace_app.display.paging import counted
from marketplace_app.schemas.products.catalogue import CatalogueParams
from marketplace_app.services.products import catalogue


@dataclass(frozen=True)
class SuggestedLink:
    name: str
    href: str
    count: str = ""
    """`1,204`"""


@dataclass(frozen=True)
class NothingFoundPanel:
    """Shown in place of products."""

    title: str = ""
    """`No products match “xyzzy”`; nothing without a search."""
    nearest: list[SuggestedLink] = field(default_factory=list)
    """Products with a name similar to the search."""
    categories: list[SuggestedLink] = field(default_factory=list)
    without_filters: list[SuggestedLink] = field(default_factory=list)
    """The same search without filters, if the filters are why nothing was found."""


def nothing_found_panel(alternatives: catalogue.Alternatives | None, params: CatalogueParams) -> NothingFoundPanel:
    if alternatives is None:
        return NothingFoundPanel()
    search = params.search.strip()
    found_without_filters = alternatives.without_filters if search else 0
    unfiltered = CatalogueParams(view=params.view)
    title = f"No products match “{search}”" if search else ""
    without_filters: list[SuggestedLink] = []
    if found_without_filters:
        title += " with these filters"
        results = counted(found_without_filters, "result")
        href = _href(unfiltered.changed(search=search, exact=params.exact))
        without_filters = [SuggestedLink(f"Show {results} without filters", href)]
    return NothingFoundPanel(
        title=title,
        nearest=[SuggestedLink(name, f"/product/{product_id}") for name, product_id in alternatives.nearest],
        categories=[
            SuggestedLink(name, _href(unfiltered.in_category(name)), f"{count:,}")
            for name, count in alternatives.categories
            if count
        ],
        without_filters=without_filters,
    )


def _href(params: CatalogueParams) -> str:
    return f"/?{urlencode(params.parameters())}"
