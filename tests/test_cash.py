"""Which bills and coins pay an amount."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from marketplace_app import cash


@pytest.mark.parametrize(
    ("cents", "sentences"),
    [
        (
            152_50,
            (
                "Prepare $152.50: 1 × $100, 1 × $50, 2 × $1, 2 × 25¢.",
                "From an ATM: 7 × $20, and $12.50 in smaller bills and coins.",
            ),
        ),
        (
            1_240_00,
            ("Prepare $1,240.00: 12 × $100, 2 × $20.", "From an ATM: 62 × $20."),
        ),
        (19_99, ("Prepare $19.99: 1 × $10, 1 × $5, 4 × $1, 3 × 25¢, 2 × 10¢, 4 × 1¢.",)),
        (0, ()),
    ],
)
def test_the_advice_names_the_fewest_notes_and_the_way_by_cash_machine(cents: int, sentences: tuple[str, ...]) -> None:
    assert cash.advice(cents) == sentences


def fewest_by_trying(cents: int, denominations: tuple[int, ...]) -> int:
    best = [0, *[cents] * cents]
    for amount in range(1, cents + 1):
        best[amount] = min(best[amount - each] + 1 for each in denominations if each <= amount)
    return best[cents]


@pytest.mark.parametrize("cents", range(1, 300, 7))
def test_no_other_choice_of_notes_and_coins_has_fewer_pieces(cents: int) -> None:
    pieces = sum(count for _, count in cash.fewest(cents))
    assert pieces == fewest_by_trying(cents, (1_00, *cash.COINS))


@given(st.integers(0, 10_000_000))
def test_the_pieces_add_up_to_the_amount(cents: int) -> None:
    assert sum(denomination * count for denomination, count in cash.fewest(cents)) == cents
