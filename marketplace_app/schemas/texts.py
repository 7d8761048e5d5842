"""Cleaning texts that people type: control characters, white space, line breaks."""

import re
from typing import Any

NUL = re.compile("\x00")
SURROGATE = re.compile("[\ud800-\udfff]")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f]")


def refuse_control_characters(text: str) -> str:
    """Raises ValueError for control characters other than line breaks and tabs."""
    if _CONTROL.search(text):
        raise ValueError("control characters are not allowed")
    return text


def has_any(unwanted: re.Pattern[str], value: Any) -> bool:
    """Whether any text in a value, however deeply nested, has something unwanted in it."""
    if isinstance(value, str):
        return unwanted.search(value) is not None
    if isinstance(value, dict):
        return any(has_any(unwanted, part) for pair in value.items() for part in pair)
    return isinstance(value, list | tuple) and any(has_any(unwanted, each) for each in value)


def printable_name(value: object, max_length: int) -> str:
    """A name from elsewhere, cut to one printable line of limited length. Empty if it is not text."""
    if not isinstance(value, str):
        return ""
    printable = "".join(each if each.isprintable() else " " for each in value)
    return " ".join(printable.split())[:max_length].rstrip()


def one_line(text: str) -> str:
    return " ".join(refuse_control_characters(text).split())


def one_line_without_nul(text: str) -> str:
    """The text on one line. NUL characters are removed; `one_line` refuses them."""
    return " ".join(text.replace("\x00", "").split())


def without_nul(text: str) -> str:
    """The text with spaces for NUL characters: no stored text has one, so a search ignores them."""
    return text.replace("\x00", " ")


def as_textarea_value(text: str) -> str:
    """The text with the line breaks of a textarea's value in a browser."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def as_input_value(text: str) -> str:
    """The text without line breaks, as a single-line input in a browser holds it."""
    return text.replace("\r", "").replace("\n", "")
