"""What a handler returns must not be a script: the content security policy keeps the browser from evaluating it."""

import ast
from pathlib import Path

EVALUATED = {"call_function", "call_script", "console_log", "download", "run_script", "set_clipboard", "toast"}
"""Functions of Reflex that send JavaScript as text when a handler returns what they make."""


def test_no_handler_returns_a_script() -> None:
    used = {
        f"{path}:{node.lineno} rx.{node.attr}"
        for path in Path("marketplace_app/states").rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "rx"
        if node.attr in EVALUATED
    }
    assert not used, f"Show it through SignalState instead (docs/decisions/0005-signals.md): {used}"
