"""What a handler takes from a browser: values of the declared types, and nothing else (RULE event-policy)."""

import typing
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from reflex_base.utils.form import FORM_DATA_ENTRIES_KEY, FormData, transform_form_data
from typing_extensions import TypedDict

from marketplace_app.errors import InvalidInput
from marketplace_app.states.events.arguments import FORM_KEY, argument_adapters, take_form_key, validated_arguments
from marketplace_app.states.events.base import ANYONE, action


class Boxes(TypedDict, total=False):
    effects: list[str]
    is_active: bool
    name: str


async def takes_any(self, form: Any): ...
async def takes_unannotated(self, form): ...  # type: ignore[no-untyped-def]
async def takes_a_dict(self, form: dict[str, Any]): ...
async def takes_texts(self, form: dict[str, str]): ...
async def takes_a_mapping(self, form: Mapping[str, object]): ...
async def takes_an_object(self, form: object): ...


@pytest.mark.parametrize(
    "handler",
    [takes_any, takes_unannotated, takes_a_dict, takes_texts, takes_a_mapping, takes_an_object],
)
def test_no_handler_takes_a_form_without_saying_what_is_in_it(handler: Callable[..., Any]) -> None:
    """An untyped form would keep only the last value of a repeated name."""
    with pytest.raises(TypeError, match="TypedDict"):
        action(who=ANYONE)(handler)


def test_a_form_hands_over_every_value_of_its_declared_fields_and_no_others() -> None:
    sent = FormData([("effects", "Calm"), ("effects", "Happy"), ("is_active", "true"), ("name", "Fern"), ("x", "1")])
    entries = {FORM_DATA_ENTRIES_KEY: sent.multi_items()}
    form = transform_form_data(entries, Boxes)
    assert validated_arguments(argument_adapters(takes_boxes), (form,), {}) == {
        "form": {"effects": ["Calm", "Happy"], "is_active": True, "name": "Fern"}
    }


async def takes_boxes(self, form: Boxes): ...


class PlainBoxes(typing.TypedDict, total=False):
    effects: list[str]


async def takes_plain_boxes(self, form: PlainBoxes): ...


def test_a_typed_dict_of_the_standard_library_is_accepted() -> None:
    form = {"effects": ["Calm", "Happy"]}
    assert validated_arguments(argument_adapters(takes_plain_boxes), (form,), {}) == {"form": form}


@pytest.mark.parametrize(
    "forged", [None, 5, "text", [], {"effects": "Calm"}, {"effects": [1]}, {"name": {"$ne": ""}}, {"is_active": "on"}]
)
def test_a_forged_form_is_refused_with_a_sentence(forged: object) -> None:
    with pytest.raises(InvalidInput, match="could not be read"):
        validated_arguments(argument_adapters(takes_boxes), (), {"form": forged})


async def takes_plain_values(self, run: int, number: str, is_open: bool, chosen: list[str]): ...


PLAIN_VALUES = {"run": 1, "number": "1042", "is_open": True, "chosen": ["Calm"]}


def test_plain_arguments_are_handed_over_as_they_are() -> None:
    adapters = argument_adapters(takes_plain_values)
    assert validated_arguments(adapters, (), dict(PLAIN_VALUES)) == PLAIN_VALUES


@pytest.mark.parametrize("forged", [None, 1.5, {"id": 1}, [[]], [1]])
@pytest.mark.parametrize("argument", PLAIN_VALUES)
def test_an_argument_of_another_type_is_refused_with_a_sentence(argument: str, forged: object) -> None:
    """A handler that takes it for a text would fail on it, and the log would call that a failure of the store."""
    with pytest.raises(InvalidInput, match="could not be read"):
        validated_arguments(argument_adapters(takes_plain_values), (), {**PLAIN_VALUES, argument: forged})


def test_the_key_of_a_form_is_no_field_of_it() -> None:
    """The handler is to see only what was typed."""
    arguments = {"form": {"name": "Fern", FORM_KEY: "3"}}
    assert take_form_key(arguments) == "3"
    assert arguments == {"form": {"name": "Fern"}}
    assert take_form_key(arguments) is None
    assert take_form_key({"run": 1}) is None


def test_a_field_that_the_page_does_not_show_at_the_moment_is_left_out() -> None:
    form = {"name": None, "effects": ["Calm"]}
    assert validated_arguments(argument_adapters(takes_boxes), (form,), {}) == {"form": {"effects": ["Calm"]}}
