"""Base classes of what comes in (strict forms) and goes out (answers and views), and validation errors as sentences."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import Annotated, Any, ClassVar, Self, TypeVar

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    GetJsonSchemaHandler,
    GetPydanticSchema,
    PlainSerializer,
    ValidationError,
    WithJsonSchema,
    field_validator,
)
from pydantic.alias_generators import to_camel
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, core_schema

from marketplace_app import clock, money
from marketplace_app.errors import InvalidInput
from marketplace_app.limits import ADMIN_PAGE_SIZE, MAX_PAGE_SIZE
from marketplace_app.schemas import examples
from marketplace_app.schemas.texts import NUL, SURROGATE, has_any, without_nul

F = TypeVar("F", bound="Form")

SearchWords = Annotated[str, Field(max_length=200), AfterValidator(without_nul)]
"""What is searched for in the catalogue."""
FIRST_DAY = date(2000, 1, 1)
_IN_CALENDAR = Field(ge=FIRST_DAY, le=date(2999, 12, 31))
Day = Annotated[date, _IN_CALENDAR]
"""A day to filter by. Days at the ends of the calendar are refused: they cannot be converted to all time zones."""
MAX_ROW_ID = 2**31 - 1
"""Ids are 32-bit integers on PostgreSQL."""
RowId = Annotated[int, Field(ge=1, le=MAX_ROW_ID)]
_MAX_OFFSET = 1_000_000
Offset = Annotated[int, Field(ge=0, le=_MAX_OFFSET)]
PageOfList = Annotated[int, Field(ge=1, le=_MAX_OFFSET // ADMIN_PAGE_SIZE)]
"""The number of a page in a URL. The highest is that of the last page up to `_MAX_OFFSET` in lists with pages of
`ADMIN_PAGE_SIZE`, such as the audit trail."""
INVALID_JSON = "This is not valid JSON."
REQUEST_PARTS = ("body", "query", "path", "header")
SPECIFIC_ERRORS = ("value_error", "extra_forbidden")
"""Errors whose own sentence says more than the one in a form's `MESSAGES`."""


class Form(BaseModel):
    """What a client sends: camelCase, nothing unknown, nothing coerced."""

    EXAMPLE: ClassVar[Mapping[str, Any]] = {}
    """An example for the documentation of a body."""

    model_config = ConfigDict(
        alias_generator=to_camel,
        extra="forbid",
        frozen=True,
        str_strip_whitespace=True,
        strict=True,
        validate_by_alias=True,
        validate_by_name=False,
    )

    @field_validator("*", mode="before")
    @classmethod
    def _no_surrogates(cls, value: Any) -> Any:
        """JSON can contain lone surrogates, which can be neither stored nor sent."""
        if has_any(SURROGATE, value):
            raise ValueError("control characters are not allowed")
        return value

    @field_validator("*", mode="after")
    @classmethod
    def _no_nul(cls, value: Any) -> Any:
        """PostgreSQL accepts no NUL, not even in a search. Some fields remove it before this runs."""
        if has_any(NUL, value):
            raise ValueError("control characters are not allowed")
        return value

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        described = handler(schema)
        if "EXAMPLE" in vars(cls):
            handler.resolve_ref_schema(described)["examples"] = [cls.EXAMPLE]
        return described


class PageQuery(Form):
    """A page of a list, in a URL; unknown parameters are ignored."""

    model_config = ConfigDict(strict=False, extra="ignore")

    limit: Annotated[int, Field(ge=1, le=MAX_PAGE_SIZE)] | None = None
    offset: Offset = 0


class Answer(BaseModel):
    """The body of a response, as OpenAPI documents it."""

    model_config = ConfigDict(alias_generator=to_camel, validate_by_name=True, validate_by_alias=True)

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        described = handler(schema)
        examples.add_missing(handler.resolve_ref_schema(described).get("properties", {}))
        return described


def _wire_name(name: str) -> str:
    """`created_at` -> `createdAt`. Amounts are decimal in JSON and drop their unit: `total_cents` -> `total`."""
    return to_camel(name.removesuffix("_cents"))


class View(Answer):
    """What a service returns and, as JSON, what the API responds: declared once.

    Fields have Python names and values; how a value is written in JSON is up to its type (`Moment`, `Money`).
    Docstrings are published with the documentation of the API, so what is only for developers is a comment.
    """

    model_config = ConfigDict(alias_generator=_wire_name, frozen=True)

    @classmethod
    def of(cls, row: object) -> Self:
        """From an object with attributes of the same names, such as a row."""
        return cls.model_validate(row, from_attributes=True, by_alias=False, by_name=True)

    def wire(self) -> dict[str, Any]:
        return self.model_dump(mode="json", by_alias=True)


class ProblemAnswer(Answer):
    """The body of every error response."""

    message: str = Field(examples=["Please check the highlighted fields."])
    code: str = Field(examples=["invalid_input"])
    fields: dict[str, str] = Field({}, description="For 422: what to correct, by field.")


def parse(form: type[F], data: object) -> F:
    """A form from anything a browser may send. Raises InvalidInput with a sentence for each field."""
    try:
        return form.model_validate(data)
    except ValidationError as error:
        raise InvalidInput(explain(error.errors(), form)) from None


def parse_params(form: type[F], given: Mapping[str, Any]) -> F:
    """A form whose fields all have defaults, from a URL: invalid parameters are ignored."""
    try:
        return form.model_validate(given)
    except ValidationError as error:
        wrong = {str(each["loc"][0]) for each in error.errors() if each["loc"]}
        right = {name: value for name, value in given.items() if name not in wrong}
        return parse_params(form, right) if len(right) < len(given) else form()


