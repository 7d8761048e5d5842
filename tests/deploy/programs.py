"""Programs from packages that check files of deploy/."""

import subprocess
import sys
from pathlib import Path

from tests.databases import ROOT

DEPLOY = ROOT / "deploy"


def complaints(program: str, *arguments: str | Path) -> str:
    """What it says when it refuses; nothing when it accepts."""
    command = [str(Path(sys.executable).with_name(program)), *map(str, arguments)]
    checked = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    return checked.stdout + checked.stderr if checked.returncode else ""
