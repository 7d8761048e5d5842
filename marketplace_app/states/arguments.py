"""What a handler may take from a browser: plain values, and forms whose fields have types.

Reflex hands a form over as its annotation asks. A plain dict gets one value of each name, so every ticked box of a
group but the last would be lost; a TypedDict gets all of them in its list fields.
"""

import inspect
from collections.abc import Callable
from typing import Any, get_type_hints

from pydantic import TypeAdapter, ValidationError
from typing_extensions import TypedDict, is_typeddict

from marketplace_app.errors import InvalidInput

Forms = dict[str, TypeAdapter[Any]]

PLAIN = (str, int, bool, list[str])
UNREADABLE = "This form could not be read. Please reload the page."


def forms_of(handler: Callable[..., Any]) -> Forms:
    """The arguments that are forms. Raises TypeError for one that is neither a form with types nor a plain value."""
    hints, forms = get_type_hints(handler), {}
    for name in list(inspect.signature(handler).parameters)[1:]:
        hint = hints.get(name)
        if is_typeddict(hint):
            forms[name] = TypeAdapter(_readable(hint))
        elif hint not in PLAIN:
            raise TypeError(f"{handler.__qualname__}: '{name}' needs a plain type, or a TypedDict for a form")
    return forms


def _readable(form: Any) -> Any:
    """The same TypedDict as pydantic reads it: before Python 3.12 it rejects those from `typing`."""
    make: Any = TypedDict
    return make(form.__name__, get_type_hints(form), total=form.__total__)


def fitted(forms: Forms, handler: Callable[..., Any], args: tuple[Any, ...], given: dict[str, Any]) -> dict[str, Any]:
    """The arguments by name; of a form, the fields that it has. Raises InvalidInput for what no form sends."""
    names = list(inspect.signature(handler).parameters)[1:]
    arguments = dict(zip(names, args, strict=False)) | given
    return arguments | {name: _fitted(form, arguments[name]) for name, form in forms.items() if name in arguments}


def _fitted(form: TypeAdapter[Any], value: object) -> Any:
    if isinstance(value, dict):  # a field that the page does not show at the moment arrives as None
        value = {name: each for name, each in value.items() if each is not None}
    try:
        return form.validate_python(value, strict=True)
    except ValidationError:
        raise InvalidInput({"form": UNREADABLE}) from None
