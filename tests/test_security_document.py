"""docs/security.md names requirements once, and tests that exist."""

import re
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAPER = (ROOT / "docs" / "security.md").read_text()
ROWS = re.findall(r"^\| (\d[^|]*) \| ([^|]*) \| ([^|]*) \|$", PAPER, re.M)


def test_every_named_test_exists() -> None:
    named = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", PAPER)
    assert len(named) > 60
    missing = [
        f"{path}::{name}"
        for path, name in named
        if not (ROOT / path).is_file() or f"def {name}(" not in (ROOT / path).read_text()
    ]
    assert missing == []


def test_every_requirement_has_one_row_and_a_test_or_a_reason() -> None:
    numbers = Counter(number for numbers, _, _ in ROWS for number in re.findall(r"\d+\.\d+\.\d+", numbers))
    assert [number for number, count in numbers.items() if count > 1] == []
    assert {number.partition(".")[0] for number in numbers} == {str(chapter) for chapter in range(1, 18)}
    assert [numbers for numbers, how, _ in ROWS if not how.strip()] == []