def conflicting_fields(form: Form, seen: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    """The wire names of fields that `form` sets and somebody else has changed since its sender saw them."""
    given = {to_camel(name): getattr(form, name) for name in form.model_fields_set}
    return [name for name, value in given.items() if now[name] != seen[name] and now[name] != value]


def explain(errors: Sequence[Mapping[str, Any]], form: type[BaseModel] | None = None) -> dict[str, str]:
    """`{field: message}`, nested fields with dots: `items.0.quantity`. A form may have its own in `MESSAGES`."""
    messages: Mapping[str, str] = getattr(form, "MESSAGES", {})
    fields: dict[str, str] = {}
    for error in errors:
        path = _path(error)
        own = messages.get(path) if error["type"] not in SPECIFIC_ERRORS else None
        fields.setdefault(path, own or _message(error))
    return fields


def _path(error: Mapping[str, Any]) -> str:
    if error["type"] == "json_invalid":
        return "body"
    first, *rest = error["loc"] or ("body",)
    if first == "query":
        return to_camel(str(rest[0])) if rest else "query"  # without the index of one of several values
    names = rest if first in REQUEST_PARTS else [first, *rest]
    # A default that fails is reported by its Python name.
    return ".".join(to_camel(str(name)) for name in names) or "body"


_EXPECTED = {
    "bool_type": "true or false is expected",
    "bool_parsing": "true or false is expected",
    "date_parsing": "a day such as 2026-11-22 is expected",
    "date_from_datetime_parsing": "a day such as 2026-11-22 is expected",
    "dict_type": "an object is expected",
    "finite_number": "a number is expected",
    "float_parsing": "a number is expected",
    "float_type": "a number is expected",
    "greater_than": "a number above {gt:,.10g} is expected",
    "greater_than_equal": "a number of at least {ge:,.10g} is expected",
    "int_from_float": "a whole number is expected",
    "int_type": "a whole number is expected",
    "int_parsing": "a whole number is expected",
    "less_than": "a number below {lt:,.10g} is expected",
    "less_than_equal": "a number of at most {le:,.10g} is expected",
    "list_type": "a list is expected",
    "model_attributes_type": "an object is expected",
    "model_type": "an object is expected",
    "string_too_long": "this is too long",
    "string_too_short": "this is too short",
    "string_type": "text is expected",
    "too_long": "at most {max_length:,} entries are expected",
    "too_short": "at least one is expected",
}
"""By pydantic's error type, for fields without a message of their own, since pydantic's messages are for programmers.
Bounds are filled in from the error's context."""


def _message(error: Mapping[str, Any]) -> str:
    kind, bounds = error["type"], error.get("ctx", {})
    if kind == "missing":
        return "This field is required."
    if kind == "extra_forbidden":
        return "Unknown field. Please remove it."
    if kind == "json_invalid":
        return INVALID_JSON
    if kind == "value_error":
        text = str(error["ctx"]["error"]) if "ctx" in error else str(error["msg"])
    elif isinstance(bounds.get("le", bounds.get("ge")), str):  # the bounds of days are text
        text = "a day between 2000-01-01 and 2999-12-31 is expected"
    elif kind == "enum":
        text = f"one of {error['ctx']['expected']} is expected"
    else:
        text = _EXPECTED[kind].format_map(bounds) if kind in _EXPECTED else str(error["msg"])
    return text[:1].upper() + text[1:]


_EXPECTED_AMOUNT = "an amount such as 49.99 is expected"


def _cents(value: object) -> int:
    """Decimal text such as `49.99`, or a JSON number with at most two decimals."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise ValueError(_EXPECTED_AMOUNT)
    try:
        text = value if isinstance(value, str) else f"{value:.15g}"
    except OverflowError:  # a whole number in JSON may have thousands of digits: too large for a float
        raise ValueError(_EXPECTED_AMOUNT) from None
    return money.parse(text)


Cents = Annotated[int, BeforeValidator(_cents)]
"""An amount in a form."""


def _day(value: object) -> date:
    if isinstance(value, date) and not isinstance(value, datetime):  # TOML has days of its own
        return value
    try:
        return date.fromisoformat(value if isinstance(value, str) else "")
    except ValueError:
        raise ValueError("a date such as 2026-11-02 is expected") from None


IsoDay = Annotated[date, BeforeValidator(_day)]
"""A day in a body. Pydantic's own `date` would refuse all text in strict forms, and accept numbers in others."""
CalendarDay = Annotated[IsoDay, _IN_CALENDAR]
"""An `IsoDay` that is not at the ends of the calendar."""


def signed_cents(text: str) -> int:
    """Cents from the wire form of an amount, which may be negative: `-12.50`."""
    return -money.parse(text[1:]) if text.startswith("-") else money.parse(text)


def _cents_or_text(*_: object) -> CoreSchema:
    """Cents, as services give them, or decimal text, when an answer is read back from JSON.

    Cents are tried first, by pydantic's own code: a Python function for every amount would double a view's cost.
    A new schema each time, because fields write their examples into it.
    """
    text = core_schema.no_info_after_validator_function(signed_cents, core_schema.str_schema())
    return core_schema.union_schema([core_schema.int_schema(strict=True), text], mode="left_to_right")


Money = Annotated[int, GetPydanticSchema(_cents_or_text), PlainSerializer(money.decimal)]
"""An amount in a view. Python has cents, JSON a decimal text such as `49.99`."""
MomentText = Annotated[datetime, PlainSerializer(clock.iso)]
"""A moment in a view. JSON has text to the second, in UTC: `2026-11-20T11:40:00Z`."""
Moment = Annotated[MomentText, WithJsonSchema({"type": "string", "format": "date-time"})]
"""A `MomentText` that the documentation of the API describes with its format."""
