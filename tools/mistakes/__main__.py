"""`make mistakes`: makes each known mistake in a copy of the store, and fails if the tests do not notice it.

python -m tools.mistakes            # all
python -m tools.mistakes cookie     # mistakes whose names contain this word, or each of several words
"""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path

from tools.mistakes.known import MISTAKES
from tools.mistakes.mistake import Edit, Mistake

ROOT = Path(__file__).parents[2]
BOTH_DATABASES = "postgresql or not postgresql"
"""The expression for `-m`: every test. It names `postgresql` because tests would run on SQLite alone otherwise."""
PASSED, FAILED = 0, 1
"""What pytest exits with. Anything else means that the tests could not be run at all."""


def main(words: list[str]) -> int:
    chosen = [mistake for mistake in MISTAKES if all(word in mistake.name for word in words)]
    if not chosen:
        raise SystemExit(
            "No mistake has all of these words in its name. There are: " + "; ".join(each.name for each in MISTAKES)
        )
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder)
        copy_store(copy)
        if _run(copy, sorted({test for mistake in chosen for test in mistake.tests})) != PASSED:
            raise SystemExit("The tests fail even without a mistake.")
        unnoticed = [mistake.name for mistake in chosen if not _is_noticed(copy, mistake)]
    print(f"{len(chosen)} mistakes, {len(unnoticed)} unnoticed")
    return int(bool(unnoticed))


def copy_store(copy: Path) -> None:
    names = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in filter(None, names.split("\0")):
        if (ROOT / name).is_file():
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, copy / name)


def _is_noticed(copy: Path, mistake: Mistake) -> bool:
    began = time.monotonic()
    originals = {edit.path: (copy / edit.path).read_text() for edit in mistake.edits}
    try:
        _apply(copy, mistake.edits)
        outcome = _run(copy, mistake.tests)
    finally:
        for path, text in originals.items():
            (copy / path).write_text(text)
    verdict = {PASSED: "NOT NOTICED", FAILED: "noticed"}.get(outcome, "the tests do not run")
    print(f"{verdict:20} {time.monotonic() - began:5.1f} s  {mistake.name}", flush=True)
    return outcome == FAILED


def _apply(copy: Path, edits: Iterable[Edit]) -> None:
    for edit in edits:
        text = (copy / edit.path).read_text()
        if text.count(edit.right) != 1:
            raise SystemExit(f"{edit.path} does not have this text once: {edit.right!r}")
        (copy / edit.path).write_text(text.replace(edit.right, edit.wrong))


def _run(copy: Path, tests: Iterable[str]) -> int:
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-n0", "-p", "no:cacheprovider", "-m", BOTH_DATABASES]
    environment = os.environ | {"PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(
        [*command, *tests], cwd=copy, env=environment, stdout=subprocess.DEVNULL, check=False
    ).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
