"""What the catalogue offers when nothing was found."""

import pytest

from marketplace_app.schemas.products.catalogue import CatalogueParams
from marketplace_app.services.products.catalogue import Alternatives
from marketplace_app.states.products.nothing_found import NothingFoundPanel, SuggestedLink, nothing_found_panel

FERN = CatalogueParams(search="fern", category=["Edibles"])


def panel(params: CatalogueParams, **found: object) -> NothingFoundPanel:
    return nothing_found_panel(Alternatives(**{"without_filters": 0, **found}), params)


def test_thousands_beside_a_category_are_separated() -> None:
    alternatives = Alternatives(without_filters=0, categories=(("THC Flower", 1223),))
    [category] = nothing_found_panel(alternatives, CatalogueParams()).categories
    assert (category.name, category.count) == ("THC Flower", "1,223")


@pytest.mark.parametrize(
    ("params", "found", "title", "links"),
    [
        (FERN, 0, "No products match “fern”", []),
        (
            FERN,
            1204,
            "No products match “fern” with these filters",
            [SuggestedLink("Show 1,204 results without filters", "/?search=fern")],
        ),
        (
            FERN.changed(exact=True),
            1,
            "No products match “fern” with these filters",
            [SuggestedLink("Show 1 result without filters", "/?search=fern&exact=1")],
        ),
        (
            FERN.changed(view="list"),
            1,
            "No products match “fern” with these filters",
            [SuggestedLink("Show 1 result without filters", "/?search=fern&view=list")],
        ),
        (CatalogueParams(category=["Edibles"], brand=["Moss"]), 66, "", []),
    ],
    ids=["not found at all", "filtered out", "exactly these words", "as a list", "filters alone"],
)
def test_a_search_that_filters_made_empty_is_offered_without_them(
    params: CatalogueParams, found: int, title: str, links: list[SuggestedLink]
) -> None:
    shown = panel(params, without_filters=found)
    assert (shown.title, shown.without_filters) == (title, links)


def test_categories_that_have_products_and_similar_names_are_linked() -> None:
    shown = panel(FERN, categories=(("Edibles", 0), ("Pre-Rolls & More", 3)), nearest=(("Fern Hollow", 12),))
    assert shown.categories == [SuggestedLink("Pre-Rolls & More", "/?category=Pre-Rolls+%26+More", "3")]
    assert shown.nearest == [SuggestedLink("Fern Hollow", "/product/12")]
    as_list = panel(FERN.changed(view="list"), categories=(("Edibles", 3),))
    assert as_list.categories == [SuggestedLink("Edibles", "/?category=Edibles&view=list", "3")]


def test_a_list_with_products_offers_nothing() -> None:
    assert nothing_found_panel(None, FERN) == NothingFoundPanel()
