"""Bag labels as PDF, one per page, for a label printer (RULE bag-labels)."""

from collections.abc import Iterator, Sequence
from itertools import groupby

import segno
from fpdf.enums import MethodReturnValue, XPos, YPos

from marketplace_app import money
from marketplace_app.schemas.dispatch.labels import BagLabel
from marketplace_app.services.dispatch.pdf_pages import FONT, PdfDocument
from marketplace_app.services.dispatch.sheet_texts import when

SIZE = (100.0, 62.0)
"""Width and height in millimetres, a common size of shipping labels."""
_MARGIN, _QR_SIZE = 4.0, 38.0
_TEXT_WIDTH = SIZE[0] - _QR_SIZE - _MARGIN - 1
"""The width of the column beside the QR code."""
_POSITION_WIDTH = 22.0
QUIET_ZONE = 4
"""Modules around a QR code that stay white, as its standard requires."""
_MAX_BATCH_CODES = 8


class _LabelsPdf(PdfDocument):
    def __init__(self) -> None:
        super().__init__("Bag labels", SIZE)
        self.set_margin(_MARGIN)
        self.set_auto_page_break(False)
        self.c_margin = 0.0

    def put(
        self, text: str, size: float, width: float = _TEXT_WIDTH, *, bold: bool = False, max_lines: int = 1
    ) -> None:
        """Write text at the current position, and move below it. Text of more than `max_lines` ends in an ellipsis."""
        left, height = self.get_x(), size * 0.44  # a quarter more than the font size, in millimetres
        for line in self.divide(text, size, width, bold=bold, max_lines=max_lines):
            self.cell(width, height, line, new_x=XPos.LEFT, new_y=YPos.NEXT)
        self.set_x(left)

    def divide(self, text: str, size: float, width: float, *, bold: bool, max_lines: int) -> list[str]:
        self.set_font(FONT, "B" if bold else "", size)
        wanted = self.printable(" ".join(text.split()))
        lines = self.multi_cell(width, 1, wanted, align="L", dry_run=True, output=MethodReturnValue.LINES)
        assert isinstance(lines, list)
        if len(lines) <= max_lines:
            return lines
        return [*lines[: max_lines - 1], self._cut(" ".join(lines[max_lines - 1 :]), width)]

    def _cut(self, text: str, width: float) -> str:
        while self.get_string_width(f"{text}…") > width:
            text = text[:-1].rstrip()
        return f"{text}…"


def render(labels: Sequence[BagLabel]) -> bytes:
    pdf = _LabelsPdf()
    for label in labels:
        pdf.add_page()
        _draw(pdf, label)
        _draw_qr_code(pdf, label.link)
    return bytes(pdf.output())


def _draw(pdf: _LabelsPdf, label: BagLabel) -> None:
    pdf.put("–" if label.position is None else str(label.position), 40, _POSITION_WIDTH, bold=True)
    below = pdf.get_y()
    pdf.set_xy(_MARGIN + _POSITION_WIDTH, _MARGIN + 3)
    beside = _TEXT_WIDTH - _POSITION_WIDTH
    pdf.put(f"Order {label.order_number}", 13, beside, bold=True)
    pdf.put("On no run yet" if label.run_id is None else f"Run {label.run_id}, stop {label.position}", 9, beside)
    pdf.set_xy(_MARGIN, below + 1)
    pdf.put(label.customer_name, 14, bold=True, max_lines=2)
    pdf.put(f"{label.zip_code} {label.city}", 12)
    pdf.put(_capitalized(when(label)), 9.5)
    pdf.ln(0.5)
    pdf.put(f"{money.show(label.cash_cents)} to collect" if label.cash_cents else "Nothing to collect", 12, bold=True)
    pdf.put(_contents(pdf, label), 8.5, max_lines=2)


def _contents(pdf: _LabelsPdf, label: BagLabel) -> str:
    """`3 units of 2 batches: AR-2610, FH-2611`; it ends in `and more` if not all codes fit."""
    units = f"{label.units} unit{'' if label.units == 1 else 's'}"
    codes = label.batch_codes
    texts = [_contents_text(units, codes, shown) for shown in range(min(len(codes), _MAX_BATCH_CODES), 0, -1)]
    fitting = (text for text in texts if len(pdf.divide(text, 8.5, _TEXT_WIDTH, bold=False, max_lines=99)) <= 2)
    return next(fitting, texts[-1] if texts else units)


def _contents_text(units: str, codes: Sequence[str], shown: int) -> str:
    more = " and more" if shown < len(codes) else ""
    batches = f"{len(codes)} batch{'' if len(codes) == 1 else 'es'}"
    return f"{units} of {batches}: {', '.join(codes[:shown])}{more}"


def _capitalized(text: str) -> str:
    return text[:1].upper() + text[1:]


def _draw_qr_code(pdf: _LabelsPdf, link: str) -> None:
    """As rectangles, which stay sharp on any printer: one for each run of dark modules in a row."""
    matrix = segno.make_qr(link, error="m", boost_error=False).matrix
    module = _QR_SIZE / (len(matrix) + 2 * QUIET_ZONE)
    left, top = SIZE[0] - _QR_SIZE + QUIET_ZONE * module, (SIZE[1] - _QR_SIZE) / 2 + QUIET_ZONE * module
    pdf.set_fill_color(0)
    for row, modules in enumerate(matrix):
        for column, width in _dark(modules):
            pdf.rect(left + column * module, top + row * module, width * module, module, style="F")


def _dark(modules: Sequence[int]) -> Iterator[tuple[int, int]]:
    """The first column and the width of each run of dark modules in a row."""
    column = 0
    for is_dark, run in groupby(modules):
        width = len([*run])
        if is_dark:
            yield column, width
        column += width
