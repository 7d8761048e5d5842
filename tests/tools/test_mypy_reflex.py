"""What mypy knows of states and vars by the plugin `tools/mypy_reflex.py`."""

from pathlib import Path

from mypy import api

ROOT = Path(__file__).parents[2]
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


def test_misspelled_attributes_are_errors_and_right_ones_are_typed(tmp_path: Path) -> None:
    config, sample = tmp_path / "mypy.ini", tmp_path / "sample.py"
    config.write_text(f"[mypy]\nplugins = {ROOT / 'tools/mypy_reflex.py'}\nfollow_imports = silent\n")
    sample.write_text(SAMPLE)
    found, problems, _ = api.run(["--config-file", str(config), "--cache-dir", str(tmp_path / "cache"), str(sample)])
    assert problems == ""
    errors = [line.partition(" error: ")[2] for line in found.splitlines() if " error: " in line]
    assert len(errors) == 2, found
    assert 'has no attribute "shown"' in errors[0]
    assert 'has no attribute "nmae"' in errors[1]
