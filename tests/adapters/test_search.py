"""Text is folded, so that it is found without accents, case and punctuation."""

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
def test_folding_removes_accents_case_and_punctuation(written: str, folded: str) -> None:
    assert fold(written) == folded
