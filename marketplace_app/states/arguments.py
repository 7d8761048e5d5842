"""What a handler may take from a browser: plain values, and forms whose fields have types.

Reflex passes a form as its annotation asks. A plain dict gets one value of each name, so all ticked checkboxes of a
group but the last would be lost; a TypedDict gets all of them in its list fields.
"""

import inspect
from collections.abc import Callable
from typing import Any, get_type_hints

from pydantic import TypeAdapter, ValidationError
from typing_extensions import TypedDict, is_typeddict

from marketplace_app.errors import InvalidInput

FormAdapters = dict[str, TypeAdapter[Any]]

PLAIN = (str, int, bool, list[str])
UNREADABLE = "This form could not be read. Please reload the page."


def form_adapters(handler: Callable[..., Any]) -> FormAdapters:
    """A validator for each argument that is a form. Raises TypeError for one that is neither a typed form nor plain."""
    hints, forms = get_type_hints(handler), {}
    for name in list(inspect.signature(handler).parameters)[1:]:
        hint = hints.get(name)
        if is_typeddict(hint):
            forms[name] = TypeAdapter(_for_pydantic(hint))
        elif hint not in PLAIN:
            raise TypeError(f"{handler.__qualname__}: '{name}' needs a plain type, or a TypedDict for a form")
    return forms


def _for_pydantic(form: Any) -> Any:
    """The same TypedDict as pydantic reads it: before Python 3.12 it rejects those from `typing`."""
    make: Any = TypedDict
    return make(form.__name__, get_type_hints(form), total=form.__total__)


def validated_arguments(
    forms: FormAdapters, handler: Callable[..., Any], args: tuple[Any, ...], given: dict[str, Any]
) -> dict[str, Any]:
    """The arguments by name, with forms validated. Raises InvalidInput for a form with other fields or types."""
    names = list(inspect.signature(handler).parameters)[1:]
    arguments = dict(zip(names, args, strict=False)) | given
    return arguments | {name: _validated(form, arguments[name]) for name, form in forms.items() if name in arguments}


def _validated(form: TypeAdapter[Any], value: object) -> Any:
    if isinstance(value, dict):  # a field that the page does not show at the moment arrives as None
        value = {name: each for name, each in value.items() if each is not None}
    try:
        return form.validate_python(value, strict=True)
    except ValidationError:
        raise InvalidInput({"form": UNREADABLE}) from None
