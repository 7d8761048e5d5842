import pytest

from marketplace_app import money


@pytest.mark.parametrize(("cents", "share"), [(0, 0), (1, 0), (2, 1), (110_02, 27_51), (110_01, 27_50), (99_99, 25_00)])
def test_a_quarter_is_rounded_half_up(cents: int, share: int) -> None:
    assert money.percent_of(cents, 25) == share


@pytest.mark.parametrize(("text", "cents"), [("49.99", 49_99), ("0", 0), ("7.5", 7_50), ("100", 100_00)])
def test_amounts_are_read_exactly(text: str, cents: int) -> None:
    assert money.parse(text) == cents


@pytest.mark.parametrize("text", ["", "-1", "1.234", "1e3", "NaN", "Infinity", "１", "1,000.00", " 1", "9" * 10])
def test_an_invalid_amount_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        money.parse(text)


@pytest.mark.parametrize(
    ("text", "amount"),
    [
        ("1000", "1000"),
        (" $1,000 ", "1000"),
        ("1,234,567.50", "1234567.50"),
        ("$0.5", "0.5"),
        ("12,50", "12,50"),
        ("1,5", "1,5"),
        ("1,0000", "1,0000"),
        ("1000,000", "1000,000"),
        ("1.234,50", "1.234,50"),
        ("", ""),
    ],
)
def test_of_a_typed_amount_only_commas_between_thousands_are_left_out(text: str, amount: str) -> None:
    assert money.normalize_typed(text) == amount


def test_amounts_are_formatted_for_json_and_for_people() -> None:
    assert [money.decimal(cents) for cents in (0, 5, 1234_50, -42_50)] == ["0.00", "0.05", "1234.50", "-42.50"]
    assert [money.show(cents) for cents in (0, 1234_50, -42_50)] == ["$0.00", "$1,234.50", "−$42.50"]
    assert [money.show_short(cents) for cents in (100_00, 99_50, 1000_00)] == ["$100", "$99.50", "$1,000"]


@pytest.mark.parametrize(
    ("cents", "shown"), [(0, "$0"), (50_00, "$50"), (999_00, "$999"), (1_000_00, "$1k"), (2_500_00, "$2.5k")]
)
def test_an_amount_is_short_on_an_axis(cents: int, shown: str) -> None:
    assert money.show_on_axis(cents) == shown
