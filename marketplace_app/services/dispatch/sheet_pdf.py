"""The sheet of a run as PDF, for a printer and a pen. Only a stop longer than a page is divided."""

from typing import cast

from fpdf.enums import XPos, YPos

from marketplace_app import money
from marketplace_app.config import get_settings
from marketplace_app.schemas.dispatch.door import DriverStop
from marketplace_app.schemas.dispatch.sheets import Sheet, SheetStop
from marketplace_app.services.dispatch import sheet_texts
from marketplace_app.services.dispatch.pdf_pages import FONT, PdfDocument

_SIZE, _SMALL, _LINE = 10.0, 8.5, 5.0
_MARGIN, _BOX = 14.0, 3.4
"""In millimetres, as are all lengths here; font sizes are in points."""
_NEXT_LINE = {"new_x": XPos.LMARGIN, "new_y": YPos.NEXT}


class _SheetPdf(PdfDocument):
    def __init__(self, sheet: Sheet) -> None:
        super().__init__(f"Run {sheet.run_id}", "letter")
        self.sheet = sheet
        self.set_margin(_MARGIN)
        self.set_auto_page_break(True, _MARGIN)
        self.alias_nb_pages()

    def footer(self) -> None:
        self.set_y(-_MARGIN + 3)
        self.set_font(FONT, size=_SMALL)
        self.cell(0, 4, f"Run {self.sheet.run_id}, page {self.page_no()} of {{nb}}", align="R")

    def write_line(self, text: str, *, bold: bool = False, size: float = _SIZE) -> None:
        self.set_font(FONT, "B" if bold else "", size)
        self.multi_cell(0, _LINE, self.printable(text), align="L", **_NEXT_LINE)  # type: ignore[arg-type]


def render(sheet: Sheet) -> bytes:
    pdf = _SheetPdf(sheet)
    pdf.add_page()
    pdf.write_line(get_settings().store_name, size=_SMALL)
    pdf.write_line(f"Run {sheet.run_id}", bold=True, size=18)
    for text in sheet_texts.head(sheet):
        pdf.write_line(text)
    pdf.write_line(sheet_texts.totals(sheet), bold=True)
    for stop in sheet.stops:
        with pdf.offset_rendering() as trial:
            _draw(cast(_SheetPdf, trial), stop)
        if trial.page_break_triggered:
            pdf.add_page()
        _draw(pdf, stop)
    return bytes(pdf.output())


def _draw(pdf: _SheetPdf, stop: SheetStop) -> None:
    facts = stop.facts
    pdf.ln(2.5)
    pdf.set_draw_color(120)
    pdf.line(_MARGIN, pdf.get_y(), pdf.w - _MARGIN, pdf.get_y())
    pdf.ln(1.5)
    pdf.set_font(FONT, "B", 12)
    pdf.cell(0, 6, pdf.printable(f"{facts.position}.  {facts.customer_name}"), new_x=XPos.LMARGIN, new_y=YPos.TOP)
    pdf.cell(0, 6, money.show(facts.cash_cents), align="R", new_x=XPos.LMARGIN, new_y=YPos.NEXT)
    pdf.write_line(facts.address, bold=True)
    for text in sheet_texts.lines(stop):
        pdf.write_line(text)
    if facts.outcome is not None:
        pdf.write_line(sheet_texts.outcome(facts), bold=True)
        return
    pdf.ln(1)
    _draw_boxes(pdf, facts)
    pdf.write_line(sheet_texts.FAILED_LINE, size=_SMALL)


def _draw_boxes(pdf: _SheetPdf, facts: DriverStop) -> None:
    pdf.set_font(FONT, size=_SMALL)
    for label in sheet_texts.boxes(facts, offers_change_as_credit=pdf.sheet.offers_change_as_credit):
        width = _BOX + 1.2 + pdf.get_string_width(label) + 4
        if pdf.get_x() + width > pdf.w - _MARGIN:
            pdf.ln(_LINE + 1)
        pdf.rect(pdf.get_x(), pdf.get_y() + 0.8, _BOX, _BOX)
        pdf.set_x(pdf.get_x() + _BOX + 1.2)
        pdf.cell(width - _BOX - 1.2, _LINE, label)
    pdf.ln(_LINE + 1.5)
