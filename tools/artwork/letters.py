"""The outlines of the letters on drawn packages, as data, so that the store needs no font library when it runs."""

import json
from pathlib import Path

from fontTools.pens.basePen import BasePen

from .catalogue import ROOT
from .lettering import SERIF, face

LETTERS = ROOT / "marketplace_app" / "packaging" / "letters.json"
EM = 400
"""Units to the em. The coordinates of outlines are whole units, which is finer than any screen shows."""
WEIGHT = 500
ALPHABET = [
    *map(chr, range(0x20, 0x7F)),
    *map(chr, range(0xA1, 0x180)),
    *"‐‑–—‘’“”•…™⁄½¼¾№€",
]
Point = tuple[float, float]


class Outline(BasePen):  # type: ignore[misc] # fontTools carries no types
    """Writes SVG path data with relative coordinates, which are a quarter shorter. In SVG y grows downward."""

    def __init__(self, glyphs: object, scale: float) -> None:
        super().__init__(glyphs)
        self.scale, self.at, self.started_at, self.data = scale, (0, 0), (0, 0), ""

    def _step(self, command: str, *points: Point) -> None:
        here, numbers = self.at, []
        for x, y in points:
            self.at = round(x * self.scale), round(-y * self.scale)
            numbers += [self.at[0] - here[0], self.at[1] - here[1]]
        if any(numbers) or command == "m":
            self.data += command + " ".join(map(str, numbers)).replace(" -", "-")

    def _moveTo(self, point: Point) -> None:
        self._step("m", point)
        self.started_at = self.at

    def _lineTo(self, point: Point) -> None:
        self._step("l", point)

    def _qCurveToOne(self, control: Point, point: Point) -> None:
        self._step("q", control, point)

    def _closePath(self) -> None:
        self.data += "z"
        self.at = self.started_at


def write(path: Path = LETTERS) -> int:
    """Write each letter with its advance and its outline. Returns how many letters there are."""
    font, cmap, em = face(SERIF, WEIGHT)
    glyphs, scale = font.getGlyphSet(), EM / em
    letters: dict[str, list[object]] = {}
    for character in ALPHABET:
        if ord(character) in cmap:
            glyph = glyphs[cmap[ord(character)]]
            outline = Outline(glyphs, scale)
            glyph.draw(outline)
            letters[character] = [round(glyph.width * scale), outline.data]
    rows = ",\n".join(f"{json.dumps(key, ensure_ascii=False)}: {json.dumps(value)}" for key, value in letters.items())
    path.write_text(f"{{\n{rows}\n}}\n", encoding="utf-8")
    return len(letters)
