"""The keys of tabs, as the script of the page handles them in Node."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from marketplace_app.components.controls.tabs import ARROW_KEYS

PRESS = f"""
const handle = {ARROW_KEYS!s};
const [key, modifier] = process.argv.slice(1);
const seen = {{ chosen: null, isPrevented: false }};
const tab = (index) => ({{ focus() {{}}, click() {{ seen.chosen = index; }} }});
const tabs = [0, 1, 2].map(tab);
globalThis.document = {{ activeElement: tabs[0] }};
handle({{
  key,
  [modifier]: true,
  currentTarget: {{ querySelectorAll: () => tabs }},
  preventDefault() {{ seen.isPrevented = true; }},
}});
console.log(JSON.stringify(seen));
"""


def press(key: str, modifier: str = "shiftKey") -> tuple[int | None, bool]:
    """The index of the tab that a key chooses from the first of three; and whether the browser is kept from acting.

    Shift by itself changes nothing.
    """
    node = shutil.which("node", path=str(Path(".venv/bin").absolute())) or "node"
    ran = subprocess.run([node, "-e", PRESS, key, modifier], capture_output=True, text=True, check=True)
    seen = json.loads(ran.stdout)
    return seen["chosen"], seen["isPrevented"]


@pytest.mark.parametrize(("key", "chosen"), [("ArrowRight", 1), ("ArrowLeft", 2), ("Home", 0), ("End", 2)])
def test_a_key_chooses_a_tab(key: str, chosen: int) -> None:
    assert press(key) == (chosen, True)


@pytest.mark.parametrize("key", ["ArrowDown", "Tab", "a"])
def test_other_keys_are_left_to_the_browser(key: str) -> None:
    assert press(key) == (None, False)


@pytest.mark.parametrize("modifier", ["altKey", "ctrlKey", "metaKey"])
def test_the_browsers_own_keys_stay_its_own(modifier: str) -> None:
    """Alt with the left arrow goes back to the last page."""
    assert press("ArrowLeft", modifier) == (None, False)
