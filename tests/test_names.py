"""In marketplace_app no two modules define a public class or type of the same name."""

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

APP = Path(__file__).parents[1] / "marketplace_app"


def types_of(source: str) -> Iterator[str]:
    """The classes and type aliases in a module, private ones too: names such as `OrderRow`, not `ROWS` or `T`."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        match node:
            case ast.ClassDef(name=name):
                yield name
            case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
                if name[:1].isupper() and not name.isupper():
                    yield name


def defined_twice(sources: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    """The modules of each public name that several of them define."""
    modules = defaultdict(list)
    for module, source in sources:
        for name in sorted({name for name in types_of(source) if not name.startswith("_")}):
            modules[name].append(module)
    return {name: found for name, found in modules.items() if len(found) > 1}


def test_two_modules_that_define_a_class_or_a_type_of_one_name_are_found() -> None:
    first = "class Offer: ...\nclass Row: ...\nclass _Page: ...\nT = TypeVar('T')\nMAX = 1\nAmount = Annotated[int, 1]"
    second = "class Offer: ...\nclass Rows: ...\nclass _Page: ...\nT = TypeVar('T')\nMAX = 2\nAmount: TypeAlias = int"
    found = defined_twice([("first", first), ("second", second)])
    assert found == {"Offer": ["first", "second"], "Amount": ["first", "second"]}


def test_a_public_class_or_type_has_a_name_of_its_own() -> None:
    modules = sorted(APP.rglob("*.py"))
    assert modules
    assert defined_twice((str(path.relative_to(APP)), path.read_text(encoding="utf-8")) for path in modules) == {}
