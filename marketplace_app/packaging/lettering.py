"""Words as outlines, because a picture in a page may load no fonts, and must look the same on every machine."""

import json
import math
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple
from xml.sax.saxutils import escape

from marketplace_app.packaging.svg import decimal, tag

EM = 400
"""Units per em in letters.json, which `python -m tools.artwork letters` writes."""
LEADING, CAP, DESCENT = 1.02, 0.67, 0.2
"""In ems: from line to line, height of a capital, depth of a descender."""
MAX_LINES = 5
WORTH_MORE_LINES = 1.04
MAX_WORD_LENGTH = 14
"""In letters. A longer word may be broken, so that the others do not become too small to read."""
UNKNOWN_ADVANCE = 0.62
"""In ems, for letters without an outline here (other scripts, symbols). A line with one is left to the browser's own
fonts."""


class Glyph(NamedTuple):
    advance: int
    outline: str


@lru_cache(maxsize=1)
def _letters() -> dict[str, Glyph]:
    table = json.loads((Path(__file__).parent / "letters.json").read_text(encoding="utf-8"))
    return {character: Glyph(*facts) for character, facts in table.items()}


def can_outline(text: str) -> bool:
    return all(character in _letters() for character in text)


def measure(text: str) -> float:
    """Width in ems."""
    letters = _letters()
    return sum(letters[each].advance / EM if each in letters else UNKNOWN_ADVANCE for each in text)


class GlyphSheet:
    """The words of one picture. Each letter's outline is written once, however often it is used.

    Without outlines, words are left to the browser's own fonts.
    """

    def __init__(self, *, has_outlines: bool) -> None:
        self._ids: dict[str, str] = {}
        self._has_outlines = has_outlines

    def definitions(self) -> str:
        letters = _letters()
        return "".join(tag("path", id=name, d=letters[each].outline) for each, name in self._ids.items())

    def line(self, text: str, x: float, y: float, size: float, fill: str, tracking: float = 0) -> str:
        """One line, centred on x, with its baseline at y. `tracking` is in ems."""
        width = (measure(text) + tracking * (len(text) - 1)) * size
        if not (self._has_outlines and can_outline(text)):
            return _as_text(text, x, y, size, fill)
        uses, at = "", 0.0
        for character in text:
            letter = _letters()[character]
            if letter.outline:
                uses += f'<use href="#{self._id(character)}" x="{decimal(round(at))}"/>'
            at += letter.advance + tracking * EM
        place = f"translate({decimal(x - width / 2)} {decimal(y)}) scale({size / EM:.4f})"
        return tag("g", uses, fill=fill, transform=place)

    def block(self, text: str, x: float, top: float, width: float, height: float, largest: float, fill: str) -> str:
        """The text as large as the box allows, broken into lines where that helps most, centred in the box."""
        lines, size = fit(text, width, height, largest)
        lines_height = size * ((len(lines) - 1) * LEADING + CAP)
        first = top + (height - lines_height) / 2 + size * CAP
        return "".join(self.line(line, x, first + row * size * LEADING, size, fill) for row, line in enumerate(lines))

    def _id(self, character: str) -> str:
        return self._ids.setdefault(character, f"l{len(self._ids)}")


def fit(text: str, width: float, height: float, largest: float) -> tuple[list[str], float]:
    """Lines and the size at which they fit the box. More lines only if they make the text at least 4 % larger."""
    best: list[str] = []
    best_size = 0.0
    for lines in _layouts(_parts(text)):
        lines_height = (len(lines) - 1) * LEADING + CAP + DESCENT
        size = min(largest, width / max(measure(line) for line in lines), height / lines_height)
        if size > best_size * WORTH_MORE_LINES:
            best, best_size = lines, size
    return best, best_size


def _parts(text: str) -> list[str]:
    """The words of a text, each with the space after it. The longest are broken: at hyphens if that is enough."""
    parts = []
    for word in text.split():
        for piece in _at_hyphens(word):
            length = math.ceil(len(piece) / math.ceil(len(piece) / MAX_WORD_LENGTH))
            parts += [piece[at : at + length] for at in range(0, len(piece), length)]
        parts[-1] += " "
    return parts


def _at_hyphens(word: str) -> list[str]:
    return re.findall(r"[^-]+-*|-+", word) if len(word) > MAX_WORD_LENGTH else [word]


def _layouts(parts: list[str]) -> Iterator[list[str]]:
    """For each number of lines the most even way to set the parts."""
    for count in range(1, min(MAX_LINES, len(parts)) + 1):
        yield [line.rstrip() for line in _evenly(parts, count)]


def _evenly(parts: list[str], count: int) -> list[str]:
    """At most `count` lines, filled greedily at the smallest of 21 widths that does not need more."""
    whole = "".join(parts)
    narrowest, widest = max(map(_printed_width, parts)), _printed_width(whole)
    for step in range(21):
        lines = _filled(parts, narrowest + (widest - narrowest) * step / 20)
        if len(lines) <= count:
            return lines
    return [whole]


def _filled(parts: list[str], width: float) -> list[str]:
    lines = [parts[0]]
    for part in parts[1:]:
        longer = lines[-1] + part
        if _printed_width(longer) <= width + 1e-9:
            lines[-1] = longer
        else:
            lines.append(part)
    return lines


def _printed_width(line: str) -> float:
    """In ems, without the space at its end."""
    return measure(line.rstrip())


def _as_text(text: str, x: float, y: float, size: float, fill: str) -> str:
    more = {"text_anchor": "middle", "font_family": "Georgia, serif", "font_size": size}
    return tag("text", escape(text), x=x, y=y, fill=fill, **more)
