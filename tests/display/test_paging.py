"""The page numbers and counts of a list."""

import pytest

from marketplace_app.display.paging import Paging, counted


@pytest.mark.parametrize(
    ("page", "total", "pages", "range_label"),
    [
        (1, 0, 1, ""),
        (1, 1, 1, "1–1 of 1"),
        (1, 25, 1, "1–25 of 25"),
        (2, 26, 2, "26–26 of 26"),
        (2, 25, 1, ""),
        (50, 1_300, 52, "1,226–1,250 of 1,300"),
    ],
)
def test_pages_and_range_follow_from_the_total(page: int, total: int, pages: int, range_label: str) -> None:
    paging = Paging(page, 25, total)
    assert (paging.pages, paging.range_label) == (pages, range_label)


@pytest.mark.parametrize(
    ("number", "noun", "words"),
    [
        (0, "order", "0 orders"),
        (1, "order", "1 order"),
        (1_312, "order", "1,312 orders"),
        (2, "entry", "2 entries"),
        (2, "day", "2 days"),
    ],
)
def test_a_count_says_its_noun(number: int, noun: str, words: str) -> None:
    assert counted(number, noun) == words
