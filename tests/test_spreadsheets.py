"""No cell of an exported file is run as a formula, and an import reads back the text that was exported."""

import pytest

from marketplace_app.spreadsheets import escaped, is_formula, unescaped


@pytest.mark.parametrize(
    "text", ["=1+1", "+1", "-1", "@sum", "\t=1", " =1+1", "\n=1", "＝1", "'", "'=1+1", "' =1", "''"]
)
def test_a_text_that_a_spreadsheet_would_run_is_escaped_and_read_back(text: str) -> None:
    assert escaped(text) == f"'{text}"
    assert not is_formula(escaped(text))
    assert unescaped(escaped(text)) == text


@pytest.mark.parametrize("text", ["", "Fern Hollow", "a=1", " a", "7 o'clock"])
def test_any_other_text_stays_as_it_is(text: str) -> None:
    assert (escaped(text), unescaped(text), is_formula(text)) == (text, text, False)
