"""`make test-browser` and `make test-server` collect only the folders in which tests of theirs are."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
MARK = "mark.browser"


def test_browser_tests_are_where_make_looks_for_them() -> None:
    (folders,) = re.findall(r"^BROWSER_TESTS := (.+)$", (ROOT / "Makefile").read_text(), re.M)
    files = {file for file in (ROOT / "tests").rglob("*.py") if MARK in file.read_text()} - {Path(__file__)}
    assert files
    assert [file for file in files if not any(file.is_relative_to(ROOT / each) for each in folders.split())] == []


def test_the_folder_that_make_test_server_leaves_out_has_browser_tests_alone() -> None:
    files = list((ROOT / "tests" / "e2e").rglob("test_*.py"))
    assert files
    assert [file for file in files if not re.search(rf"^pytestmark = .*{MARK}", file.read_text(), re.M)] == []
