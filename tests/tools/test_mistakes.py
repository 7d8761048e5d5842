"""`make mistakes` changes text of the store: what it changes must exist, and the tests that notice it."""

from pathlib import Path

import pytest

from tools.mistakes.known import MISTAKES, Mistake


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: mistake.name)
def test_every_mistake_can_still_be_made(mistake: Mistake) -> None:
    for edit in mistake.edits:
        assert Path(edit.path).read_text().count(edit.right) == 1, f"{edit.path} has changed: renew the edit"
    assert all(Path(test.partition("::")[0]).exists() for test in mistake.tests)
