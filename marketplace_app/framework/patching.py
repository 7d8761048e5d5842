"""Changes text that Reflex generated. If there is nothing to change, that is an error, so that no change is lost."""

import re
from collections.abc import Callable


class NothingToPatch(Exception):
    """The generated text is not as expected: Reflex, React Router or Vite writes it differently now."""

    def __init__(self, what: str) -> None:
        super().__init__(f"{what} was not found in the text that Reflex generated. See docs/upgrading.md.")


def replace_first(text: str, old: str, new: str) -> str:
    if old not in text:
        raise NothingToPatch(repr(old))
    return text.replace(old, new, 1)


def replace_all(text: str, old: str, new: str) -> str:
    if old not in text:
        raise NothingToPatch(repr(old))
    return text.replace(old, new)


def substitute(pattern: re.Pattern[str], new: Callable[[re.Match[str]], str], text: str) -> str:
    changed, count = pattern.subn(new, text)
    if not count:
        raise NothingToPatch(repr(pattern.pattern))
    return changed
