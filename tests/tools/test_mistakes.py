"""`make mistakes` changes text of the store: what it changes must exist, and the tests that notice it."""

from pathlib import Path

import pytest

from tools.mistakes.__main__ import main
from tools.mistakes.known import MISTAKES
from tools.mistakes.mistake import Mistake


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: mistake.name)
def test_every_mistake_can_still_be_made(mistake: Mistake) -> None:
    for edit in mistake.edits:
        assert Path(edit.path).read_text().count(edit.right) == 1, f"{edit.path} has changed: renew the edit"
    assert all(Path(test.partition("::")[0]).exists() for test in mistake.tests)


def test_a_word_that_no_mistake_has_is_refused() -> None:
    """Nothing that was not tried is said to be noticed."""
    with pytest.raises(SystemExit, match="No mistake has all of these words in its name"):
        main(["no such mistake"])
