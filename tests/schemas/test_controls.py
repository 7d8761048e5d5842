import pytest

from marketplace_app.schemas.controls import integer_or_text, is_unfinished_day, row_id


@pytest.mark.parametrize(
    ("typed", "number"), [("+12", 12), (" -3 ", -3), ("−3", -3), ("1_0", "1_0"), ("1.5", "1.5"), ("", "")]
)
def test_whole_numbers_are_read_as_people_write_them(typed: str, number: object) -> None:
    assert integer_or_text(typed) == number


@pytest.mark.parametrize(
    ("text", "number"),
    [("12", 12), ("2147483647", 2147483647), ("2147483648", 0), ("9999999999", 0), ("-1", 0), ("\u0661", 0), ("", 0)],
)
def test_only_text_that_can_be_an_id_is_one(text: str, number: int) -> None:
    """PostgreSQL fails on a number that its column cannot have."""
    assert row_id(text) == number


@pytest.mark.parametrize(
    ("text", "is_unfinished"),
    [
        ("0002-11-20", True),
        ("0202-11-20", True),
        ("1999-12-31", True),
        ("2000-01-01", False),
        ("2026-11-20", False),
        ("", False),
        ("soon", False),
        ("order.status", False),
    ],
)
def test_a_day_is_unfinished_until_its_year_is_one_of_the_calendar(text: str, is_unfinished: bool) -> None:
    assert is_unfinished_day(text) is is_unfinished
