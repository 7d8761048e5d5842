"""Conditional updates: if several want the last of something at the same time, only one gets it."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

from sqlalchemy import CursorResult, Update
from sqlmodel import Session


def claim_one(session: Session, update: Update) -> bool:
    """Run an update of at most one row, whose condition is that it is still available. False if it is not."""
    return cast(CursorResult[Any], session.execute(update)).rowcount == 1


def claim_each(session: Session, update: Update, values: Sequence[Mapping[str, Any]]) -> bool:
    """The same with each of several values, in their order. False if any is not available."""
    return session.connection().execute(update, values).rowcount == len(values)
