"""The number of products beside a filter, as screen readers read it: the page's script is evaluated in Node."""

import shutil
import subprocess
from pathlib import Path

import pytest
import reflex as rx

from marketplace_app.components.controls.fields import checkbox, radio

COUNT = rx.Var("count").to(str)
OFF = rx.Var.create(False)


@pytest.mark.parametrize(("count", "words"), [("0", "0 products"), ("1", "1 product"), ("1,204", "1,204 products")])
@pytest.mark.parametrize("made", [checkbox("Pine", "it", OFF, [], COUNT), radio("Pine", "it", "group", OFF, [], COUNT)])
def test_one_product_is_read_in_the_singular(made: rx.Component, count: str, words: str) -> None:
    script = f"""
const [count] = process.argv.slice(1);
const jsx = (_tag, _props, ...children) => children.join("");
const ref_it = null, ref_it_count = null;
console.log({made!s});
"""
    node = shutil.which("node", path=str(Path(".venv/bin").absolute())) or "node"
    ran = subprocess.run([node, "-e", script, count], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == f"Pine{words}"
