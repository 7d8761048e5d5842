"""Each audited action has a description, and no other has."""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import marketplace_app
from marketplace_app.services.admin.audit_sentences import ACTIONS, predicate_of

_ROOT = Path(marketplace_app.__file__).parent


def _modules() -> list[ast.Module]:
    places = [*_ROOT.glob("services/**/*.py"), *_ROOT.glob("jobs/**/*.py")]
    return [ast.parse(path.read_text(encoding="utf-8")) for path in places]


def _is_append(call: ast.Call) -> bool:
    return ast.unparse(call.func) == "audit_log.append"


def _recorders(module: ast.Module) -> dict[str, int]:
    """The module's functions that record an act which their caller names, and the position of that parameter."""
    found: dict[str, int] = {}
    for function in ast.walk(module):
        if not isinstance(function, ast.FunctionDef):
            continue
        names = [argument.arg for argument in function.args.args]
        for call in ast.walk(function):
            if isinstance(call, ast.Call) and _is_append(call) and isinstance(call.args[2], ast.Name):
                assert call.args[2].id in names, f"{function.name} records an act that no caller names"
                found[function.name] = names.index(call.args[2].id)
    return found


def _texts(act: ast.expr) -> Iterator[str]:
    """An act as it is written in the source: one text, or one of two."""
    if isinstance(act, ast.IfExp):
        yield from _texts(act.body)
        yield from _texts(act.orelse)
    else:
        assert isinstance(act, ast.Constant), f"an act that cannot be read from the source: {ast.unparse(act)}"
        yield str(act.value)


def _written(module: ast.Module) -> Iterator[str]:
    recorders = _recorders(module)
    for call in ast.walk(module):
        if not isinstance(call, ast.Call):
            continue
        if _is_append(call) and not isinstance(call.args[2], ast.Name):
            yield from _texts(call.args[2])
        elif isinstance(call.func, ast.Name) and call.func.id in recorders:
            yield from _texts(call.args[recorders[call.func.id]])


def test_every_recorded_action_is_described_and_no_other() -> None:
    written = {act for module in _modules() for act in _written(module)}
    undescribed, gone = written - ACTIONS.keys(), ACTIONS.keys() - written
    assert not undescribed, f"Describe these in `ACTIONS` of services/admin/audit_sentences.py: {undescribed}"
    assert not gone, f"Remove from `ACTIONS` of services/admin/audit_sentences.py what is no longer recorded: {gone}"


@pytest.mark.parametrize("action", ACTIONS)
def test_an_action_has_a_name_and_a_predicate_in_plain_text(action: str) -> None:
    name, done, _more = ACTIONS[action]
    assert name[:1].isupper() and not {"_", ".", "{"} & set(name)
    said = done.format("a subject")
    assert said[:1].islower() and not {"_", "{"} & set(said)


def test_names_differ_because_the_filter_lists_them_together() -> None:
    names = [name for name, _, _ in ACTIONS.values()]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize(
    ("action", "details", "words"),
    [
        ("batch.received", {"code": "FH-1", "units": 1}, "FH-1 with 1 unit"),
        ("batch.received", {"code": "FH-1", "units": 1_200}, "FH-1 with 1,200 units"),
        ("batch.recalled", {"code": "FH-1", "reason": "mould", "orders": 1}, "FH-1: mould, in 1 order"),
        ("order.batch_changed", {"before": "FH-1", "code": "FH-2", "units": 1}, "FH-1 → FH-2, 1 unit"),
        ("run.departed", {"orders": 1}, "with 1 order"),
        ("cash.booked_earlier", {"orders": 1}, "paid before the ledger: 1 order"),
        ("invitation.imported", {"ids": [7]}, ": 1 person"),
        ("invitation.imported", {"ids": [7, 8]}, ": 2 people"),
    ],
)
def test_a_count_of_one_is_followed_by_the_singular(action: str, details: dict[str, Any], words: str) -> None:
    assert predicate_of(action, "it", details).endswith(words)


@pytest.mark.parametrize("action", [action for action in ACTIONS if action.startswith("batch.")])
def test_the_code_of_a_batch_follows_the_word_batch(action: str) -> None:
    details = {"code": "FH-1", "fields": {}, "change": -1, "note": "Broken", "orders": 1}
    assert "batch FH-1" in predicate_of(action, "batch", details)
