"""States assign only attributes that they declare: see also `tools/mypy_reflex.py`."""

import ast
import importlib
from collections.abc import Iterator
from pathlib import Path

import pytest

import marketplace_app.states

FOLDER = Path(marketplace_app.states.__file__).parent
MODULES = sorted(file for file in FOLDER.rglob("*.py") if "rx.State" in file.read_text())


def assignments(function: ast.AST, own: str) -> Iterator[tuple[str, str]]:
    """Class and attribute of each assignment to a state: its own, or one that it has asked for by `get_state`."""
    states = {"self": own}
    for node in ast.walk(function):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and (name := asked_for(node.value)):
            states[node.targets[0].id] = name
    for node in ast.walk(function):
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            value = node.value
            owner = states.get(value.id) if isinstance(value, ast.Name) else asked_for(value)
            if owner:
                yield owner, node.attr


def asked_for(node: ast.AST) -> str | None:
    """`TicketState` of `await self.get_state(TicketState)`."""
    call = node.value if isinstance(node, ast.Await) else None
    is_asking = isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "get_state"
    return call.args[0].id if is_asking and isinstance(call.args[0], ast.Name) else None


def undeclared(source: str, module: object) -> list[str]:
    wrong = []
    for node in ast.parse(source).body:
        if isinstance(node, ast.ClassDef) and "rx.State" in [ast.unparse(base) for base in node.bases]:
            for owner, name in assignments(node, node.name):
                state = getattr(module, owner, None)
                if state is not None and name not in state.get_fields():
                    wrong.append(f"{owner}.{name}")
    return wrong


@pytest.mark.parametrize("file", MODULES, ids=lambda file: str(file.relative_to(FOLDER)))
def test_assigned_attributes_are_declared(file: Path) -> None:
    name = ".".join(file.relative_to(FOLDER.parents[1]).with_suffix("").parts)
    assert undeclared(file.read_text(), importlib.import_module(name)) == []


def test_an_undeclared_attribute_is_found() -> None:
    source = """
class SupportState(rx.State):
    async def _show_missing(self, error):
        (await self.get_state(TicketState)).shown = "missing"
        ticket = await self.get_state(TicketState)
        ticket.vieww = "missing"
        ticket.view = "missing"
        self.count_labell = "1 ticket"
        self.count_label = "1 ticket"
"""
    from marketplace_app.states.support import support

    assert sorted(undeclared(source, support)) == [
        "SupportState.count_labell",
        "TicketState.shown",
        "TicketState.vieww",
    ]
