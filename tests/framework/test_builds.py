"""Contract with Reflex: two builds of one version are the same.

So browsers keep the scripts they have stored, and every machine that builds the pages itself may answer for the others.
"""

from pathlib import Path

import pytest

from tests.e2e.conftest import PAGES
from tests.e2e.running import copy_checkout
from tests.framework.conftest import build_pages_in

pytestmark = [pytest.mark.browser, pytest.mark.stores]


def test_two_builds_of_one_version_have_the_same_files(built: Path, tmp_path: Path) -> None:
    copy_checkout(tmp_path, PAGES, pages_to=PAGES)
    again = build_pages_in(tmp_path)
    assert contents(again) == contents(built)


def contents(folder: Path) -> dict[str, bytes]:
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}
