"""What words are folded to, so that they are found as people type them."""

import pytest

from marketplace_app.adapters.search import fold


@pytest.mark.parametrize(
    ("written", "folded"),
    [
        ("Crème Brûlée!", "creme brulee"),
        ("Bjørn Łoś", "bjorn los"),
        ("Æther & Œuvre", "aether oeuvre"),
        ("Straße", "strasse"),
        ("  O'Neil-Þór ", "o neil thor"),
    ],
)
def test_letters_are_found_without_their_marks(written: str, folded: str) -> None:
    assert fold(written) == folded
