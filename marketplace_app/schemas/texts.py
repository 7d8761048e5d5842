"""Texts as people type them, and what no database keeps of them."""

import re
from typing import Any

_HALF = re.compile("[\ud800-\udfff]")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f]")


def no_control(text: str) -> str:
    """Line breaks and tabs are text; what no keyboard types and no database keeps is not."""
    if _CONTROL.search(text):
        raise ValueError("control characters are not allowed")
    return text


def is_storable(value: Any) -> bool:
    """Whether every text in a value, however deep, can be kept by both databases: no NUL, no half character."""
    if isinstance(value, str):
        return "\x00" not in value and not _HALF.search(value)
    if isinstance(value, dict):
        return all(is_storable(part) for pair in value.items() for part in pair)
    return all(map(is_storable, value)) if isinstance(value, list | tuple) else True


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
    """As a browser gives the text of a field of one line back."""
    return text.replace("\r", "").replace("\n", "")
