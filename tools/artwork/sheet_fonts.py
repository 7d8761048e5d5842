"""The two fonts of run sheets, as TrueType: PDF files cannot hold the variable web font of the pages.

Made from the npm package `@fontsource-variable/instrument-sans` (SIL Open Font License), with the letters of its files
`latin` and `latin-ext`, so that names of most European languages can be written.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

from fontTools.merge import Merger
from fontTools.ttLib import TTFont
from fontTools.varLib import instancer

PACKAGE = "@fontsource-variable/instrument-sans@5.3.0"
FOLDER = Path(__file__).parents[2] / "marketplace_app" / "services" / "dispatch" / "fonts"
WEIGHTS = {"regular": 400, "bold": 650}
UNUSED = ("GSUB", "GPOS", "GDEF", "kern", "STAT", "HVAR", "MVAR")
"""Tables that the PDF does not need, and that differ between the two files to be merged."""


def make() -> None:
    FOLDER.mkdir(exist_ok=True)
    npm = Path(sys.executable).parent / "npm"
    with tempfile.TemporaryDirectory() as scratch:
        subprocess.run([npm, "pack", PACKAGE, "--silent"], cwd=scratch, check=True)  # noqa: S603
        [archive] = Path(scratch).glob("*.tgz")
        subprocess.run(["tar", "xzf", archive], cwd=scratch, check=True)  # noqa: S603, S607
        for name, weight in WEIGHTS.items():
            parts = [_static(Path(scratch), letters, weight) for letters in ("latin", "latin-ext")]
            Merger().merge(parts).save(FOLDER / f"instrument-sans-{name}.ttf")


def _static(scratch: Path, letters: str, weight: int) -> str:
    font = TTFont(scratch / "package" / "files" / f"instrument-sans-{letters}-wght-normal.woff2")
    font.flavor = None
    font = instancer.instantiateVariableFont(font, {"wght": weight})
    for table in UNUSED:
        if table in font:
            del font[table]
    path = scratch / f"{letters}-{weight}.ttf"
    font.save(path)
    return str(path)
