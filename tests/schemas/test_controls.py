import pytest

from marketplace_app.schemas.controls import integer_or_text


@pytest.mark.parametrize(
    ("typed", "number"), [("+12", 12), (" -3 ", -3), ("−3", -3), ("1_0", "1_0"), ("1.5", "1.5"), ("", "")]
)
def test_whole_numbers_are_read_as_people_write_them(typed: str, number: object) -> None:
    assert integer_or_text(typed) == number
