"""The two files of each web font."""

import re
from pathlib import Path

import pytest

from marketplace_app.theme.font_faces import COMMON, FAMILIES, OTHERS, font_faces, url

ROOT = Path(__file__).parents[2]
TEXTS = [
    *(ROOT / "marketplace_app").glob("*messages.py"),
    *(ROOT / "marketplace_app").glob("faq*.py"),
    *(ROOT / "marketplace_app/jobs/demo").glob("*.toml"),
]


def test_no_letter_is_in_both_files() -> None:
    assert set(COMMON) & set(OTHERS) == set()


@pytest.mark.parametrize("file", TEXTS, ids=lambda file: file.name)
def test_the_texts_of_the_store_and_of_its_products_need_the_common_letters_only(file: Path) -> None:
    assert set(file.read_text()) & set(OTHERS) == set()


def test_the_browser_is_told_of_exactly_the_other_letters() -> None:
    ranges = re.findall(r"unicode-range: (.*?);", font_faces())
    assert len(ranges) == len(FAMILIES)
    for declared in ranges:
        bounds = [re.findall(r"[0-9A-F]+", each.removeprefix("U+")) for each in declared.split(",")]
        told = {chr(code) for each in bounds for code in range(int(each[0], 16), int(each[-1], 16) + 1)}
        assert told == set(OTHERS)


@pytest.mark.parametrize("part", ["common", "others"])
@pytest.mark.parametrize("name", FAMILIES.values())
def test_each_file_is_there(name: str, part: str) -> None:
    assert (ROOT / "assets" / url(name, part).lstrip("/")).read_bytes()[:4] == b"wOF2"
