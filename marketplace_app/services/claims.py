"""Conditional updates: of several who want the last of something, the database lets one have it."""

from typing import Any, cast

from sqlalchemy import CursorResult, Update
from sqlmodel import Session


def claim_one(session: Session, update: Update) -> bool:
    """Run an update of at most one row, whose condition says that it may still be had. False if it may not."""
    return cast(CursorResult[Any], session.execute(update)).rowcount == 1
