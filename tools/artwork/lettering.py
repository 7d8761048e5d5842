"""Lettering that is measured before it is set, so that no word leaves its label."""

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple
from xml.sax.saxutils import escape

from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont

from marketplace_app.packaging.svg import tag

SERIF, SANS = "Brygada", "Instrument"
FOLDER = Path(__file__).parent / "fonts"
"""The fonts with all their letters: the files `latin` of the npm packages `@fontsource-variable/…`."""
FONTS = {
    SERIF: FOLDER / "brygada-1918-latin-wght-normal.woff2",
    SANS: FOLDER / "instrument-sans-latin-wght-normal.woff2",
}
LEADING, CAP, DROP = 1.0, 0.69, 0.2
"""In ems: from one baseline to the next, the height of a capital, and how far a letter reaches below the baseline."""


class Face(NamedTuple):
    font: TTFont
    cmap: dict[int, str]
    em: int


@lru_cache
def face(family: str, weight: int) -> Face:
    path: Path = FONTS[family]
    font = instantiateVariableFont(TTFont(path), {"wght": weight})
    return Face(font, font.getBestCmap(), font["head"].unitsPerEm)


@lru_cache(maxsize=4096)
def measure(words: str, family: str, weight: int) -> float:
    """Width in ems, without tracking."""
    font, cmap, em = face(family, weight)
    return sum(font["hmtx"][cmap[ord(letter)]][0] for letter in words) / em


def text(
    x: float,
    y: float,
    size: float,
    words: str,
    fill: str,
    family: str = SANS,
    weight: int = 500,
    tracking: float = 0.0,
    anchor: str = "middle",
    max_width: float | None = None,
) -> str:
    """One line of lettering. `tracking` is in ems; a line wider than `max_width` is set smaller."""
    if max_width:
        size = min(size, max_width / (measure(words, family, weight) + tracking * len(words)))
    # The browser adds tracking behind the last letter too; half of it keeps a centred line centred.
    shift = tracking * size * {"start": 0, "middle": 0.5, "end": 1}[anchor]
    return tag(
        "text",
        escape(words),
        x=x + shift,
        y=y,
        font_family=family,
        font_size=size,
        font_weight=weight,
        fill=fill,
        text_anchor=anchor,
        letter_spacing=tracking * size,
    )


def breaks(words: list[str], max_lines: int) -> Iterator[list[str]]:
    """Every way to set these words in at most `max_lines` lines."""
    yield [" ".join(words)]
    if max_lines == 1:
        return
    for cut in range(len(words) - 1, 0, -1):
        for rest in breaks(words[cut:], max_lines - 1):
            yield [" ".join(words[:cut]), *rest]


def set_name(
    name: str, cx: float, top: float, width: float, height: float, fill: str, largest: float, max_lines: int = 3
) -> str:
    """The name as large as the box allows, broken into lines where that makes it larger, and centred in the box."""
    best_size, best = 0.0, [name]
    for broken in breaks(name.split(), max_lines):
        if any(line in ("&", "and") for line in broken):
            continue
        widest = max(measure(line, SERIF, 500) for line in broken) * 0.99  # the tracking below narrows it
        lines_height = (len(broken) - 1) * LEADING + CAP + DROP
        size = min(largest, width / widest, height / lines_height)
        if size > best_size * 1.04:
            best_size, best = size, broken
    block = best_size * ((len(best) - 1) * LEADING + CAP)
    baseline = top + (height - block) / 2 + best_size * (CAP - 0.02)
    art = ""
    for row, line in enumerate(best):
        art += text(cx, baseline + row * best_size * LEADING, best_size, line, fill, SERIF, 500, -0.01)
    return art
