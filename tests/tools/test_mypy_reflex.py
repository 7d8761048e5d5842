"""What mypy knows about states and vars through `tools/mypy_reflex.py` and `tools/mypy_reflex_rendering.py`."""

from pathlib import Path

import pytest
from mypy import api

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
PLUGINS = [str(ROOT / "tools" / name) for name in ("mypy_reflex.py", "mypy_reflex_rendering.py")]
UNTYPED = "[mypy-reflex_components_core.*]\nfollow_untyped_imports = true\n"
STATES = """
from dataclasses import dataclass

import reflex as rx


@dataclass
class Row:
    name: str


class ShopState(rx.State):
    count: int = 0
    rows: list[Row] = []


class OtherState(rx.State):
    async def go(self) -> None:
        shop = await self.get_state(ShopState)
        shop.count = shop.count + 1
        (await self.get_state(ShopState)).shown = "missing"


def show(row: rx.Var[Row]) -> tuple[rx.vars.NumberVar[int], rx.Var[list[Row]], rx.vars.StringVar[str]]:
    row.nmae
    return ShopState.count, ShopState.rows, row.name
"""
COMPONENTS = """
from dataclasses import dataclass
from typing import Literal

import reflex as rx

PRESS = rx.Var("() => window.print()")
EARLY: rx.Var[bool] = rx.Var("early")


@dataclass
class Row:
    name: str
    place: int


class Signal(rx.Fragment):
    on_seen: rx.EventHandler[rx.event.no_args_event_spec]


def text(is_on: rx.Var[bool]) -> rx.vars.StringVar[str]:
    return rx.cond(is_on, "on", "off")


def loading(is_first: rx.Var[bool]) -> rx.Var[Literal["eager", "lazy"]]:
    return rx.cond(is_first, "eager", "lazy")


def number(row: rx.Var[Row]) -> rx.vars.NumberVar[int]:
    return rx.cond(row.name != "", row.place, 0)


def nested(row: rx.Var[Row], is_on: rx.Var[bool]) -> rx.vars.StringVar[str]:
    return rx.cond(is_on, rx.cond(row.name == "", "none", row.name), "off")


def nested_twice(is_on: rx.Var[bool]) -> rx.vars.StringVar[str]:
    return rx.cond(is_on, rx.cond(is_on, "a", "b"), rx.cond(is_on, "c", "d"))


def number_or_none(row: rx.Var[Row]) -> rx.Var[int | None]:
    return rx.cond(row.name == "", None, row.place)


def shown(row: rx.Var[Row]) -> rx.Component:
    return rx.cond(row.place > 3, rx.el.p(row.name), "first")


def hue(row: rx.Var[Row]) -> rx.vars.StringVar[str]:
    return rx.match(row.name, ("fern", "green"), "grey")


def mark(row: rx.Var[Row]) -> rx.Component:
    return rx.match(row.name, ("fern", rx.el.b("!")), rx.fragment())


def either(row: rx.Var[Row] | Row) -> rx.vars.StringVar[str] | str:
    return row.name


def listed(rows: rx.Var[list[Row]]) -> rx.Component:
    beside = rx.foreach(rows, lambda row, place: rx.el.p(row.name, row.place + place))
    return rx.el.div(rx.foreach(rows, mark), beside)


# Mistakes from here on.
def wrong_row(names: rx.Var[list[str]]) -> rx.Component:
    return rx.foreach(names, mark)


def misspelled_row(rows: rx.Var[list[Row]]) -> rx.Component:
    return rx.foreach(rows, lambda row: rx.el.p(row.naem))


def forgets_none(row: rx.Var[Row]) -> rx.Var[int]:
    return rx.cond(row.name == "", None, row.place)


def wrong_kind(is_on: rx.Var[bool]) -> rx.Var[str]:
    return rx.cond(is_on, 1, 2)


def wrong_text(is_first: rx.Var[bool]) -> rx.Var[Literal["eager", "lazy"]]:
    return rx.cond(is_first, "eager", "later")


def wrong_match(row: rx.Var[Row]) -> rx.Component:
    return rx.match(row.name, ("fern", "green"), "grey")


def misspelled(row: rx.Var[Row] | Row) -> object:
    return row.nmae
"""


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Most of a run is reading Reflex, which is done once."""
    return tmp_path_factory.mktemp("mypy")


def _errors(tmp_path: Path, cache: Path, source: str) -> list[tuple[int, str]]:
    """Line and message of each."""
    config, sample = tmp_path / "mypy.ini", tmp_path / "sample.py"
    config.write_text(f"[mypy]\nplugins = {', '.join(PLUGINS)}\nstrict = true\nfollow_imports = silent\n{UNTYPED}")
    sample.write_text(source)
    found, problems, _ = api.run(["--config-file", str(config), "--cache-dir", str(cache), str(sample)])
    assert problems == ""
    errors = [
        line.partition("sample.py:")[2].partition(": error: ") for line in found.splitlines() if " error: " in line
    ]
    return [(int(line), message) for line, _, message in errors]


def test_misspelled_attributes_are_errors_and_right_ones_are_typed(tmp_path: Path, cache: Path) -> None:
    errors = [message for _, message in _errors(tmp_path, cache, STATES)]
    assert len(errors) == 2, errors
    assert 'has no attribute "shown"' in errors[0]
    assert 'has no attribute "nmae"' in errors[1]


def test_choices_and_lists_have_the_type_of_what_they_are_made_of(tmp_path: Path, cache: Path) -> None:
    errors = _errors(tmp_path, cache, COMPONENTS)
    mistakes = COMPONENTS.partition("# Mistakes")[0].count("\n") + 1
    assert [error for error in errors if error[0] < mistakes] == []
    each, in_each, none, kind, text, match, *misspelled = [message for _, message in errors]
    assert 'expected "Callable[[StringVar[str]], Any]"' in each
    assert 'no attribute "naem"' in in_each
    assert "int | None" in none
    assert "NumberVar[int]" in kind
    assert "later" in text
    assert 'expected "Component"' in match
    assert misspelled
    assert all('no attribute "nmae"' in message for message in misspelled)
