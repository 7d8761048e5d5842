"""How the catalogue words the number of products found."""

import pytest

from marketplace_app.states.catalogue import found_words


@pytest.mark.parametrize(
    ("count", "words"),
    [(0, "0 products found"), (1, "1 product found"), (37, "37 products found"), (2351, "2,351 products found")],
)
def test_how_many_were_found(count: int, words: str) -> None:
    assert found_words(count) == words
