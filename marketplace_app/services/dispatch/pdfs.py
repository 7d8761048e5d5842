"""Sheets and labels as PDF.

The modules that draw them are imported only when the first one is drawn: fpdf and the fontTools that it brings are a
fifteenth of what the store imports, and a process that prints nothing needs neither.
"""

from collections.abc import Sequence

from marketplace_app.schemas.dispatch.labels import BagLabel
from marketplace_app.schemas.dispatch.sheets import Sheet


def render_sheet(sheet: Sheet) -> bytes:
    """For a printer and a pen; stops are never divided between pages."""
    from marketplace_app.services.dispatch import sheet_pdf

    return sheet_pdf.render(sheet)


def render_labels(labels: Sequence[BagLabel]) -> bytes:
    """A page for each."""
    from marketplace_app.services.dispatch import label_pdf

    return label_pdf.render(labels)
