"""What tools write into pages."""

from pathlib import Path

import pytest

from tools.written_pages import write_part

PAGE = "# Speed\n\n<!-- a -->\n\nold\n\n<!-- end of a -->\n\nBy hand.\n\n<!-- ab -->\n\nkept\n\n<!-- end of ab -->\n"


def test_only_the_named_part_is_replaced_and_again_with_the_same_result(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(PAGE)
    write_part(page, "a", "new\n")
    assert page.read_text() == PAGE.replace("old", "new")
    write_part(page, "a", "new")
    assert page.read_text() == PAGE.replace("old", "new")


@pytest.mark.parametrize("missing", ["<!-- a -->\n", "<!-- end of a -->\n"])
def test_a_page_without_the_part_is_left_alone(tmp_path: Path, missing: str) -> None:
    page = tmp_path / "page.md"
    page.write_text(PAGE.replace(missing, ""))
    with pytest.raises(ValueError, match="<!-- a -->"):
        write_part(page, "a", "new")
    assert page.read_text() == PAGE.replace(missing, "")
