"""A refused form says what is wrong with each field."""

import pytest
from pydantic import TypeAdapter

from marketplace_app.errors import InvalidInput
from marketplace_app.schemas.base import Cents, explain, parse
from marketplace_app.schemas.jurisdictions.jurisdictions import ReviewForm


@pytest.mark.parametrize("name", ["body", "query", "path", "header"])
def test_an_error_inside_a_field_named_like_a_part_of_a_request_has_its_whole_path(name: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        parse(ReviewForm, {"choices": {name: -1}})
    assert list(refused.value.fields) == [f"choices.{name}"]


@pytest.mark.parametrize("part", ["body", "path", "header"])
def test_an_error_of_a_request_is_named_without_the_part_that_it_is_in(part: str) -> None:
    assert list(explain([{"type": "missing", "loc": (part, "zip_code")}])) == ["zipCode"]


@pytest.mark.parametrize(
    ("given", "cents"), [("49.99", 49_99), (49.99, 49_99), (0.1 + 0.2, 30), (123456789.99, 123456789_99)]
)
def test_an_amount_is_read_to_the_cent(given: object, cents: int) -> None:
    assert TypeAdapter(Cents).validate_python(given) == cents
