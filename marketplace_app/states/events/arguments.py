"""What a handler may take from a browser: plain values, and forms whose fields have types. Both are checked here, since
any client can send any value for any argument.

How Reflex passes a form depends on its annotation. A plain dict gets one value of each name, so all ticked checkboxes
of a group but the last would be lost; a TypedDict gets all of them in its list fields.
"""

import inspect
from collections.abc import Callable
from typing import Any, get_type_hints

from pydantic import TypeAdapter, ValidationError
from typing_extensions import TypedDict, is_typeddict

from marketplace_app.errors import InvalidInput

ArgumentAdapters = dict[str, TypeAdapter[Any]]
FORM_KEY = "form_key"
"""The hidden field that makes a form count once, however often its button is pressed before the answer arrives (RULE
sent-once). Its value is the `form_key` that the state had when the form was shown. `action` increments it after a form
that succeeded, and ignores forms with another value. A form that was refused keeps its key and what was typed.
"""
PLAIN = (str, int, bool, list[str])
UNREADABLE = "This could not be read. Please reload the page."


def argument_adapters(handler: Callable[..., Any]) -> ArgumentAdapters:
    """A validator for each argument, in order. Raises TypeError for one that is neither a typed form nor plain."""
    hints, adapters = get_type_hints(handler), {}
    for name in list(inspect.signature(handler).parameters)[1:]:
        hint: Any = hints.get(name)
        if not is_typeddict(hint) and hint not in PLAIN:
            raise TypeError(f"{handler.__qualname__}: '{name}' needs a plain type, or a TypedDict for a form")
        adapters[name] = TypeAdapter(_for_pydantic(hint) if is_typeddict(hint) else hint)
    return adapters


def _for_pydantic(form: Any) -> Any:
    """The same TypedDict as pydantic reads it: before Python 3.12 it rejects the ones from `typing`."""
    make: Any = TypedDict
    return make(form.__name__, get_type_hints(form), total=form.__total__)


def validated_arguments(adapters: ArgumentAdapters, args: tuple[Any, ...], given: dict[str, Any]) -> dict[str, Any]:
    """The arguments by name, from those passed by position (`args`) and by name (`given`).

    Raises InvalidInput for a value of another type, also within a form. Fields that the form does not declare are left
    out.
    """
    arguments = dict(zip(adapters, args, strict=False)) | given
    checked = {name: _validated(name, adapters[name], value) for name, value in arguments.items() if name in adapters}
    return arguments | checked


def take_form_key(arguments: dict[str, Any]) -> str | None:
    """Remove the key from the form: the handler is to see only what was typed. None for a form without one."""
    form: Any = next((value for value in arguments.values() if isinstance(value, dict)), {})
    key: str | None = form.pop(FORM_KEY, None)
    return key


def _validated(name: str, adapter: TypeAdapter[Any], value: object) -> Any:
    if isinstance(value, dict):  # a field that the page does not show at the moment arrives as None
        value = {key: each for key, each in value.items() if each is not None}
    try:
        return adapter.validate_python(value, strict=True)
    except ValidationError:
        raise InvalidInput({name: UNREADABLE}) from None
