"""The examples of the API documentation are complete and valid."""

from collections.abc import Iterator
from typing import Any

import pytest
from fastapi.routing import APIRoute
from fastapi.testclient import TestClient
from pydantic import ValidationError

from marketplace_app.schemas.account.accounts import AgeAnswer
from marketplace_app.schemas.base import Answer, Form, ProblemAnswer, parse
from tests.documented import check


def forms(kind: type[Form] = Form) -> Iterator[type[Form]]:
    for form in kind.__subclasses__():
        yield form
        yield from forms(form)


def body(operation: dict[str, Any]) -> dict[str, Any] | None:
    """The schema of its JSON body, if it has one."""
    schema: dict[str, Any] | None = operation.get("requestBody", {}).get("content", {}).get("application/json")
    return schema and schema["schema"]


def test_every_json_body_has_an_example(client: TestClient) -> None:
    documented = client.get("/api/openapi.json").json()
    operations = [each for path in documented["paths"].values() for each in path.values() if body(each)]
    named = [str(body(each)).partition("#/components/schemas/")[2].partition("'")[0] for each in operations]
    assert len(named) >= 18
    assert [name for name in named if not documented["components"]["schemas"][name].get("examples")] == []


@pytest.mark.parametrize("form", [form for form in forms() if "EXAMPLE" in vars(form)], ids=lambda form: form.__name__)
def test_an_example_is_valid(form: type[Form]) -> None:
    parse(form, form.EXAMPLE)


def test_every_documented_failure_has_an_example(client: TestClient) -> None:
    documented = client.get("/api/openapi.json").json()
    bare = [
        f"{status} {method.upper()} {path}"
        for path, operations in documented["paths"].items()
        for method, operation in operations.items()
        for status, answer in operation["responses"].items()
        for kind in answer.get("content", {}).values()
        if status.startswith("4") and not {"message", "code"} <= set(kind.get("example", {}))
    ]
    assert bare == []


def test_every_route_says_that_it_may_refuse_too_many_requests(client: TestClient) -> None:
    documented = client.get("/api/openapi.json").json()
    silent = [
        f"{method.upper()} {path}"
        for path, operations in documented["paths"].items()
        for method, operation in operations.items()
        if path.startswith("/api/") and "429" not in operation["responses"]
    ]
    assert silent == []


def test_no_description_contains_stray_quotation_marks(client: TestClient) -> None:
    """Quotation marks around the end of a line are a leftover of implicit concatenation of strings."""
    documented = client.get("/api/openapi.json").json()
    operations = [each for path in documented["paths"].values() for each in path.values()]
    assert [each["description"] for each in operations if '"\n"' in each.get("description", "")] == []


def answers(kind: type[Answer] = Answer) -> Iterator[type[Answer]]:
    for answer in kind.__subclasses__():
        yield answer
        yield from answers(answer)


@pytest.mark.parametrize("answer", list(answers()), ids=lambda answer: answer.__name__)
def test_every_plain_field_of_an_answer_has_an_example_of_its_type(answer: type[Answer]) -> None:
    """Other fields need none: they are enumerations, or answers themselves."""
    fields = answer.model_json_schema(mode="serialization")["properties"]
    bare = []
    for name, described in fields.items():
        kinds = [kind.get("items", kind) for kind in described.get("anyOf", [described])]
        is_plain = all(kind.get("type") in ("string", "integer", "number", "null") for kind in kinds)
        if is_plain and not any({"enum", "const", "format"} & kind.keys() for kind in kinds):
            bare += [name] if not described.get("examples") else []
        validator = answer.__pydantic_validator__
        for example in described.get("examples", ()):
            validator.validate_assignment(answer.model_construct(), _python_name(answer, name), example)
    assert not bare, f"Give these fields of {answer.__name__} an example, `Field(examples=[...])`: {bare}"


def _python_name(answer: type[Answer], name: str) -> str:
    return next(each for each, field in answer.model_fields.items() if name in (each, field.alias))


@pytest.mark.parametrize(
    ("status", "answer"),
    [
        (200, {"isValid": True, "message": "", "age": 36}),
        (200, {"isValid": True}),
        (422, {"code": "invalid_input", "message": "Please check the date.", "hint": "1990-04-17"}),
        (418, {"code": "teapot", "message": "Short and stout."}),
    ],
    ids=["a field too many", "a field too few", "a failure's field too many", "a status too many"],
)
def test_an_answer_other_than_documented_fails_any_test(status: int, answer: object) -> None:
    route = APIRoute("/verify-age", lambda: None, response_model=AgeAnswer, responses={422: {"model": ProblemAnswer}})
    check(route, 200, {"isValid": True, "message": ""})
    with pytest.raises((AssertionError, ValidationError)):
        check(route, status, answer)
