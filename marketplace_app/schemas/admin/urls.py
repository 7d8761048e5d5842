"""URLs of the admin lists. Their query has the search, the filters, the sort order and the page."""

from typing import Any
from urllib.parse import urlencode

from pydantic.alias_generators import to_camel

from marketplace_app.schemas.base import Form


def with_query(path: str, params: Form, **changes: Any) -> str:
    """`path` with the parameters that differ from the defaults; a changed filter goes back to the first page."""
    defaults = type(params)()
    changed = params.model_copy(update={"page": 1} | changes)
    values = {name: getattr(changed, name) for name in type(params).model_fields}
    given = {to_camel(name): str(value) for name, value in values.items() if value != getattr(defaults, name)}
    separator = "&" if "?" in path else "?"
    return f"{path}{separator}{urlencode(given)}" if given else path
