"""The front end's packages are pinned by two files that Reflex needs as a pair."""

import json
from pathlib import Path

LOCK = Path(__file__).parents[1] / "reflex.lock"


def test_lock_was_made_for_the_packages_named_beside_it() -> None:
    """npm ignores a lock that does not fit, and every build would fetch whatever is newest."""
    wanted = json.loads((LOCK / "package.json").read_text())
    locked = json.loads((LOCK / "package-lock.json").read_text())["packages"][""]
    for section in ("dependencies", "devDependencies"):
        assert locked[section] == wanted[section]


def test_package_json_is_formatted_as_npm_formats_it() -> None:
    """Otherwise `make dev` leaves a changed file in every checkout."""
    text = (LOCK / "package.json").read_text()
    assert text == json.dumps(json.loads(text), separators=(",", ":")), "Start `make dev`, and commit what it wrote"
