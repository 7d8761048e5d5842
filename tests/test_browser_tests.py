"""Each test is run by exactly one target of `make test-all`, which collects the folder that the test is in."""

import re
from itertools import product
from pathlib import Path

ROOT = Path(__file__).parents[1]
MARK = "mark.browser"


def test_each_test_is_run_by_one_target_whatever_its_marks() -> None:
    makefile = (ROOT / "Makefile").read_text()
    (test,) = re.findall(r"^test: (.+) ##", makefile, re.M)
    (test_all,) = re.findall(r"^test-all: test (.+) ##", makefile, re.M)
    (check,) = re.findall(r"^check: (.+) ##", makefile, re.M)
    assert "test-all" in check.split()
    targets = [*test.split(), *test_all.split()]
    chosen = [re.findall(rf'^{target}:.*\n(?:\t.*\n)*?\t.*-m "([^"]+)"', makefile, re.M)[0] for target in targets]
    names = ("browser", "postgresql", "race", "sizes", "stores", "staff")
    for marks in product((False, True), repeat=len(names)):
        given = dict(zip(names, marks, strict=True))
        assert sum(eval(each, {}, given) for each in chosen) == 1, given  # noqa: S307


def test_browser_tests_are_where_make_looks_for_them() -> None:
    (folders,) = re.findall(r"^BROWSER_TESTS := (.+)$", (ROOT / "Makefile").read_text(), re.M)
    files = {file for file in (ROOT / "tests").rglob("*.py") if MARK in file.read_text()} - {Path(__file__)}
    assert files
    assert [file for file in files if not any(file.is_relative_to(ROOT / each) for each in folders.split())] == []


def test_the_folder_that_make_test_server_leaves_out_has_browser_tests_alone() -> None:
    files = list((ROOT / "tests" / "e2e").rglob("test_*.py"))
    assert files
    assert [file for file in files if not re.search(rf"^pytestmark = .*{MARK}", file.read_text(), re.M)] == []
