"""systemd accepts the units, and finds hardly any right that they do not need."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from marketplace_app.jobs.commands import make_parser
from tests.deploy.programs import DEPLOY

FOLDER, CHECKOUT = DEPLOY / "systemd", Path("/srv/stillroom")
SERVICES = ("stillroom-store@8000", "stillroom-pages", "stillroom-backup", "stillroom-anchor")
HIGHEST_EXPOSURE = 1.6
with_systemd = pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not installed")


@pytest.fixture(scope="module")
def units(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Copies that name this Python: systemd also checks that the program exists."""
    copied = tmp_path_factory.mktemp("units")
    shutil.copytree(FOLDER, copied, dirs_exist_ok=True)
    for file in copied.glob("*.service"):
        file.write_text(file.read_text().replace("/srv/stillroom/.venv/bin/python", sys.executable))
    return copied


def analyze(units: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"SYSTEMD_UNIT_PATH": f"{units}:"}
    return subprocess.run(["systemd-analyze", *arguments], env=environment, capture_output=True, text=True, check=False)


@with_systemd
def test_systemd_accepts_the_units(units: Path) -> None:
    timers = [file.name for file in FOLDER.glob("*.timer")]
    checked = analyze(units, "verify", "--man=no", *(f"{name}.service" for name in SERVICES), *timers)
    ours = [line for line in checked.stderr.splitlines() if "stillroom" in line]
    assert (checked.returncode, ours) == (0, [])


@with_systemd
@pytest.mark.parametrize("name", SERVICES)
def test_a_unit_has_few_rights(units: Path, name: str, tmp_path: Path) -> None:
    shutil.copytree(units, tmp_path / "etc/systemd/system")
    checked = analyze(units, "security", "--offline=true", f"--root={tmp_path}", f"{name}.service")
    exposure = re.search(r"exposure level for \S+: ([\d.]+)", checked.stdout)
    assert exposure, checked.stderr
    assert float(exposure[1]) <= HIGHEST_EXPOSURE, checked.stdout


def test_commands_of_the_units_exist() -> None:
    commands = []
    for file in FOLDER.glob("*.service"):
        commands += re.findall(r"-m marketplace_app (.+)", file.read_text())
    assert len(commands) == 2
    for command in commands:
        make_parser().parse_args(command.replace("${ANCHOR_MAIL}", "a@b.com").split())


def test_only_the_build_may_change_the_code() -> None:
    files = [file for file in FOLDER.rglob("*") if file.is_file()]
    writing = [file.parent.name for file in files if any(map(contains_code, writable_paths(file)))]
    assert writing == ["stillroom-pages.service.d"]


def writable_paths(file: Path) -> list[Path]:
    lines = re.findall(r"^ReadWritePaths=(.*)$", file.read_text(), re.M)
    return [Path(path.lstrip("+-")) for line in lines for path in line.split()]


def contains_code(path: Path) -> bool:
    """Whether it is the checkout, a folder around it or something in it."""
    return CHECKOUT.is_relative_to(path) or path.is_relative_to(CHECKOUT)
