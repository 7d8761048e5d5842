"""Error messages for cells of a CSV file: the value, what is wrong with it, and what to write instead."""

import re
from collections.abc import Iterable, Mapping

from pydantic.alias_generators import to_camel

from marketplace_app.models import Effect
from marketplace_app.schemas.products.product_labels import LABELS, Kind

CHOICES: Mapping[str, Mapping[str, str]] = {
    to_camel(name): {choice.casefold(): choice for choice in each.options}
    for name, each in LABELS.items()
    if each.options
}
"""By column: each value as it is stored, by its text in lower case, because a cell may have any case."""
REQUIRED = ("sku", "name", "description", "price", "category", "type", "stock")
_LABELS = {to_camel(name): each for name, each in LABELS.items()}
_NUMBER_WORDS = {Kind.INTEGER: "a whole number", Kind.NUMBER: "a number"}
_EFFECTS = frozenset(Effect)
DECIMAL = re.compile(r"-?[0-9]{1,12}(\.[0-9]+)?")
"""With any number of decimals: a float computed by another program may have seventeen."""
INTEGER = re.compile(r"-?[0-9]{1,12}")
# No match for a cell with more digits, or with a minus sign: what was meant could only be guessed.
_ONE_NUMBER = re.compile(r"[^0-9.,-]*([0-9]{1,9}(?:\.[0-9]{1,2})?)[^0-9.]*")
_THOUSANDS = re.compile(r"(?<=[0-9]),(?=[0-9]{3}(?![0-9]))")
_DECIMAL_COMMA = re.compile(r",(?=[0-9]{1,2}(?![0-9]))")
_MAX_QUOTED = 60


def cell_error(column: str, cell: str, form_error: str) -> str:
    """`form_error`: the form's own message, used if nothing more exact can be said about the cell."""
    if not cell:
        return empty_cell_error(column) if column in REQUIRED else form_error
    if column == "price" and not DECIMAL.fullmatch(cell):
        return f"{_quoted(cell)} is not a price. Write {_probable_price(cell) or 'one such as 49.00'}."
    if column in CHOICES:
        return choice_error(cell, column, CHOICES[column].values())
    field = _LABELS[column]
    if field.kind in _NUMBER_WORDS and not _pattern_of(field.kind).fullmatch(cell):
        wanted = _probable_number(field.kind, cell) or f"one such as {field.example}"
        return f"{_quoted(cell)} is not {_NUMBER_WORDS[field.kind]}. Write {wanted}."
    return f"{_quoted(cell)} cannot be used. {form_error}"


def empty_cell_error(column: str) -> str:
    return f"{_LABELS[column].label} is empty."


def choice_error(cell: str, column: str, choices: Iterable[str]) -> str:
    plural = {"category": "categories", "potency": "potencies"}.get(column, f"{column}s")
    return f"{_quoted(cell)} is not a {column}. {plural.capitalize()} are: {', '.join(choices)}."


def effects_warning(given: Iterable[str], before: Iterable[str]) -> str:
    """Names the effects that shoppers cannot choose; those the product had `before` may stay. Empty if none."""
    unknown = [each for each in given if each not in _EFFECTS and each not in before]
    if not unknown:
        return ""
    named = ", ".join(_quoted(each) for each in unknown)
    verb = "is not an effect" if len(unknown) == 1 else "are not effects"
    return f"{named} {verb} that shoppers can choose. They can choose: {', '.join(Effect)}."


def _quoted(cell: str) -> str:
    return f'"{cell}"' if len(cell) <= _MAX_QUOTED else f'"{cell[:_MAX_QUOTED]}…"'


def _pattern_of(kind: Kind) -> re.Pattern[str]:
    return INTEGER if kind is Kind.INTEGER else DECIMAL


def _probable_price(cell: str) -> str:
    """What was probably meant: `49.00` for `$49`, `1234.00` for `1,234`, `12.50` for `12,50`. Empty if unclear."""
    with_point = cell if "." in cell else _DECIMAL_COMMA.sub(".", cell)
    found = _ONE_NUMBER.fullmatch(_THOUSANDS.sub("", with_point))
    return f"{float(found[1]):.2f}" if found and float(found[1]) else ""


def _probable_number(kind: Kind, cell: str) -> str:
    """What was probably meant: `22` for `22%`. Empty if unclear."""
    found = _ONE_NUMBER.fullmatch(cell)
    return found[1] if found and _pattern_of(kind).fullmatch(found[1]) else ""
