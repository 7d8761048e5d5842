"""Every installed package is pinned with hashes."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LISTS = {"requirements.txt": "run", **{f"requirements-{n}.txt": n for n in ("dev", "s3", "traces", "assets", "fuzz")}}
FIXED_BY_THE_CLIENT = {"reflex", "sqlmodel", "alembic", "authlib", "pytest", "httpx"}


def chosen(name: str) -> dict[str, str]:
    lines = (ROOT / name).read_text().splitlines()
    return dict(plain(line).split("==") for line in lines if line[:1].isalpha())


def locked(name: str) -> dict[str, str]:
    """Versions; each with at least one hash."""
    found = {}
    for entry in (ROOT / "locked" / f"{name}.txt").read_text().replace("\\\n", " ").splitlines():
        if entry[:1].isalpha():
            assert re.search(r"--hash=sha256:[0-9a-f]{64}", entry), entry
            package, version = plain(entry.split(";")[0].split(" ")[0]).split("==")
            found[package] = version
    return found


def plain(line: str) -> str:
    return re.sub(r"\[.*?\]", "", line).strip().lower().replace("_", "-")


@pytest.mark.parametrize(("name", "lock"), LISTS.items())
def test_chosen_versions_are_locked(name: str, lock: str) -> None:
    assert chosen(name).items() <= locked(lock).items()


@pytest.mark.parametrize("name", LISTS)
def test_the_lock_is_included_first_and_no_registry_is_named(name: str) -> None:
    text = (ROOT / name).read_text()
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    assert lines[0] == f"-r locked/{LISTS[name]}.txt"
    assert "://" not in text + (ROOT / "locked" / f"{LISTS[name]}.txt").read_text()


def test_the_tests_use_the_stores_versions() -> None:
    assert locked("run").items() <= locked("dev").items()
    assert locked("s3").items() <= locked("dev").items()
    assert locked("traces").items() <= locked("dev").items()


def test_the_clients_packages_are_listed() -> None:
    assert chosen("requirements.txt").keys() >= FIXED_BY_THE_CLIENT
