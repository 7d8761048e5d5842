"""A mistake: edits of the code, and the tests that must notice them."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Edit:
    path: str
    right: str
    """The text as it is in the store, where it occurs once."""
    wrong: str


@dataclass(frozen=True)
class Mistake:
    name: str
    edits: tuple[Edit, ...]
    tests: tuple[str, ...]
