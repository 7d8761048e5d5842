"""The sheet of a run as PDF, for a printer and a pen. Only a stop longer than a page is divided."""

from typing import cast

from fpdf.enums import XPos, YPos

from marketplace_app import money
from marketplace_app.config import get_settings
from marketplace_app.schemas.dispatch.door import DriverStop
from marketplace_app.schemas.dispatch.sheets import Sheet, SheetStop
from marketplace_app.services.dispatch.pdf_pages import FONT, PdfDocument
from marketplace_app.services.dispatch.sheet_texts import FAILED_LINE, boxes, head, lines, outcome, totals

_SIZE, _SMALL, _LINE = 10.0, 8.5, 5.0
_MARGIN, _BOX = 14.0, 3.4
"""In millimetres, as are all lengths here; font sizes are in points."""
_NEXT_LINE = {"new_x": XPos.LMARGIN, "new_y": YPos.NEXT}


class _Page(PdfDocument):
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
    page = _Page(sheet)
    page.add_page()
    page.write_line(get_settings().store_name, size=_SMALL)
    page.write_line(f"Run {sheet.run_id}", bold=True, size=18)
    for text in head(sheet):
        page.write_line(text)
    page.write_line(totals(sheet), bold=True)
    for stop in sheet.stops:
        with page.offset_rendering() as trial:
            _draw(cast(_Page, trial), stop)
        if trial.page_break_triggered:
            page.add_page()
        _draw(page, stop)
    return bytes(page.output())


def _draw(page: _Page, stop: SheetStop) -> None:
    facts = stop.facts
    page.ln(2.5)
    page.set_draw_color(120)
    page.line(_MARGIN, page.get_y(), page.w - _MARGIN, page.get_y())
    page.ln(1.5)
    page.set_font(FONT, "B", 12)
    page.cell(0, 6, page.printable(f"{facts.position}.  {facts.customer_name}"), new_x=XPos.LMARGIN, new_y=YPos.TOP)
    page.cell(0, 6, money.show(facts.cash_cents), align="R", new_x=XPos.LMARGIN, new_y=YPos.NEXT)
    page.write_line(facts.address, bold=True)
    for text in lines(stop):
        page.write_line(text)
    if facts.outcome is not None:
        page.write_line(outcome(facts), bold=True)
        return
    page.ln(1)
    _draw_boxes(page, facts)
    page.write_line(FAILED_LINE, size=_SMALL)


def _draw_boxes(page: _Page, facts: DriverStop) -> None:
    page.set_font(FONT, size=_SMALL)
    for label in boxes(facts, offers_change_as_credit=page.sheet.offers_change_as_credit):
        width = _BOX + 1.2 + page.get_string_width(label) + 4
        if page.get_x() + width > page.w - _MARGIN:
            page.ln(_LINE + 1)
        page.rect(page.get_x(), page.get_y() + 0.8, _BOX, _BOX)
        page.set_x(page.get_x() + _BOX + 1.2)
        page.cell(width - _BOX - 1.2, _LINE, label)
    page.ln(_LINE + 1.5)
