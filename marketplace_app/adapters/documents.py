"""Uploaded PDFs of lab reports: stored unchanged, and served only as downloads."""

import secrets

from marketplace_app.adapters import storage
from marketplace_app.errors import TooLarge, UnsupportedMedia
from marketplace_app.limits import MAX_PDF_BYTES

HEADER, END_OF_FILE = b"%PDF-", b"%%EOF"
TAIL_BYTES = 2_048
"""How many of the last bytes may contain the end-of-file marker: some programs write more after it."""


class NotAPdf(UnsupportedMedia):
    code = "not_a_pdf"
    message = "Please choose a PDF document."


def save(content: bytes) -> str:
    """Store a lab report; returns the URL of its PDF. Raises NotAPdf or TooLarge."""
    if len(content) > MAX_PDF_BYTES:
        raise TooLarge(f"A lab report may be at most {MAX_PDF_BYTES // 1024**2} MB.")
    if not content.startswith(HEADER) or END_OF_FILE not in content[-TAIL_BYTES:]:
        raise NotAPdf()
    name = f"reports/{secrets.token_hex(16)}.pdf"
    storage.get_storage().save_all({name: content})
    return storage.url_of(name)
