"""The drafts of rules that ship with the store, one file per state in `drafts/` (RULE rule-drafts)."""

import tomllib
from pathlib import Path

from marketplace_app.errors import InvalidInput
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.jurisdictions.jurisdictions import VersionForm

_FOLDER = Path(__file__).parent / "drafts"


def list_states() -> tuple[str, ...]:
    """The states that have a draft, such as `CA`."""
    return tuple(sorted(file.stem.upper() for file in _FOLDER.glob("*.toml")))


def read(state: str) -> VersionForm:
    """The draft of one of `list_states`."""
    return read_text(text(state))


def text(state: str) -> str:
    """The draft of a state as TOML, to be edited."""
    return (_FOLDER / f"{state.lower()}.toml").read_text(encoding="utf-8")


def read_text(toml: str) -> VersionForm:
    """A version from TOML that is written like the drafts. Raises InvalidInput."""
    try:
        values = tomllib.loads(toml)
    except (ValueError, RecursionError) as error:  # also of numbers that are too long, and lists that are too deep
        raise InvalidInput({"file": f"This is not TOML: {error}."}) from None
    return parse(VersionForm, values)
