"""What the sheet of a run and bag labels have in common as PDF: their typeface, and what replaces letters it lacks."""

from pathlib import Path

from fpdf import FPDF

from marketplace_app.config import get_settings

FONT = "instrument-sans"
_FONTS = Path(__file__).parent / "fonts"


class PdfDocument(FPDF):
    """Lengths are in millimetres, sizes of fonts in points."""

    def __init__(self, title: str, size: str | tuple[float, float]) -> None:
        super().__init__(format=size)
        for style, name in (("", "regular"), ("B", "bold")):
            self.add_font(FONT, style, _FONTS / f"{FONT}-{name}.ttf")
        self.set_creator(get_settings().store_name)
        self.set_title(title)

    def printable(self, text: str) -> str:
        """Letters that the font does not have, such as Chinese ones, become question marks; the screen has them all."""
        known = self.current_font.cmap if self.current_font is not None else {}  # type: ignore[union-attr]
        return "".join(letter if ord(letter) in known or letter == "\n" else "?" for letter in text)
