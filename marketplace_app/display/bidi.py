"""Names in right-to-left scripts, within the store's own lines."""

import re
import unicodedata

_ISOLATE, _POP = "\N{FIRST STRONG ISOLATE}", "\N{POP DIRECTIONAL ISOLATE}"
_CONTROLS = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""Characters that do nothing but change the direction of what follows."""
_RIGHT_TO_LEFT = ("R", "AL", "AN")


def isolated(text: str) -> str:
    """The text, made so that it does not change the order of what stands beside it.

    After a Hebrew name a browser would show the phone number to its left, so right-to-left text is isolated. Control
    characters, which could turn the number's digits around, are removed from any text.
    """
    plain = _CONTROLS.sub("", text)
    is_right_to_left = any(unicodedata.bidirectional(each) in _RIGHT_TO_LEFT for each in plain)
    return f"{_ISOLATE}{plain}{_POP}" if is_right_to_left else plain
