"""The README and the pages in `docs/` agree with the code."""

import re
from pathlib import Path

import pytest

from marketplace_app.jobs.commands import make_parser

ROOT = Path(__file__).parents[1]
DOCUMENTS = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "deploy" / "README.md",
    *(ROOT / "docs").rglob("*.md"),
]


def test_the_readme_stays_short() -> None:
    assert len((ROOT / "README.md").read_text().splitlines()) <= 90


def test_the_documentation_has_a_row_for_every_command() -> None:
    rows = set(re.findall(r"^\| `([a-z-]+)", (ROOT / "docs" / "command-line.md").read_text(), re.M))
    commands = next(action.choices for action in make_parser()._actions if isinstance(action.choices, dict))
    assert rows == set(commands)


def test_every_make_command_named_exists() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.M))
    named = {
        name for document in DOCUMENTS for name in re.findall(r"(?:^    |`)make ([a-z-]+)", document.read_text(), re.M)
    }
    assert named - targets == set()


def test_contributing_names_functions_and_sections_that_exist() -> None:
    contributing = (ROOT / "CONTRIBUTING.md").read_text()
    rows = re.findall(r"^\| `([\w/]+\.py)`: ((?:`\w+`(?:, )?)+) \|", contributing, re.M)
    named = [(path, name) for path, names in rows for name in re.findall(r"\w+", names)]
    assert named
    code = {path: (ROOT / "marketplace_app" / path).read_text() for path, _ in rows}
    assert [(path, name) for path, name in named if not re.search(rf"^def {name}\(", code[path], re.M)] == []
    sections = {" ".join(title.split()) for title in re.findall(r'\bsee\s+"([^"]+)"', contributing, re.I)}
    assert sections - set(re.findall(r"^#+ (.+)$", contributing, re.M)) == set()


def test_the_layout_in_contributing_names_every_folder_of_tools() -> None:
    layout = (ROOT / "CONTRIBUTING.md").read_text().partition("    tools/\n")[2].partition("\n\n")[0]
    folders = {package.parent.name for package in (ROOT / "tools").glob("*/__init__.py")}
    assert set(re.findall(r"^      (\w+)/", layout, re.M)) == folders


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda document: str(document.relative_to(ROOT)))
def test_linked_files_exist(document: Path) -> None:
    links = [link.partition("#")[0] for link in re.findall(r"\]\(([^)\s]+)\)", document.read_text()) if ":" not in link]
    assert [link for link in links if link and not (document.parent / link).exists()] == []
