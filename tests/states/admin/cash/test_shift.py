"""What is typed when a driver's cash is counted (RULE shifts)."""

import pytest

from marketplace_app.errors import InvalidInput
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.cash import CountForm
from marketplace_app.states.admin.cash.shift import _pieces


@pytest.mark.parametrize(("typed", "pieces"), [("", 0), (" ", 0), ("0", 0), (" 12 ", 12), ("007", 7), ("+1", 1)])
def test_a_number_of_pieces_is_read(typed: str, pieces: int) -> None:
    assert parse(CountForm, {"pieces": _pieces({"pieces_10000": typed})}).pieces == {"10000": pieces}


@pytest.mark.parametrize("typed", ["x", "-1", "1.5", "1_5", "\u0663", "10001", "12345678901", "9" * 200])
def test_anything_else_is_refused_rather_than_counted_as_nothing(typed: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        parse(CountForm, {"pieces": _pieces({"pieces_10000": typed})})
    assert list(refused.value.fields) == ["pieces.10000"]
