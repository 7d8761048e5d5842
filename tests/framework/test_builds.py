"""Contract with Reflex: two builds of one version are the same.

So browsers keep the scripts they have stored, and every machine that builds the pages itself may answer for the others.
"""

import hashlib
from pathlib import Path

import pytest

from tests.e2e.conftest import PAGES, PORT
from tests.e2e.running import copy_checkout
from tests.framework.conftest import build_pages_in

pytestmark = [pytest.mark.browser, pytest.mark.stores]


def test_two_builds_of_one_version_have_the_same_files(built: Path, tmp_path: Path) -> None:
    copy_checkout(tmp_path, PAGES, pages_to=PAGES)
    first, second = digests(built), digests(build_pages_in(tmp_path, port=PORT + 1000))
    assert len(first) > 100
    differing = {name for name in first.keys() | second.keys() if first.get(name) != second.get(name)}
    assert sorted(differing)[:10] == []


def digests(folder: Path) -> dict[str, str]:
    """By the path of each file, the hash of what is in it."""
    files = (file for file in folder.rglob("*") if file.is_file())
    return {str(file.relative_to(folder)): hashlib.sha256(file.read_bytes()).hexdigest() for file in files}
