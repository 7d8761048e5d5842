"""How the catalogue words what it shows (RULE catalogue-texts)."""

import pytest
from sqlmodel import Session

from marketplace_app.models import Hue
from marketplace_app.schemas.products.products import view_of
from marketplace_app.states.products.catalogue_rows import (
    CountedAmounts,
    card_of,
    counted_amounts_of,
    found_label,
    heading_of,
    options,
    show_results_label,
)
from tests.builders import make_product
from tests.conftest import ON_SQLITE


@pytest.mark.parametrize(
    ("category", "search", "heading"),
    [
        ("", "", "All Products"),
        ("Edibles", "", "Edibles Products"),
        ("", "fern", "Results for “fern”"),
        ("Edibles", "fern", "Edibles Products"),
    ],
)
def test_the_heading_is_the_category_or_what_was_searched_for(category: str, search: str, heading: str) -> None:
    assert heading_of(category, search) == heading


@pytest.mark.parametrize(
    ("count", "label"),
    [(0, "0 products found"), (1, "1 product found"), (37, "37 products found"), (2351, "2,351 products found")],
)
def test_the_number_of_products_is_worded(count: int, label: str) -> None:
    assert found_label(count) == label


@pytest.mark.parametrize(
    ("count", "label"), [(0, "Show 0 products"), (1, "Show 1 product"), (2351, "Show 2,351 products")]
)
def test_the_filter_button_says_how_many_products_it_shows(count: int, label: str) -> None:
    assert show_results_label(count) == label


def test_thousands_beside_a_filter_are_separated() -> None:
    assert [option.count for option in options((("Vapes", 12), ("THC Flower", 1223)), [])] == ["12", "1,223"]


def test_what_is_chosen_is_ticked() -> None:
    offered = options((("Vapes", 12), ("Edibles", 3)), ["Edibles", "Tinctures"])
    assert [(option.value, option.is_on) for option in offered] == [("Vapes", False), ("Edibles", True)]


@ON_SQLITE
def test_all_tabs_share_the_card_of_a_product_until_it_changes(session: Session) -> None:
    """Copies would take a sixth of a tab's memory."""
    product = make_product(session, "Fern Hollow", price_cents=60_00)
    card = card_of(view_of(product), Hue.GREEN)
    assert card_of(view_of(product), Hue.GREEN) is card
    product.price_cents = 65_00
    assert card_of(view_of(product), Hue.GREEN).price == "$65.00"


@ON_SQLITE
def test_only_categories_with_a_limit_are_measured(session: Session) -> None:
    """Milligrams, as limits are counted; what is not known stays unknown."""
    flower = view_of(make_product(session, net_weight_grams=3.5, category="THC Flower"))
    drops = view_of(make_product(session, thc_mg=100, category="THC Flower"))
    edible = view_of(make_product(session, thc_mg=50, category="Edibles"))
    assert counted_amounts_of([flower, drops, edible], {"THC Flower"}) == {
        flower.id: CountedAmounts(weight_mg=3_500, thc_mg=None),
        drops.id: CountedAmounts(weight_mg=None, thc_mg=100),
    }
