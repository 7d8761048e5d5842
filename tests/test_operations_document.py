"""docs/operations.md names commands, options, settings, units, metrics and headings that exist."""

import re
import shlex
from pathlib import Path

import pytest

from marketplace_app.config import Settings
from marketplace_app.jobs.commands import make_parser
from marketplace_app.secret_files import SECRETS

ROOT = Path(__file__).parents[1]
DOCUMENT = (ROOT / "docs" / "operations.md").read_text()
PARSER = make_parser()
COMMAND_NAMES = next(action.choices for action in PARSER._actions if isinstance(action.choices, dict))
COMMANDS = [
    *re.findall(r"marketplace_app ([a-z-]+[^`\n]*)", DOCUMENT),
    *(line for line in re.findall(r"`([a-z-]+ -[^`\n]*)`", DOCUMENT) if line.split()[0] in COMMAND_NAMES),
]


def anchor(heading: str) -> str:
    """As GitHub makes it."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def headings_of(path: Path) -> set[str]:
    return {anchor(heading) for heading in re.findall(r"^#+ (.+)$", path.read_text(), re.M)}


@pytest.mark.parametrize("command", sorted(set(COMMANDS)))
def test_every_command_parses(command: str) -> None:
    PARSER.parse_args(shlex.split(command.replace("COUNT:HASH", f"7:{'0' * 64}")))


def test_the_document_has_commands() -> None:
    assert len(COMMANDS) >= 6


def test_every_setting_named_exists() -> None:
    named = set(re.findall(r"\b([A-Z][A-Z0-9]*_[A-Z0-9_]*[A-Z0-9])\b", DOCUMENT.replace("REQUEST_ID", "")))
    known = {name.upper() for name in Settings.model_fields} | {f"{name.upper()}_FILE" for name in SECRETS}
    known.add("ANCHOR_MAIL")  # of the unit stillroom-anchor
    assert len(named) > 10
    assert named - known == set()


def test_every_secret_has_a_way_to_replace_it() -> None:
    section = DOCUMENT.partition("## Replacing secrets")[2].partition("\n## ")[0]
    assert {name for name in (*SECRETS, "backup_recipient") if f"`{name.upper()}`" not in section} == set()


def test_every_link_leads_to_a_heading() -> None:
    links = re.findall(r"\]\(([^)\s]+)\)", DOCUMENT)
    assert links
    broken = []
    for link in links:
        path, _, heading = link.partition("#")
        file = ROOT / "docs" / path if path else ROOT / "docs" / "operations.md"
        if not file.exists() or (heading and heading not in headings_of(file)):
            broken.append(link)
    assert broken == []


def test_every_metric_and_unit_named_exists() -> None:
    code = "".join(file.read_text() for file in (ROOT / "marketplace_app").rglob("*.py"))
    metrics = {name.removesuffix("_total") for name in re.findall(r"\bstore_[a-z_]+\b", DOCUMENT)}
    assert metrics
    assert {name for name in metrics if f'"{name}"' not in code} == set()
    units = {path.name for path in (ROOT / "deploy" / "systemd").iterdir()}
    named = set(re.findall(r"\bstillroom-[a-z]+(?:@|\b)", DOCUMENT)) - {"stillroom-store"}
    assert {unit for unit in named if not any(each.startswith(f"{unit}.") for each in units)} == set()


def test_every_failure_says_what_to_do_and_when_it_is_over() -> None:
    failures = re.findall(r"^## (When .+)\n([\s\S]*?)(?=^## |\Z)", DOCUMENT, re.M)
    assert len(failures) > 12
    parts = ("- Customers:", "- Check:", "- Do:", "- Over:")
    assert [heading for heading, text in failures if not all(part in text for part in parts)] == []
