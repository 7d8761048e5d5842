"""An email address."""

import re
from typing import Annotated

from pydantic import AfterValidator

from marketplace_app.limits import MAX_EMAIL
from marketplace_app.messages import EMAIL_REQUIRED

_ADDRESS = re.compile(r"[^@\s\x00]+@[^@\s\x00]+\.[^@\s\x00]+")


def _address(text: str) -> str:
    if not text:
        raise ValueError(EMAIL_REQUIRED)
    if not _ADDRESS.fullmatch(text) or len(text) > MAX_EMAIL:
        raise ValueError("A valid email address is required")
    return text.lower()


Email = Annotated[str, AfterValidator(_address)]
"""Stored in lower case."""
