"""What is typed when a driver's cash is counted (RULE shifts)."""

import pytest

from marketplace_app.errors import InvalidInput
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.cash import CountForm
from marketplace_app.states.admin.cash.shift import _number


@pytest.mark.parametrize(("typed", "pieces"), [("", 0), (" ", 0), ("0", 0), (" 12 ", 12), ("007", 7)])
def test_a_number_of_pieces_is_read(typed: str, pieces: int) -> None:
    assert parse(CountForm, {"pieces": {"10000": _number(typed)}}).pieces == {"10000": pieces}


@pytest.mark.parametrize("typed", ["x", "-1", "+1", "1.5", "1_5", "\u0663", "10001", "12345678901", "9" * 200])
def test_anything_else_is_refused_rather_than_counted_as_nothing(typed: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        parse(CountForm, {"pieces": {"10000": _number(typed)}})
    assert list(refused.value.fields) == ["pieces.10000"]
