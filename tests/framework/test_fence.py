"""Reflex's internals are used in `marketplace_app/framework/` and nowhere else."""

import ast
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

import pytest
import reflex as rx
from reflex.app import EventNamespace
from reflex_base.registry import RegistrationContext
from reflex_base.vars import Var, VarData

ROOT = Path(__file__).parents[2]
FRAMEWORK = ROOT / "marketplace_app" / "framework"
MODULES = [path for path in sorted((ROOT / "marketplace_app").rglob("*.py")) if FRAMEWORK not in path.parents] + [
    ROOT / "rxconfig.py"
]
SCRIPTS = sorted((ROOT / "assets").glob("*.js"))
INTERNAL_PACKAGES = ("reflex_base", "reflex_components_")
UNDOCUMENTED = {
    "event_handlers",
    "event_namespace",
    "get_full_name",
    "get_substates",
    "hydrate_and_load",
    "on_load_internal",
    "router_data",
    "sid_to_token",
    "token_to_sid",
    "token_to_socket",
}
"""Public by their names, but of no use to an application."""
OF_TUPLES = {"_fields", "_make", "_replace"}
"""Public names of every `NamedTuple`."""
METHODS = (ast.FunctionDef, ast.AsyncFunctionDef)
GENERATED = re.compile(r'__react|modulepreload|__spa-fallback|vite\.config|\.web\b|tailwind\.config|^hashes$|"_event"')
"""In texts: parts of what Reflex, React Router and Vite generate."""


@lru_cache(maxsize=1)
def private_names() -> frozenset[str]:
    """What Reflex's classes keep to themselves, so also what none of ours may override by accident."""
    classes = (rx.App, rx.Component, rx.Middleware, rx.State, rx.plugins.Plugin, EventNamespace, RegistrationContext)
    names = {name for each in (*classes, Var, VarData) for name in {*dir(each), *_fields(each)}}
    return frozenset(name for name in names - OF_TUPLES if name.startswith("_") and not name.startswith("__"))


def _fields(owner: type) -> set[str]:
    return {name for each in owner.__mro__ for name in getattr(each, "__annotations__", {})}


def crossings(source: str) -> Iterator[str]:
    tree = ast.parse(source)
    documentation = {id(text) for text in _documentation(tree)}
    for node in ast.walk(tree):
        if id(node) not in documentation and (what := _crossing(node)):
            yield f"line {getattr(node, 'lineno', 0)}: {what}"


def _crossing(node: ast.AST) -> str | None:
    match node:
        case ast.Import(names=names):
            return next((each.name for each in names if _is_internal(each.name)), None)
        case ast.ImportFrom(module=str(module)) if _is_internal(module) or module == "reflex":
            return module
        case ast.Attribute(value=ast.Name(id="rx"), attr=name) if name.startswith("_"):
            return name
        case ast.Attribute(attr=name) | ast.keyword(arg=str(name)) if _is_private(name):
            return name
        case ast.ClassDef(body=body):
            return next(
                (method.name for method in body if isinstance(method, METHODS) and _is_private(method.name)), None
            )
        case ast.Constant(value=str(text)) if GENERATED.search(text) or text in UNDOCUMENTED | private_names():
            return text[:60]
    return None


def _is_internal(module: str) -> bool:
    return module.startswith((*INTERNAL_PACKAGES, "reflex."))


def _is_private(name: str) -> bool:
    return name in private_names() or name in UNDOCUMENTED


def _documentation(tree: ast.AST) -> Iterator[ast.AST]:
    """Sentences that stand by themselves: docstrings."""
    return (node.value for node in ast.walk(tree) if isinstance(node, ast.Expr))


@pytest.mark.parametrize("module", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_module_reaches_past_the_framework_package(module: Path) -> None:
    assert list(crossings(module.read_text())) == []


@pytest.mark.parametrize(
    "source",
    [
        "from reflex.state import State",
        "from reflex import State",
        "import reflex_base.vars",
        "from reflex_components_core.el.elements.inline import A",
        "rx.Var('x', _var_type=int)",
        "data = shown._get_all_var_data()",
        "class Box(rx.Component):\n    def _exclude_props(self): ...",
        "class CartState(rx.State):\n    async def _get_resolved_delta(self): ...",
        "getattr(root, '_clean')()",
        "tabs = app.event_namespace",
        "shown = rx._x.client_state('shown')",
        "is_new = 'hashes' not in event.payload",
        "page.replace('<link rel=\"modulepreload\"', '')",
    ],
)
def test_each_use_of_an_internal_is_detected(source: str) -> None:
    assert len(list(crossings(source))) == 1


def test_the_guide_to_upgrading_lists_every_module_and_its_test() -> None:
    rows = (ROOT / "docs" / "upgrading.md").read_text()
    named = re.findall(r"^\| `(\w+)(?:\.py|/)` \|.*`test_(\w+)\.py`", rows, re.M)
    modules = {path.stem for path in FRAMEWORK.glob("[!_]*")}
    assert named == [(name, name) for name, _ in named]
    assert {name for name, _ in named} == modules
    assert all((Path(__file__).parent / f"test_{name}.py").is_file() for name in modules)


def test_no_script_knows_react() -> None:
    """Nor under which name Reflex stores a tab's token."""
    assert [script.name for script in SCRIPTS if re.search(r"__react|\(.token.\)", script.read_text())] == []
