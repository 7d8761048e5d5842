"""Recognizes values that were copied from a template or tutorial and never filled in."""

import re
from urllib.parse import urlsplit

from pydantic import SecretStr

_EXAMPLE_HOST = re.compile(
    r"(^|[.@/])(example\.(com|org|net)|[\w-]+\.(example|invalid)|your-[\w.-]+|[\w-]+\.your-[\w.-]+)(?=$|[:/?])"
)
_EXAMPLE_PASSWORD = re.compile(
    r"change[-_ ]?(me|this|it)|replace[-_ ]?(me|this)|placeholder|your[-_ ]|example"
    r"|^(<.*>|password|secret-?key|todo|x+)$"
)


def is_example(value: object) -> bool:
    """Whether a value looks like a placeholder from a template or tutorial instead of a real host, URL or password."""
    if isinstance(value, tuple):
        return any(is_example(part) for part in value)
    if isinstance(value, SecretStr):
        return bool(_EXAMPLE_PASSWORD.search(value.get_secret_value().lower()))
    if not isinstance(value, str):
        return False
    try:
        password = urlsplit(value).password or ""
    except ValueError:
        password = ""
    if re.fullmatch(r"<.*>|change[-_ ]?me", value, re.IGNORECASE):
        return True
    return bool(_EXAMPLE_HOST.search(value.lower()) or _EXAMPLE_PASSWORD.search(password.lower()))
