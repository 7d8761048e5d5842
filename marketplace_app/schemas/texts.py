"""Texts as people type them, and what no database keeps of them."""

import re

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f]")


def no_control(text: str) -> str:
    """Line breaks and tabs are text; what no keyboard types and no database keeps is not."""
    if _CONTROL.search(text):
        raise ValueError("control characters are not allowed")
    return text


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
