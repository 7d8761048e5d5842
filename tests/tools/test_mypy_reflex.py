"""What mypy knows of states and vars by the plugin `tools/mypy_reflex.py`."""

from pathlib import Path

from mypy import api

ROOT = Path(__file__).parents[2]
UNTYPED = "[mypy-reflex_components_core.*]\nfollow_untyped_imports = true\n"
SAMPLE = """
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
OF_COMPONENTS = """
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


def shown(row: rx.Var[Row]) -> rx.Component:
    return rx.cond(row.place > 3, rx.el.p(row.name), "first")


def hue(row: rx.Var[Row]) -> rx.vars.StringVar[str]:
    return rx.match(row.name, ("fern", "green"), "grey")


def mark(row: rx.Var[Row]) -> rx.Component:
    return rx.match(row.name, ("fern", rx.el.b("!")), rx.fragment())


def either(row: rx.Var[Row] | Row) -> rx.vars.StringVar[str] | str:
    return row.name


# Mistakes from here on.
def wrong_kind(is_on: rx.Var[bool]) -> rx.Var[str]:
    return rx.cond(is_on, 1, 2)


def wrong_text(is_first: rx.Var[bool]) -> rx.Var[Literal["eager", "lazy"]]:
    return rx.cond(is_first, "eager", "later")


def wrong_match(row: rx.Var[Row]) -> rx.Component:
    return rx.match(row.name, ("fern", "green"), "grey")


def misspelled(row: rx.Var[Row] | Row) -> object:
    return row.nmae
"""


def _errors(tmp_path: Path, source: str) -> list[tuple[int, str]]:
    """Line and message of each."""
    config, sample = tmp_path / "mypy.ini", tmp_path / "sample.py"
    config.write_text(
        f"[mypy]\nplugins = {ROOT / 'tools/mypy_reflex.py'}\nstrict = true\nfollow_imports = silent\n{UNTYPED}"
    )
    sample.write_text(source)
    found, problems, _ = api.run(["--config-file", str(config), "--cache-dir", str(tmp_path / "cache"), str(sample)])
    assert problems == ""
    errors = [
        line.partition("sample.py:")[2].partition(": error: ") for line in found.splitlines() if " error: " in line
    ]
    return [(int(line), message) for line, _, message in errors]


def test_misspelled_attributes_are_errors_and_right_ones_are_typed(tmp_path: Path) -> None:
    errors = [message for _, message in _errors(tmp_path, SAMPLE)]
    assert len(errors) == 2, errors
    assert 'has no attribute "shown"' in errors[0]
    assert 'has no attribute "nmae"' in errors[1]


def test_choices_have_the_type_of_what_they_choose_from(tmp_path: Path) -> None:
    errors = _errors(tmp_path, OF_COMPONENTS)
    mistakes = OF_COMPONENTS.partition("# Mistakes")[0].count("\n") + 1
    assert [error for error in errors if error[0] < mistakes] == []
    kind, text, match, *misspelled = [message for _, message in errors]
    assert "NumberVar[int]" in kind
    assert "later" in text
    assert 'expected "Component"' in match
    assert misspelled
    assert all('no attribute "nmae"' in message for message in misspelled)
