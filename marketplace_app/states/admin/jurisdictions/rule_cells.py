"""The inputs of the form 'New version', which starts as a copy of a state's rules.

There is one for each opening or closing time, amount, limit and tax rate, and one for the source of each value. Each
input holds a text, and is named by the path of its value in the wire form. Everything else, such as `orderBy`, is
copied unchanged.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from marketplace_app import rule_messages
from marketplace_app.display.rule_lines import period
from marketplace_app.errors import InvalidInput
from marketplace_app.schemas.jurisdictions.jurisdictions import RulesForm

_SOURCE = "source"
_MILLIGRAMS_PER_GRAM, _BASIS_POINTS_PER_PERCENT = 1_000, 100
_NUMBER = re.compile(r"[0-9]{1,9}(\.[0-9]{1,9})?")


@dataclass(frozen=True)
class Cell:
    path: str
    """`buckets.0.limit.0.value`"""
    label: str
    value: str
    unit: int = 0
    """How many of the stored unit make one of the typed unit: 1,000 milligrams make a gram. 0 for text."""
    invalid_message: str = ""
    """The error beside the input if its text cannot be read."""

    @property
    def is_source(self) -> bool:
        return self.path.endswith(_SOURCE)


@dataclass(frozen=True)
class CellGroup:
    """A value with its source."""

    label: str
    cells: tuple[Cell, ...]


def groups_of(rules: RulesForm) -> tuple[CellGroup, ...]:
    wire = rules.wire()
    return (*_time_and_amount_groups(wire), *_limit_groups(wire), *_tax_groups(wire))


def with_texts(rules: RulesForm, texts: Mapping[str, str]) -> dict[str, Any]:
    """The wire form with other values and sources. Raises InvalidInput, by path, for texts that cannot be read."""
    wire = rules.wire()
    errors: dict[str, str] = {}
    for group in groups_of(rules):
        for cell in group.cells:
            text = texts[cell.path].strip()
            value = _stored(text, cell.unit) if cell.unit else text
            if value is None or (cell.is_source and not text):
                errors[cell.path] = cell.invalid_message
            _put(wire, cell.path, value)
    if errors:
        raise InvalidInput(errors)
    return wire


def _time_and_amount_groups(wire: Mapping[str, Any]) -> Iterator[CellGroup]:
    for index, title in _titles(wire.get("hours", ()), "Hours of delivery"):
        path, value = f"hours.{index}", wire["hours"][index]["value"]
        opens = Cell(f"{path}.value.opens", "Opens", value["opens"])
        closes = Cell(f"{path}.value.closes", "Closes", value["closes"])
        yield CellGroup(title, (opens, closes, _source(wire["hours"], index, path)))
    for name, label in (("minimumDue", "Due at least"), ("vehicleValue", "Products in one vehicle")):
        for index, title in _titles(wire.get(name, ()), label):
            path = f"{name}.{index}"
            amount = Cell(f"{path}.value", "Amount, $", wire[name][index]["value"])
            yield CellGroup(title, (amount, _source(wire[name], index, path)))


def _limit_groups(wire: Mapping[str, Any]) -> Iterator[CellGroup]:
    for number, bucket in enumerate(wire["buckets"]):
        for index, title in _titles(bucket["limit"], f"Limit: {bucket['label']}, {period(bucket['days'])}"):
            path = f"buckets.{number}.limit.{index}"
            shown = _shown(bucket["limit"][index]["value"], _MILLIGRAMS_PER_GRAM)
            grams = Cell(f"{path}.value", "Grams", shown, _MILLIGRAMS_PER_GRAM, rule_messages.GRAMS_EXPECTED)
            yield CellGroup(title, (grams, _source(bucket["limit"], index, path)))


def _tax_groups(wire: Mapping[str, Any]) -> Iterator[CellGroup]:
    for number, tax in enumerate(wire["taxes"]):
        for index, title in _titles(tax["rate"], f"Tax: {tax['label']}"):
            path = f"taxes.{number}.rate.{index}"
            shown = _shown(tax["rate"][index]["value"], _BASIS_POINTS_PER_PERCENT)
            rate = Cell(f"{path}.value", "Rate, %", shown, _BASIS_POINTS_PER_PERCENT, rule_messages.PERCENT_EXPECTED)
            yield CellGroup(title, (rate, _source(tax["rate"], index, path)))


def _titles(options: Sequence[Any], label: str) -> Iterator[tuple[int, str]]:
    """The index and the title of each option; the titles of several are numbered."""
    for index in range(len(options)):
        yield index, label if len(options) == 1 else f"{label}, value {index + 1} of {len(options)}"


def _source(options: Sequence[Mapping[str, Any]], index: int, path: str) -> Cell:
    return Cell(f"{path}.{_SOURCE}", "Source", options[index]["source"], invalid_message=rule_messages.SOURCE_EXPECTED)


def _shown(stored: int, unit: int) -> str:
    """28500 milligrams -> `28.5`"""
    return f"{stored / unit:.10g}"


def _stored(text: str, unit: int) -> int | None:
    """`28.5` -> 28500; None for what is no number above 0, or has more decimals than are stored."""
    number = Decimal(text) * unit if _NUMBER.fullmatch(text) else Decimal()
    return int(number) if number > 0 and number == number.to_integral_value() else None


def _put(wire: dict[str, Any], path: str, value: object) -> None:
    *steps, last = path.split(".")
    node: Any = wire
    for step in steps:
        node = node[int(step) if step.isdigit() else step]
    node[last] = value
