"""The catalogue's text for the number of products found."""

import pytest

from marketplace_app.states.catalogue import found_label


@pytest.mark.parametrize(
    ("count", "label"),
    [(0, "0 products found"), (1, "1 product found"), (37, "37 products found"), (2351, "2,351 products found")],
)
def test_the_number_of_products_is_worded(count: int, label: str) -> None:
    assert found_label(count) == label
