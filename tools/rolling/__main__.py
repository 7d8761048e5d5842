"""`make test-rolling`: tests that the last release's code works on databases made by this version's migrations.

Runs that release's own tests of REST and of services, and some of its tests in a browser.

deploy/last-release names the commit of that release, which the clone must have (a shallow one may not).
"""

import io
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
REPLACED = ("alembic/versions", "marketplace_app/jobs/migrate.py")
"""What is replaced in the release by what this version has: the migrations, and the module of helpers they import."""
BOTH_DATABASES = "not browser and (postgresql or not postgresql)"
"""An expression for `-m`. It names `postgresql` because tests would run on SQLite alone otherwise."""
TESTS = (
    (BOTH_DATABASES, "tests/api", "tests/services"),
    ("browser", "tests/e2e/test_purchase.py", "tests/e2e/test_account.py", "tests/e2e/test_admin_orders.py"),
)
"""For each run of pytest: a mark expression, and the folders or files."""


def main() -> None:
    commit = (ROOT / "deploy" / "last-release").read_text().split()[0]
    with tempfile.TemporaryDirectory() as name:
        release = Path(name)
        unpack(commit, release)
        for part in REPLACED:
            replace_with_this_version(part, release)
        for marks, *paths in TESTS:
            command = [sys.executable, "-m", "pytest", "-q", "-n", "2", "--dist", "loadgroup", "-m", marks, *paths]
            subprocess.run([*command, *sys.argv[1:]], cwd=release, check=True)


def unpack(commit: str, folder: Path) -> None:
    archive = subprocess.run(["git", "archive", commit], cwd=ROOT, capture_output=True, check=False)
    if archive.returncode:
        raise SystemExit(f"The commit {commit} of deploy/last-release is not in this clone: git fetch --unshallow")
    with tarfile.open(fileobj=io.BytesIO(archive.stdout)) as packed:
        packed.extractall(folder, filter="data")


def replace_with_this_version(part: str, release: Path) -> None:
    source, target = ROOT / part, release / part
    if source.is_dir():
        shutil.rmtree(target)
        shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
    else:
        shutil.copy(source, target)


if __name__ == "__main__":
    try:
        main()
    except subprocess.CalledProcessError as failed:
        raise SystemExit(failed.returncode) from None
