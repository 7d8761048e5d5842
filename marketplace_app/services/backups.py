"""When the last backup was made, for those who watch the store."""

from datetime import datetime

from sqlmodel import Session

from marketplace_app import clock
from marketplace_app.models import Counter

_LAST = "last_backup"


def record(session: Session) -> None:
    session.merge(Counter(name=_LAST, text_value=clock.iso(clock.now())))


def last(session: Session) -> datetime | None:
    """None if none was ever made."""
    row = session.get(Counter, _LAST)
    return datetime.fromisoformat(row.text_value) if row else None
