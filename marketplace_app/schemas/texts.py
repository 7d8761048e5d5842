"""Texts as people type them, and what no database keeps of them."""

import re
from typing import Any

NUL = re.compile("\x00")
HALF_CHARACTER = re.compile("[\ud800-\udfff]")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f]")


def no_control(text: str) -> str:
    """Line breaks and tabs are text; what no keyboard types and no database keeps is not."""
    if _CONTROL.search(text):
        raise ValueError("control characters are not allowed")
    return text


def has_any(unwanted: re.Pattern[str], value: Any) -> bool:
    """Whether a text in a value, however deep, has something unwanted in it."""
    if isinstance(value, str):
        return unwanted.search(value) is not None
    if isinstance(value, dict):
        return any(has_any(unwanted, part) for pair in value.items() for part in pair)
    return any(has_any(unwanted, each) for each in value) if isinstance(value, list | tuple) else False


def name_of(value: object, longest: int) -> str:
    """A name as others may send it: one line, printable, not too long. Nothing when it is no text."""
    if not isinstance(value, str):
        return ""
    printable = "".join(each if each.isprintable() else " " for each in value)
    return " ".join(printable.split())[:longest].rstrip()


def one_line(text: str) -> str:
    return " ".join(no_control(text).split())


def plain(text: str) -> str:
    """One line, without what no database keeps in a text."""
    return " ".join(text.replace("\x00", "").split())


def as_in_a_box(text: str) -> str:
    """As a browser gives a text of several lines back."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def as_on_a_line(text: str) -> str:
    """As a browser submits the text of a single-line field."""
    return text.replace("\r", "").replace("\n", "")
