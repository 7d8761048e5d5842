"""Tests run on PostgreSQL only when a command asks for it; every command that is to run on both databases does."""

import re
from types import ModuleType, SimpleNamespace
from typing import cast

import pytest

from tests.conftest import asks_for_postgresql
from tests.databases import ROOT
from tools.attack import __main__ as attack
from tools.mistakes import __main__ as mistakes
from tools.rolling import __main__ as rolling

RECIPES = re.findall(r"^\t.*\bpytest (.+)$", (ROOT / "Makefile").read_text(), re.M)
ORDERS = "tests/services/buying/test_orders.py"


def asks(marks: str = "", words: str = "", *arguments: str) -> bool:
    config = SimpleNamespace(option=SimpleNamespace(markexpr=marks, keyword=words), args=arguments)
    return asks_for_postgresql(cast(pytest.Config, config))


@pytest.mark.parametrize(("marks", "words", "path"), [("", "", ORDERS), ("not browser", "total", ORDERS)])
def test_a_file_of_tests_runs_on_sqlite_alone(marks: str, words: str, path: str) -> None:
    assert not asks(marks, words, path)


@pytest.mark.parametrize(
    ("marks", "words", "path"),
    [
        ("not browser and postgresql", "", ORDERS),
        ("", "postgresql", ORDERS),
        ("", "", "tests/adapters/test_postgresql.py"),
        ("", "", f"{ORDERS}::test_nobody_sees_another_persons_orders"),
    ],
)
def test_a_mark_a_word_a_path_or_the_id_of_a_test_asks_for_postgresql(marks: str, words: str, path: str) -> None:
    assert asks(marks, words, path)


def test_each_target_without_a_browser_names_the_databases_it_uses() -> None:
    recipes = [each for each in RECIPES if '-m "browser' not in each]
    assert recipes
    assert [each for each in recipes if "postgresql" not in each] == []


@pytest.mark.parametrize("tool", [attack, mistakes, rolling])
def test_a_tool_that_tests_on_both_databases_asks_for_postgresql(tool: ModuleType) -> None:
    assert asks(tool.BOTH_DATABASES)
