"""A change of generated text that finds nothing stops the build."""

import re
from collections.abc import Callable

import pytest

from marketplace_app.framework.patching import NothingToPatch, replace_all, replace_first, substitute


def test_found_text_is_changed() -> None:
    assert replace_first("a b a", "a", "c") == "c b a"
    assert replace_all("a b a", "a", "c") == "c b c"
    assert substitute(re.compile("[ab]"), lambda found: found[0].upper(), "a b c") == "A B c"


@pytest.mark.parametrize(
    "change",
    [
        lambda: replace_first("page", "script", ""),
        lambda: replace_all("page", "script", ""),
        lambda: substitute(re.compile("<script>"), lambda _found: "", "page"),
    ],
)
def test_missing_text_is_an_error_that_names_it_and_the_guide(change: Callable[[], str]) -> None:
    with pytest.raises(NothingToPatch, match=r"script.*docs/upgrading\.md"):
        change()
