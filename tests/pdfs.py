"""What is on the pages of a PDF that fpdf2 has drawn: it reads only what such files contain. Lengths are in points."""

import re
import zlib
from typing import NamedTuple

_OBJECT = re.compile(rb"(\d+) 0 obj\n(.*?)\nendobj", re.S)
_STREAM = re.compile(rb"stream\n(.*)\nendstream", re.S)
_FONT = re.compile(rb"/(F\d+) (\d+) 0 R")
_LETTER = re.compile(rb"<([0-9A-Fa-f]{4})> <([0-9A-Fa-f]+)>")
_DRAWN = re.compile(
    rb"BT /(?P<font>F\d+) (?P<size>[\d.]+) Tf ET"
    rb"|BT (?P<place>[\d.-]+ [\d.-]+) Td \((?P<text>(?:\\.|[^\\)])*)\) Tj ET"
    rb"|(?P<box>[\d.-]+ [\d.-]+ [\d.-]+ [\d.-]+) re f",
    re.S,
)
_WIDTHS = re.compile(rb"(\d+) (?:\[ ([\d ]+)\]|(\d+) (\d+))")
_ESCAPED = re.compile(rb"\\(.)", re.S)
_LETTERS_OF_ESCAPES = {b"r": b"\r", b"n": b"\n"}


class Line(NamedTuple):
    left: float
    baseline: float
    width: float
    text: str


class Box(NamedTuple):
    """A filled rectangle."""

    left: float
    bottom: float
    width: float
    height: float


class PdfPage(NamedTuple):
    width: float
    height: float
    lines: list[Line]
    boxes: list[Box]

    @property
    def texts(self) -> list[str]:
        return [line.text for line in self.lines]


class _Font(NamedTuple):
    letters: dict[int, str]
    widths: dict[int, int]
    """Of each glyph, in thousandths of the font's size."""


def read(pdf: bytes) -> list[PdfPage]:
    objects = {int(number): content for number, content in _OBJECT.findall(pdf)}
    fonts = {name: _font(objects, objects[int(number)]) for name, number in _FONT.findall(pdf)}
    width, height = map(float, _find(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", pdf).groups())
    pages = (content for content in objects.values() if content.endswith(b"/Type /Page\n>>"))
    return [PdfPage(width, height, *_drawn(_contents(objects, page), fonts)) for page in pages]


def text_of(pdf: bytes) -> str:
    """Line by line."""
    return "\n".join(text for page in read(pdf) for text in page.texts)


def _drawn(content: bytes, fonts: dict[bytes, _Font]) -> tuple[list[Line], list[Box]]:
    lines, boxes = [], []
    font, size = _Font({}, {}), 0.0
    for found in _DRAWN.finditer(content):
        if found["font"]:
            font, size = fonts[found["font"]], float(found["size"])
        elif found["box"]:
            left, top, width, height = map(float, found["box"].split())
            boxes.append(Box(left, top + min(height, 0), width, abs(height)))
        else:
            left, baseline = map(float, found["place"].split())
            glyphs = _glyphs(found["text"])
            width = sum(font.widths[glyph] for glyph in glyphs) * size / 1000
            lines.append(Line(left, baseline, width, "".join(font.letters[glyph] for glyph in glyphs)))
    return lines, boxes


def _glyphs(text: bytes) -> list[int]:
    plain = _ESCAPED.sub(lambda found: _LETTERS_OF_ESCAPES.get(found[1], found[1]), text)
    return [int.from_bytes(plain[at : at + 2]) for at in range(0, len(plain), 2)]


def _font(objects: dict[int, bytes], font: bytes) -> _Font:
    table = objects[int(_find(rb"/ToUnicode (\d+) 0 R", font)[1])]
    shapes = objects[int(_find(rb"/DescendantFonts \[(\d+) 0 R\]", font)[1])]
    letters = {
        int(glyph, 16): bytes.fromhex(code.decode()).decode("utf-16-be") for glyph, code in _LETTER.findall(table)
    }
    widths: dict[int, int] = {}
    for first, group, last, width in _WIDTHS.findall(_find(rb"/W \[(.*?)\n>>", shapes)[1]):
        if group:
            widths |= {int(first) + step: int(each) for step, each in enumerate(group.split())}
        else:
            widths |= dict.fromkeys(range(int(first), int(last) + 1), int(width))
    return _Font(letters, widths)


def _contents(objects: dict[int, bytes], page: bytes) -> bytes:
    compressed = objects[int(_find(rb"/Contents (\d+) 0 R", page)[1])]
    return zlib.decompress(_STREAM.search(compressed)[1])  # type: ignore[index]


def _find(pattern: bytes, content: bytes) -> re.Match[bytes]:
    found = re.search(pattern, content, re.S)
    assert found is not None, pattern
    return found
